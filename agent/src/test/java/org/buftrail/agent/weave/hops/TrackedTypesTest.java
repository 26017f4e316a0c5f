package org.buftrail.agent.weave.hops;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.buftrail.agent.weave.classfile.Ancestry;
import org.buftrail.agent.weave.classfile.ClassHead;
import org.buftrail.agent.weave.library.BufferLibrary;
import org.buftrail.agent.weave.netty4.Netty4;
import org.buftrail.agent.weave.resources.ResourceRule;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Which parameters, results and calls may have to do with a buffer, told by their types. */
final class TrackedTypesTest {
  private static final ClassLoader LOADER = TrackedTypesTest.class.getClassLoader();
  private static final String BUFFER = "Lio/netty/buffer/ByteBuf;";

  private final BufferLibrary library = new Netty4();
  private final Ancestry carriers =
      Ancestry.ofNamed(name -> library.isBuffer(name) || library.isHolder(name));
  private final Ancestry buffers = Ancestry.ofNamed(library::isBuffer);

  private final KnownNames others = new KnownNames();

  private TrackedTypes carriers(boolean streams, ResourceRule... rules) {
    return new TrackedTypes(
        library, carriers, buffers, type -> false, List.of(rules), LOADER, () -> streams);
  }

  private static String full(String descriptor) {
    return descriptor
        .replace("BUF", BUFFER)
        .replace("CTX", "Lio/netty/channel/ChannelHandlerContext;")
        .replace("OBJ", "Ljava/lang/Object;")
        .replace("STR", "Ljava/lang/String;")
        .replace("IN", "Ljava/io/InputStream;")
        .replace("MSG", "Lcom/example/woven/Plain;")
        .replace("PROMISE", "Lio/netty/channel/ChannelPromise;")
        .replace("COMPOSITE", "Lio/netty/buffer/CompositeByteBuf;");
  }

  @ParameterizedTest
  @CsvSource({
    "()V, false",
    "(BUF)V, true",
    "(JSTR[BBUF)V, true",
    "()BUF, true",
    "(COMPOSITE)I, true",
    "(OBJ)OBJ, false",
    "(CTX)V, false",
    "(CTXOBJ)V, true",
    "(OBJCTX)V, true",
    "(CTXMSG)V, true",
    "(CTXI)OBJ, true",
    "(CTXPROMISE)V, false",
    "(CTXSTR)V, false",
    "(MSG)V, false",
    "(IN)V, false",
    "(no descriptor, false",
    "()Lx, false",
  })
  void aMethodMayCarryABufferByItsTypes(String descriptor, boolean may) {
    String text = full(descriptor);
    assertThat(carriers(false).mayCarry(text)).isEqualTo(may);
    assertThat(mayHop(carriers(false), pool(text))).isEqualTo(may);
  }

  @ParameterizedTest
  @CsvSource({"(IN)V, true", "()IN, true", "(STR)V, false"})
  void aStreamMayHoldABufferWhereMessagesAreStreams(String descriptor, boolean may) {
    String text = full(descriptor);
    assertThat(carriers(true).mayCarry(text)).isEqualTo(may);
    assertThat(mayHop(carriers(true), pool(text))).isEqualTo(may);
    Type first = Type.getMethodType(text).getReturnType();
    assertThat(carriers(true).carries(first, false)).isEqualTo(descriptor.endsWith("IN"));
  }

  @ParameterizedTest
  @CsvSource({"(STR)V, (BUF)V, true", "(CTXSTR)V, (CTXOBJ)V, true", "(STR)V, (CTXSTR)V, false"})
  void oneDescriptorOfTheClassIsEnough(String first, String second, boolean may) {
    assertThat(mayHop(carriers(false), pool(full(first), full(second)))).isEqualTo(may);
    assertThat(mayHop(carriers(false), pool(full(second), full(first)))).isEqualTo(may);
  }

  @ParameterizedTest
  @CsvSource({
    "com/example/woven/Calls, make, ()BUF, true",
    "com/example/woven/Calls, make, ()COMPOSITE, true",
    "com/example/woven/Calls, make, ()OBJ, false",
    "com/example/woven/Calls, make, (BUF)V, false",
    "com/example/woven/Calls, make, (BUF)I, false",
    "io/netty/buffer/ByteBuf, slice, ()BUF, false",
    "io/netty/buffer/ByteBuf, retain, ()BUF, false",
    "io/netty/buffer/ByteBuf, copy, ()BUF, true",
    "io/netty/buffer/ByteBuf, retainedSlice, ()BUF, true",
    "io/netty/buffer/ByteBuf, retainedDuplicate, ()BUF, true",
    "io/netty/buffer/ByteBuf, readRetainedSlice, (I)BUF, true",
    "io/netty/buffer/ByteBuf, readBytes, (I)BUF, true",
    "io/netty/buffer/ByteBuf, readBytes, (BUF)BUF, false",
    "com/example/woven/Calls, get, ()Lorg/springframework/core/io/buffer/DataBuffer;, true",
    "org/springframework/core/io/buffer/DataBuffer, slice,"
        + " ()Lorg/springframework/core/io/buffer/DataBuffer;, false",
  })
  void aCallMayGiveABufferThatNobodyHasSeen(
      String owner, String method, String descriptor, boolean may) {
    String text = full(descriptor);
    assertThat(carriers(false).mayReturnNewBuffer(owner, method, text)).isEqualTo(may);
    assertThat(carriers(false).mayGive(owner, method, text)).isEqualTo(may);
  }

  @ParameterizedTest
  @CsvSource({
    "com/example/Any, get, ()Ljava/io/StringReader;, true",
    "com/example/Any, get, ()Ljava/io/Reader;, false",
    "com/example/Any, get, (Ljava/io/StringReader;)V, false",
    "java/io/StringReader, <init>, (STR)V, true",
    "java/io/StringReader, read, ()I, false",
    "com/example/Any, <init>, ()V, false",
  })
  void aCallMayGiveAResource(String owner, String method, String descriptor, boolean may) {
    ResourceRule.Member close = new ResourceRule.Member("java/io/StringReader", "close", null);
    ResourceRule rule = new ResourceRule(1, "java/io/StringReader", List.of(), List.of(close));
    assertThat(carriers(false, rule).mayGive(owner, method, full(descriptor))).isEqualTo(may);
    assertThat(mayHop(carriers(false, rule), pool("()V"))).as("nothing is said").isTrue();
  }

  @ParameterizedTest
  @CsvSource({"io/grpc/Metadata, true", "io/grpcs/Metadata, false", "com/example/Any, false"})
  void whoNamesClassesOfGrpcMayHaveStreams(String named, boolean may) {
    ClassWriter writer = new ClassWriter(0);
    writer.newClass(named);
    writer.visit(Opcodes.V11, 0, "com/example/Made", null, "java/lang/Object", null);
    writer.visitEnd();
    assertThat(TrackedTypes.mayBeStreams(writer.toByteArray())).isEqualTo(may);
  }

  private boolean mayHop(TrackedTypes types, ClassHead pool) {
    return types.carrying(pool, false, others) != null;
  }

  /** The constant pool of a class that calls a method of each descriptor. */
  private static ClassHead pool(String... descriptors) {
    ClassWriter writer = new ClassWriter(0);
    writer.visit(Opcodes.V11, 0, "com/example/Made", null, "java/lang/Object", null);
    for (String descriptor : descriptors) {
      writer.newMethod("com/example/Called", "call", descriptor, false);
    }
    writer.visitEnd();
    return new ClassHead(writer.toByteArray());
  }
}
