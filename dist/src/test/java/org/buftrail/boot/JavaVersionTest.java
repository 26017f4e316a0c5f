package org.buftrail.boot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class JavaVersionTest {
  @Test
  void readsBothWaysOfNumbering() {
    assertThat(JavaVersion.parse("1.8")).isEqualTo(8);
    assertThat(JavaVersion.parse("11")).isEqualTo(11);
    assertThat(JavaVersion.parse("25")).isEqualTo(25);
  }

  @Test
  void knowsTheRunningOne() {
    assertThat(JavaVersion.current()).isEqualTo(Runtime.version().feature());
  }
}
