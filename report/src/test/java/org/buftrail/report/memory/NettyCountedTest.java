package org.buftrail.report.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class NettyCountedTest {
  @Test
  void whatNettyAllocatesPastTheJvmIsNotKnown() {
    assertThat(JvmFigures.isNettyCounted("11", Map.of())).isTrue();
    assertThat(JvmFigures.isNettyCounted("23", Map.of("user.name", "me"))).isTrue();
    assertThat(JvmFigures.isNettyCounted("24", Map.of())).isFalse();
    assertThat(JvmFigures.isNettyCounted("25", Map.of())).isFalse();
    assertThat(JvmFigures.isNettyCounted("1.8", Map.of())).isFalse();
    String told = "io.netty.tryReflectionSetAccessible";
    assertThat(JvmFigures.isNettyCounted("17", Map.of(told, "true"))).isFalse();
    assertThat(JvmFigures.isNettyCounted("17", Map.of(told, "false"))).isTrue();
  }
}
