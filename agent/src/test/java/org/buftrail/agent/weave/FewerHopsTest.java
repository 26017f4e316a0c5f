package org.buftrail.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.woven.Keeps;
import com.example.woven.Lines;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.buftrail.agent.weave.netty4.Netty4;
import org.buftrail.agent.weave.selection.ClassPattern;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.model.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which hops are left where lines that release, retain or pass on are none. */
final class FewerHopsTest {
  private final List<String> log = new ArrayList<>();

  @BeforeAll
  static void follow() {
    FlowTracker.INSTANCE.start(true);
  }

  private WeavingLoader loader(boolean callLines) {
    Weaver weaver = new Weaver(new Netty4(), log::add);
    ClassPattern none = ClassPattern.NONE;
    weaver.weave(
        new Selection(ClassPattern.parse("com.example"), none, none, List.of())
            .withCallLines(callLines));
    return new WeavingLoader(weaver);
  }

  /** By the methods of their paths, the allocator's left out, how many flows there were. */
  private static Map<String, Long> flows() {
    Map<String, Long> flows = new LinkedHashMap<>();
    for (Path path : FlowTracker.INSTANCE.snapshot().paths()) {
      String methods =
          path.hops().stream()
              .skip(1)
              .map(hop -> hop.site().method())
              .collect(Collectors.joining(" "));
      flows.merge(methods, path.flows() + path.live().count(), Long::sum);
    }
    return flows;
  }

  /** The paths of those that a method makes. */
  private List<String> run(boolean callLines, Class<?> program, String method) throws Exception {
    Map<String, Long> before = flows();
    Object buffer = loader(callLines).run(program, method);
    Map<String, Long> now = flows();
    assertThat(buffer).isNotNull();
    assertThat(log).isEmpty();
    return now.entrySet().stream()
        .filter(path -> path.getValue() > before.getOrDefault(path.getKey(), 0L))
        .map(Map.Entry::getKey)
        .collect(Collectors.toList());
  }

  @ParameterizedTest
  @CsvSource({
    "inAVariable,make make_return inAVariable",
    "inAField,make make_return inAField",
    "chosen,make make_return chosen",
    "handedOn,make make_return same same_return",
  })
  void whatIsStoredIsAHopStill(String method, String expected) throws Exception {
    assertThat(run(false, Keeps.class, method)).contains(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "released,make make_return released take take release,"
        + "make make_return released take release",
    "retained,make make_return retained retained,make make_return retained retain",
    "wrapped,make make_return wrapped wrapped release,make make_return release",
    "compared,make make_return compared,make make_return compared",
    "passed,make make_return passed release,make make_return release",
  })
  void whereReleasesRetainsAndWhatIsPassedOnAreNoLines(String method, String all, String fewer)
      throws Exception {
    assertThat(run(true, Lines.class, method)).containsExactly(all);
    assertThat(run(false, Lines.class, method)).containsExactly(fewer);
  }
}
