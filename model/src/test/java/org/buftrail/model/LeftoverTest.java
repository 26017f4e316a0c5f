package org.buftrail.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LeftoverTest {
  private static Path.Hop hop(String type, String method, int line) {
    return new Path.Hop(new Site(type, method, "", line, ""), "1-2", false, false);
  }

  private static Leftover leftover(Leftover.Memory memory, boolean needsRelease, Path.Hop... hops) {
    return new Leftover(
        "test", List.of(hops), memory, needsRelease, new Path.Flows(3, 96), 2, 900, 100);
  }

  @Test
  void aTraceBeginsWhereTheBufferWasLastSeen() {
    Leftover leftover =
        leftover(
            Leftover.Memory.DIRECT,
            true,
            hop("a.Pool", "directBuffer", 0),
            hop("$Proxy", "call", 7),
            hop("com.acme.Shop$Cart$1", "take", 48));
    assertThat(leftover.trace())
        .containsExactly(
            new StackTraceElement("com.acme.Shop$Cart$1", "take", "Shop.java", 48),
            new StackTraceElement("$Proxy", "call", "$Proxy.java", 7),
            new StackTraceElement("a.Pool", "directBuffer", null, -1));
    assertThat(leftover)
        .hasToString(
            "3 of 96 bytes, direct, last seen at com.acme.Shop$Cart$1.take:48, allocated in test");
  }

  @Test
  void whatIsKnownOfItIsTold() {
    Path.Hop root = hop("a.Pool", "heapBuffer", 0);
    Leftover leftover = leftover(Leftover.Memory.HEAP, false, root);
    assertThat(leftover)
        .extracting(
            Leftover::scope,
            Leftover::count,
            Leftover::bytes,
            Leftover::collected,
            Leftover::oldestMillis,
            Leftover::youngestMillis)
        .containsExactly("test", 3L, 96L, 2L, 900L, 100L);
    assertThat(leftover.hops()).containsExactly(root);
    assertThat(leftover.memory().text()).isEqualTo("heap");
    assertThat(leftover.needsRelease()).isFalse();
    assertThat(leftover(Leftover.Memory.RESOURCE, true, root).needsRelease()).isTrue();
  }
}
