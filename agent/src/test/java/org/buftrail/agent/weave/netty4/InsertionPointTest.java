package org.buftrail.agent.weave.netty4;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The calls inserted into a method, and none into one that differs from it in a single respect. */
final class InsertionPointTest {
  private static final String NETTY = "io/netty/buffer/";

  private static int access(String words) {
    return Arrays.stream(words.split(" "))
        .mapToInt(
            word ->
                switch (word) {
                  case "public" -> Opcodes.ACC_PUBLIC;
                  case "static" -> Opcodes.ACC_STATIC;
                  case "synthetic" -> Opcodes.ACC_SYNTHETIC;
                  default -> 0;
                })
        .sum();
  }

  private static boolean isTold(
      String owner, String access, boolean ofAllocator, String name, String descriptor) {
    MethodVisitor next = new MethodVisitor(Opcodes.ASM9) {};
    InsertionPoint.Method method =
        new InsertionPoint.Method(owner, ofAllocator, access(access), name, descriptor);
    return InsertionPoint.visitor(next, method) != next;
  }

  @ParameterizedTest
  @CsvSource({
    "CompositeByteBuf, private, addComponent0, (I)I, true",
    "CompositeByteBuf, private static, checkForOverflow, (II)V, false",
    "CompositeByteBuf$Component, default, free, ()V, true",
    "CompositeByteBuf$Component, default, endOffset, ()I, false",
    "CompositeByteBuf$ByteWrapper, default, free, ()V, false",
    "AbstractPooledDerivedByteBuf, default, init, ()Lio/netty/buffer/ByteBuf;, true",
    "AbstractDerivedByteBuf, default, init, ()Lio/netty/buffer/ByteBuf;, false",
    "AbstractReferenceCountedByteBuf, public, retain, ()Lio/netty/buffer/ByteBuf;, true",
    "AbstractReferenceCountedByteBuf, public, touch, ()Lio/netty/buffer/ByteBuf;, false",
    "WrappedByteBuf, public, retain, ()Lio/netty/buffer/ByteBuf;, false",
    "AbstractByteBuf, default, ensureAccessible, ()V, true",
    "AbstractByteBuf, default, isAccessible, ()Z, false",
    "AdaptivePoolingAllocator$AdaptiveByteBuf, private, rootParent, ()V, true",
    "AdaptivePoolingAllocator$AdaptiveByteBuf, private, unwrap, ()V, false",
    "AbstractPooledDerivedByteBuf, public, unwrap, ()V, true",
    "AbstractPooledDerivedByteBuf, public, rootParent, ()V, false",
    "Unpooled, public static, unreleasableBuffer, ()V, true",
    "Unpooled, public static, wrappedBuffer, ()Lio/netty/buffer/ByteBuf;, true",
    "Unpooled, private static, wrappedBuffer, ()Lio/netty/buffer/ByteBuf;, false",
    "Unpooled, public synthetic, wrappedBuffer, ()Lio/netty/buffer/ByteBuf;, false",
    "Unpooled, public static, wrappedBuffer, ()[Lio/netty/buffer/ByteBuf;, false",
    "Unpooled, public static, wrappedBuffer, (Lio/netty/buffer/ByteBuf;)I, false",
    "PooledByteBufAllocator, public, <init>, (Z)V, true",
    "AdaptivePoolingAllocator, default, <init>, ()V, true",
    "UnpooledByteBufAllocator, public, <init>, (Z)V, false",
    "PooledByteBufAllocator, public, metric, ()V, false",
    "ByteBufUtil, public static, threadLocalDirectBuffer, ()Lio/netty/buffer/ByteBuf;, true",
    "ByteBufUtil, public static, readBytes, ()Lio/netty/buffer/ByteBuf;, false",
    "Recycled, public static, threadLocalDirectBuffer, ()Lio/netty/buffer/ByteBuf;, false",
  })
  void ofNettysClassesSomeMethodsTell(
      String owner, String access, String name, String descriptor, boolean told) {
    assertThat(isTold(NETTY + owner, access, false, name, descriptor)).isEqualTo(told);
  }

  @ParameterizedTest
  @CsvSource({
    "true, public, buffer, ()Lio/netty/buffer/ByteBuf;, true",
    "true, public static, buffer, ()Lio/netty/buffer/ByteBuf;, false",
    "true, public, buffer, ()Ljava/nio/ByteBuffer;, false",
    "false, public, buffer, ()Lio/netty/buffer/ByteBuf;, false",
    "false, public, capacity, (I)Lio/netty/buffer/ByteBuf;, true",
    "false, public static, capacity, (I)Lio/netty/buffer/ByteBuf;, false",
    "false, public, capacity, (I)I, false",
    "false, public, capacity, ()Lio/netty/buffer/ByteBuf;, false",
    "false, protected, newDirectBuffer, (II)Lio/netty/buffer/ByteBuf;, true",
    "false, protected, newDirectBuffer, (III)Lio/netty/buffer/ByteBuf;, false",
    "false, public static, unreleasableBuffer, ()Lio/netty/buffer/ByteBuf;, false",
  })
  void ofOthersThoseThatGiveABuffer(
      boolean ofAllocator, String access, String name, String descriptor, boolean told) {
    String owner = "com/example/Unpooled";
    assertThat(isTold(owner, access, ofAllocator, name, descriptor)).isEqualTo(told);
  }
}
