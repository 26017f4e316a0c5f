package org.buftrail.agent.weave.netty4;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractReferenceCountedByteBuf;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.buftrail.agent.weave.Weaver;
import org.buftrail.agent.weave.WeavingLoader;
import org.buftrail.flow.state.BufferAccess;
import org.buftrail.flow.state.TrackedBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;

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
    "capacity, (I)Lio/netty/buffer/ByteBuf;, false",
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
    BufferAccess first = Objects.requireNonNull(netty.foreign(ByteBuf.class, type -> {}));
    assertThat(netty.foreign(ByteBuf.class, type -> {})).isSameAs(first);
    assertThat(first.type()).isSameAs(ByteBuf.class);
  }

  @Test
  void aClassThatIsNamedIsTakenForAFrameworks() {
    String type = "com/example/Netty4Test/Envelope";
    assertThat(netty.isFrameworks(type)).isFalse();
    netty.setFrameworks(Map.of(type, "body"));
    assertThat(netty.isFrameworks(type)).isTrue();
    assertThat(netty.isHolder(type)).isTrue();
    assertThat(FrameworkHolders.field(type)).isEqualTo("body");
    netty.setFrameworks(Map.of());
    assertThat(netty.isFrameworks(type)).isFalse();
    assertThat(FrameworkHolders.field(type)).isNull();
  }

  /** As an attach may find them: then nobody asks for what is added, but it must be let pass. */
  @ParameterizedTest
  @CsvSource({
    "AbstractReferenceCountedByteBuf, COUNTING",
    "AbstractPooledDerivedByteBuf, DERIVED",
    "AbstractPooledDerivedByteBuf$PooledNonRetainedSlicedByteBuf, DELEGATING",
    "CompositeByteBuf$Component, COMPONENT",
  })
  void aShapeIsValidBelowABufferThatIsAsItWas(String simpleName, BufferShape shape)
      throws Exception {
    String name = "io/netty/buffer/" + simpleName;
    WeavingLoader loader = new WeavingLoader(null);
    try (InputStream in = loader.getResourceAsStream(name + ".class")) {
      ClassReader reader = new ClassReader(Objects.requireNonNull(in));
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      reader.accept(shape.over(writer), 0);
      shape.addMethods(writer, name, "Lio/netty/buffer/ByteBuf;");
      loader.give(name.replace('/', '.'), writer.toByteArray());
    }
    Class<?> shaped = Class.forName(name.replace('/', '.'), true, loader);
    assertThat(shape.isOf(shaped)).isTrue();
    assertThat(TrackedBuffer.class.isAssignableFrom(loader.loadClass(ByteBuf.class.getName())))
        .isFalse();
  }

  /** A retransformation after a detach must get the same bytes from here. */
  @ParameterizedTest
  @CsvSource({
    "io/netty/buffer/ByteBuf, true",
    "io/netty/buffer/PooledByteBuf, true",
    "io/netty/buffer/Unpooled, false",
    "io/netty/buffer/UnpooledByteBufAllocator, false",
    "io/netty/channel/unix/IovArray, false",
    "com/example/woven/Borrowing, false",
  })
  void aWeaverAtRestGivesShapesAlone(String name, boolean shaped) throws Exception {
    WeavingLoader loader = new WeavingLoader(null);
    for (boolean rests : new boolean[] {false, true}) {
      Weaver weaver = WeavingLoader.weaver("nothing.here", new ArrayList<>());
      if (rests) {
        weaver.rest();
      }
      try (InputStream in = loader.getResourceAsStream(name + ".class")) {
        byte[] classFile = Objects.requireNonNull(in).readAllBytes();
        byte[] woven =
            weaver.transform(loader.getUnnamedModule(), loader, name, null, null, classFile);
        assertThat(woven != null).isEqualTo(shaped || !rests);
      }
    }
  }
}
