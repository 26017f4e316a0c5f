package org.buftrail.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class DirectMemoryTest {
  @Test
  void whatNettyAllocatesPastTheJvmIsNotKnown() {
    assertThat(DirectMemory.isCounted("11", Map.of())).isTrue();
    assertThat(DirectMemory.isCounted("23", Map.of("user.name", "me"))).isTrue();
    assertThat(DirectMemory.isCounted("24", Map.of())).isFalse();
    assertThat(DirectMemory.isCounted("25", Map.of())).isFalse();
    assertThat(DirectMemory.isCounted("1.8", Map.of())).isFalse();
    String told = "io.netty.tryReflectionSetAccessible";
    assertThat(DirectMemory.isCounted("17", Map.of(told, "true"))).isFalse();
    assertThat(DirectMemory.isCounted("17", Map.of(told, "false"))).isTrue();
  }
}
