package org.buftrail.agent.weave.netty4;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.buftrail.agent.weave.WeavingLoader;
import org.buftrail.flow.state.Foreign;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource({
    "Unpooled, true",
    "ByteBufUtil, true",
    "AbstractReferenceCountedByteBuf, true",
    "AbstractByteBuf, true",
    "CompositeByteBuf, true",
    "ByteBuf, false",
    "UnpooledHeapByteBuf, false",
  })
  void ofNettysBuffersSomeMayChange(String name, boolean mayChange) {
    assertThat(netty.mayChange("io/netty/buffer/" + name, Set.of("toString"))).isEqualTo(mayChange);
    assertThat(netty.mayChange("com/example/" + name, Set.of("toString"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "copy, (II)Lio/netty/buffer/ByteBuf;, true",
    "retainedSlice, ()Lio/netty/buffer/ByteBuf;, true",
    "retainedDuplicate, ()Lio/netty/buffer/ByteBuf;, true",
    "readRetainedSlice, (I)Lio/netty/buffer/ByteBuf;, true",
    "readBytes, (I)Lio/netty/buffer/ByteBuf;, true",
    "readBytes, (Lio/netty/buffer/ByteBuf;)Lio/netty/buffer/ByteBuf;, false",
    "slice, ()Lio/netty/buffer/ByteBuf;, false",
    "retain, ()Lio/netty/buffer/ByteBuf;, false",
  })
  void someMethodsOfABufferGiveAnother(String method, String descriptor, boolean another) {
    assertThat(netty.givesAnother(method, descriptor)).isEqualTo(another);
  }

  @Test
  void namesSayWhatAClassIs() {
    assertThat(netty.isOwn("io/netty/handler/ssl/SslHandler")).isTrue();
    assertThat(netty.isOwn("com/example/Handler")).isFalse();
    assertThat(netty.isOfBuffers("io/netty/buffer/Unpooled")).isTrue();
    assertThat(netty.isOfBuffers("io/netty/channel/Channel")).isFalse();
    assertThat(netty.isBuffer("io/netty/buffer/ByteBuf")).isTrue();
    assertThat(netty.isBuffer("io/netty/buffer/ByteBufHolder")).isFalse();
    assertThat(netty.isHolder("io/netty/buffer/ByteBufHolder")).isTrue();
    assertThat(netty.isHolder("io/vertx/core/buffer/Buffer")).isTrue();
    assertThat(netty.isHolder("io/netty/buffer/ByteBuf")).isFalse();
    assertThat(netty.isFrameworks("io/vertx/core/buffer/Buffer")).isTrue();
    assertThat(netty.isFrameworks("io/netty/buffer/ByteBufHolder")).isFalse();
    assertThat(netty.isAllocator("io/netty/buffer/ByteBufAllocator")).isTrue();
    assertThat(netty.isAllocator("io/netty/buffer/ByteBuf")).isFalse();
    assertThat(netty.isContext("io/netty/channel/ChannelHandlerContext")).isTrue();
    assertThat(netty.isContext("io/netty/channel/Channel")).isFalse();
    assertThat(netty.isOfChannels("io/netty/channel/Channel")).isTrue();
    assertThat(netty.isOfChannels("io/netty/buffer/ByteBuf")).isFalse();
    assertThat(netty.isOfHolders("content")).isTrue();
    assertThat(netty.isOfHolders("unpack")).isFalse();
  }

  /** Those alone that loaded with another shape, which they can never be without. */
  @Test
  void whatHasAShapeKeepsIt() throws Exception {
    WeavingLoader woven =
        new WeavingLoader(WeavingLoader.weaver("nothing.here", new ArrayList<>()));
    for (String name :
        List.of("ByteBuf", "CompositeByteBuf", "CompositeByteBuf$Component", "PooledByteBuf")) {
      String full = "io.netty.buffer." + name;
      assertThat(netty.keepsShape(woven.loadClass(full))).as(name).isTrue();
      assertThat(netty.keepsShape(Class.forName(full))).as(name + " as it was").isFalse();
    }
    assertThat(netty.keepsShape(woven.loadClass("io.netty.buffer.Unpooled"))).isFalse();
    assertThat(netty.keepsShape(String.class)).isFalse();
  }

  @Test
  void theRootAndWhatCountsAreKnownAmongLoadedClasses() {
    assertThat(netty.isRoot(ByteBuf.class)).isTrue();
    assertThat(netty.isRoot(Unpooled.class)).isFalse();
    assertThat(netty.counts(AbstractReferenceCountedByteBuf.class)).isTrue();
    assertThat(netty.counts(ByteBuf.class)).isFalse();
  }

  @Test
  void howToAskTheBuffersOfANettyIsMadeOnce() throws Exception {
    Foreign first = netty.foreign(ByteBuf.class, type -> {});
    assertThat(netty.foreign(ByteBuf.class, type -> {})).isSameAs(first);
    assertThat(first.type()).isSameAs(ByteBuf.class);
  }
}
