package org.buftrail.agent.weave.netty4;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FrameworkHoldersTest {
  @Test
  void classesAreKnownByNameRelocatedOrNot() {
    assertThat(FrameworkHolders.field("io/grpc/netty/NettyReadableBuffer")).isEqualTo("buffer");
    assertThat(FrameworkHolders.field("io/grpc/netty/shaded/io/grpc/netty/NettyReadableBuffer"))
        .isEqualTo("buffer");
    assertThat(FrameworkHolders.field("org/springframework/core/io/buffer/NettyDataBuffer"))
        .isEqualTo("byteBuf");
    assertThat(FrameworkHolders.field("com/example/NettyDataBuffer")).isNull();
    assertThat(FrameworkHolders.field("com/example/Main")).isNull();
  }

  @Test
  void typesAreKnownByNameRelocatedOrNot() {
    assertThat(FrameworkHolders.isType("com/linecorp/armeria/common/HttpData")).isTrue();
    assertThat(FrameworkHolders.isType("shaded/com/linecorp/armeria/common/HttpData")).isTrue();
    assertThat(FrameworkHolders.isType("io/vertx/core/buffer/Buffer")).isTrue();
    assertThat(FrameworkHolders.isType("java/nio/Buffer")).isFalse();
  }
}
