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
    assertThat(FrameworkHolders.field("io/rsocket/util/ByteBufPayload")).isEqualTo("data");
    assertThat(FrameworkHolders.field("io/grpc/netty/shaded/io/netty/buffer/ByteBufInputStream"))
        .isEqualTo("buffer");
    assertThat(FrameworkHolders.field("com/example/ByteBufInputStream")).isNull();
    assertThat(FrameworkHolders.field("com/example/NettyDataBuffer")).isNull();
    assertThat(FrameworkHolders.field("com/example/Main")).isNull();
  }

  @Test
  void typesAreKnownByNameRelocatedOrNot() {
    assertThat(FrameworkHolders.isType("com/linecorp/armeria/common/HttpData")).isTrue();
    assertThat(FrameworkHolders.isType("shaded/com/linecorp/armeria/common/HttpData")).isTrue();
    assertThat(FrameworkHolders.isType("io/vertx/core/buffer/Buffer")).isTrue();
    assertThat(FrameworkHolders.isType("io/rsocket/Payload")).isTrue();
    assertThat(FrameworkHolders.isType("io/netty/buffer/ByteBufInputStream")).isTrue();
    assertThat(FrameworkHolders.isType("io/moquette/interception/messages/InterceptPublishMessage"))
        .isTrue();
    assertThat(FrameworkHolders.isType("org/springframework/web/reactive/socket/WebSocketMessage"))
        .isTrue();
    assertThat(FrameworkHolders.isType("org/springframework/messaging/WebSocketMessage")).isFalse();
    assertThat(FrameworkHolders.isType("java/nio/Buffer")).isFalse();
  }
}
