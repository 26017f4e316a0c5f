package org.buftrail.agent.weave.netty4;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.woven.Messages;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.agent.weave.WeavingLoader;
import org.buftrail.flow.Flows;
import org.buftrail.flow.Trail;
import org.junit.jupiter.api.Test;

/** What woven classes show of what they hold or view, and what those that were not woven do. */
final class PartTest {
  private final List<String> log = new ArrayList<>();
  private final WeavingLoader loader = new WeavingLoader(WeavingLoader.weaver("nothing.here", log));

  @Test
  void aHolderShowsWhatItsFieldHas() throws Exception {
    Map<String, Object> shown = new LinkedHashMap<>();
    Map<String, Object> expected = new LinkedHashMap<>();
    cases("holders", loader)
        .forEach(
            (name, parts) -> {
              shown.put(name, Flows.held(parts[0]));
              expected.put(name, parts[1]);
            });
    assertSame(shown, expected);
    assertThat(expected).hasSizeGreaterThan(16);
    assertThat(log).isEmpty();
  }

  @Test
  void aViewShowsTheBufferThatItIsOf() throws Exception {
    Map<String, Object> shown = new LinkedHashMap<>();
    Map<String, Object> expected = new LinkedHashMap<>();
    cases("views", loader)
        .forEach(
            (name, parts) -> {
              shown.put(name, ((Trail) parts[0]).buftrail$owner());
              expected.put(name, parts[1]);
            });
    assertSame(shown, expected);
    assertThat(log).isEmpty();
  }

  @Test
  void classesThatWereNotWovenAreReadByTheSameFields() throws Exception {
    WeavingLoader bare = new WeavingLoader(null);
    ForeignBuffers foreign = new ForeignBuffers(bare.loadClass("io.netty.buffer.ByteBuf"), c -> {});
    Map<String, Object> shown = new LinkedHashMap<>();
    Map<String, Object> expected = new LinkedHashMap<>();
    cases("holders", bare)
        .forEach(
            (name, parts) -> {
              shown.put(name, foreign.content(parts[0]));
              // Without their byte code it is not known which field of theirs it is.
              expected.put(name, name.startsWith("own") ? null : parts[1]);
            });
    cases("views", bare)
        .forEach(
            (name, parts) -> {
              shown.put("of " + name, foreign.owner(parts[0]));
              expected.put("of " + name, parts[1]);
            });
    assertSame(shown, expected);
  }

  @SuppressWarnings("unchecked") // made in another loader, of the JDK's classes
  private static Map<String, Object[]> cases(String method, WeavingLoader loader)
      throws ReflectiveOperationException {
    return (Map<String, Object[]>) loader.run(Messages.class, method);
  }

  private static void assertSame(Map<String, Object> shown, Map<String, Object> expected) {
    for (String name : expected.keySet()) {
      assertThat(shown.get(name)).as(name).isSameAs(expected.get(name));
    }
  }
}
