package org.buftrail.agent.weave.netty4;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which loaded classes are redefined at an attach: those alone that weaving changes. */
final class Netty4Test {
  private final Netty4 netty = new Netty4();

  @Test
  void allocatorsMayChange() {
    Set<String> strings = Set.of("newHeapBuffer", "newDirectBuffer");
    assertThat(netty.mayChange("io/netty/buffer/PooledByteBufAllocator", strings)).isTrue();
    assertThat(netty.mayChange("com/example/OwnAllocator", strings)).isTrue();
  }

  @Test
  void whatHasTheirNamesAloneStaysAsItIs() {
    Set<String> strings = Set.of("heapBuffer", "compositeHeapBuffer", "compositeDirectBuffer");
    assertThat(netty.mayChange("io/netty/buffer/ByteBufAllocator", strings)).isFalse();
    assertThat(netty.mayChange("com/example/HeapAllocator", Set.of("newHeapBuffer"))).isFalse();
  }
}
