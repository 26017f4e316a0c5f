package org.buftrail.agent.weave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.buftrail.agent.weave.arrow.Arrow;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.agent.weave.selection.ClassPattern;
import org.buftrail.flow.state.BufferAccess;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Buffers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** What Arrow's allocators and ledgers tell, and what is asked of them, with classes like them. */
final class ArrowTest {
  private static final String MEMORY = "org/apache/arrow/memory/";
  private static final String MANAGER = MEMORY + "ReferenceManager";
  private static final String LEDGER = MEMORY + "BufferLedger";
  private static final String BUFFER = MEMORY + "ArrowBuf";
  private static final String ALLOCATOR = MEMORY + "BaseAllocator";
  private static final String OBJECT = "java/lang/Object";

  private final List<String> log = new ArrayList<>();
  private final Arrow arrow = new Arrow();
  private final Weaver weaver = new Weaver(arrow, log::add);
  private final WeavingLoader loader = loader(weaver);
  private final BufferAccess ledgers = arrow.foreign(Object.class, type -> {});

  private static WeavingLoader loader(@Nullable Weaver weaver) {
    return new WeavingLoader(weaver)
        .give(Buffers.class.getName(), StandIns.of(Buffers.class))
        .give(Names.binary(MANAGER), manager())
        .give(Names.binary(LEDGER), ledger())
        .give(Names.binary(BUFFER), buffer())
        .give(Names.binary(ALLOCATOR), allocator());
  }

  @BeforeEach
  void weave() {
    ClassPattern none = ClassPattern.NONE;
    weaver.weave(new Selection(none, none, none, List.of()));
    Ledger.open(0);
  }

  private static byte[] manager() {
    ClassWriter made = new ClassWriter(0);
    int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE;
    made.visit(Opcodes.V11, access, MANAGER, null, OBJECT, null);
    made.visitEnd();
    return made.toByteArray();
  }

  /** A public class with a constructor that takes nothing. */
  private static ClassWriter begin(String name, String... interfaces) {
    ClassWriter made = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    made.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, name, null, OBJECT, interfaces);
    MethodVisitor mv = method(made, "<init>", "()V");
    mv.visitVarInsn(Opcodes.ALOAD, 0);
    mv.visitMethodInsn(Opcodes.INVOKESPECIAL, OBJECT, "<init>", "()V", false);
    end(mv, Opcodes.RETURN);
    return made;
  }

  private static MethodVisitor method(ClassWriter made, String name, String descriptor) {
    MethodVisitor mv = made.visitMethod(Opcodes.ACC_PUBLIC, name, descriptor, null, null);
    mv.visitCode();
    return mv;
  }

  private static void end(MethodVisitor mv, int result) {
    mv.visitInsn(result);
    mv.visitMaxs(0, 0);
    mv.visitEnd();
  }

  private static byte[] end(ClassWriter made) {
    made.visitEnd();
    return made.toByteArray();
  }

  private static void getter(
      ClassWriter made, String owner, String name, String field, String type, int result) {
    made.visitField(Opcodes.ACC_PUBLIC, field, type, null, null).visitEnd();
    MethodVisitor mv = method(made, name, "()" + type);
    mv.visitVarInsn(Opcodes.ALOAD, 0);
    mv.visitFieldInsn(Opcodes.GETFIELD, owner, field, type);
    end(mv, result);
  }

  /** {@code release} says that it is the last if it is of one. */
  private static byte[] ledger() {
    ClassWriter made = begin(LEDGER, MANAGER);
    getter(made, LEDGER, "getRefCount", "count", "I", Opcodes.IRETURN);
    getter(made, LEDGER, "getSize", "size", "J", Opcodes.LRETURN);
    end(method(made, "retain", "(I)V"), Opcodes.RETURN);
    end(method(made, "retain", "()V"), Opcodes.RETURN);
    MethodVisitor release = method(made, "release", "(I)Z");
    release.visitVarInsn(Opcodes.ILOAD, 1);
    end(release, Opcodes.IRETURN);
    return end(made);
  }

  private static byte[] buffer() {
    ClassWriter made = begin(BUFFER);
    String type = "L" + MANAGER + ";";
    getter(made, BUFFER, "getReferenceManager", "manager", type, Opcodes.ARETURN);
    return end(made);
  }

  /** {@code getEmpty} gives a buffer that was there. */
  private static byte[] allocator() {
    ClassWriter made = begin(ALLOCATOR);
    for (String method : List.of("buffer", "getEmpty")) {
      MethodVisitor mv = method(made, method, "()L" + BUFFER + ";");
      mv.visitTypeInsn(Opcodes.NEW, BUFFER);
      mv.visitInsn(Opcodes.DUP);
      mv.visitMethodInsn(Opcodes.INVOKESPECIAL, BUFFER, "<init>", "()V", false);
      end(mv, Opcodes.ARETURN);
    }
    MethodVisitor named = method(made, "buffer", "()Ljava/lang/String;");
    named.visitLdcInsn("name");
    end(named, Opcodes.ARETURN);
    return end(made);
  }

  private Object make(String name) throws Exception {
    return loader.loadClass(Names.binary(name)).getConstructor().newInstance();
  }

  private static void set(Object object, String field, @Nullable Object value) throws Exception {
    object.getClass().getField(field).set(object, value);
  }

  private static Object call(Object object, String method, int argument) throws Exception {
    Object result = object.getClass().getMethod(method, int.class).invoke(object, argument);
    return result == null ? "nothing" : result;
  }

  /** Sites by their class and method. */
  private static List<String> told() {
    List<String> lines = new ArrayList<>();
    for (String line : Ledger.told()) {
      int last = line.lastIndexOf(' ') + 1;
      String number = line.substring(last);
      lines.add(
          number.matches("\\d+")
              ? line.substring(0, last) + Sites.get(Integer.parseInt(number)).method()
              : line);
    }
    return lines;
  }

  @Test
  void aLedgerTellsOfItsBeginAndEachChangeOfItsCount() throws Exception {
    Object ledger = make(LEDGER);
    call(ledger, "retain", 2);
    ledger.getClass().getMethod("retain").invoke(ledger);
    assertThat(call(ledger, "release", 0)).isEqualTo(false);
    assertThat(call(ledger, "release", 1)).isEqualTo(true);
    assertThat(told())
        .containsExactly(
            "Buffers.created BufferLedger#0 new",
            "Buffers.hop BufferLedger#0 retain",
            "Buffers.released BufferLedger#0 false",
            "Buffers.released BufferLedger#0 true");
    assertThat(log).isEmpty();
  }

  @Test
  void anAllocatorTellsOfWhatItGives() throws Exception {
    Object allocator = make(ALLOCATOR);
    assertThat(allocator.getClass().getMethod("getEmpty").invoke(allocator)).isNotNull();
    for (var method : allocator.getClass().getMethods()) {
      if (method.getName().equals("buffer")) {
        assertThat(method.invoke(allocator)).isNotNull();
      }
    }
    assertThat(told()).containsExactly("Buffers.created ArrowBuf#0 buffer");
  }

  @Test
  void nothingIsWovenAtRest() throws Exception {
    weaver.rest();
    call(make(LEDGER), "release", 1);
    make(ALLOCATOR);
    assertThat(told()).isEmpty();
    assertThat(loader.changed).isEmpty();
  }

  @Test
  void theLedgerOfABufferCountsForIt() throws Exception {
    Object buffer = make(BUFFER);
    Object ledger = make(LEDGER);
    assertThat(ledgers.owner(buffer)).as("without memory").isNull();
    set(buffer, "manager", ledger);
    assertThat(ledgers.owner(buffer)).isSameAs(ledger);
    assertThat(ledgers.owner(ledger)).isSameAs(ledger);
    assertThat(ledgers.content(buffer)).isNull();
    set(ledger, "count", 3);
    assertThat(ledgers.refCnt(ledger)).isEqualTo(3);
    assertThat(ledgers.isDirect(ledger)).isTrue();
  }

  @Test
  void whatCountsInAnotherWayIsNotFollowed() throws Exception {
    ClassWriter made = begin(MEMORY + "Other", MANAGER);
    loader.give("org.apache.arrow.memory.Other", end(made));
    Object buffer = make(BUFFER);
    set(buffer, "manager", make(MEMORY + "Other"));
    assertThat(ledgers.owner(buffer)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "24, 24", "2147483647, 2147483647", "8589934592, 2147483647"})
  void aSizeIsAsLargeAsItMayBe(long size, int capacity) throws Exception {
    Object ledger = make(LEDGER);
    set(ledger, "size", size);
    assertThat(ledgers.capacity(ledger)).isEqualTo(capacity);
  }

  @Test
  void buffersAndLedgersOfAnyLoaderAreCovered() throws Exception {
    for (WeavingLoader each : List.of(loader, loader(null))) {
      assertThat(ledgers.covers(each.loadClass(Names.binary(LEDGER)))).isTrue();
      assertThat(ledgers.covers(each.loadClass(Names.binary(BUFFER)))).isTrue();
      assertThat(ledgers.covers(each.loadClass(Names.binary(MANAGER)))).isFalse();
    }
    assertThat(ledgers.isUsedOnce()).isTrue();
    assertThat(ledgers.isLessExact()).isFalse();
    assertThat(loader(null).loadClass(Names.binary(LEDGER)))
        .isNotEqualTo(ledgers.type())
        .matches(arrow::counts)
        .matches(arrow::isRoot);
  }

  @Test
  void anotherArrowIsNotAsked() throws Exception {
    WeavingLoader other = new WeavingLoader(null).give(Names.binary(LEDGER), end(begin(LEDGER)));
    Object ledger = other.loadClass(Names.binary(LEDGER)).getConstructor().newInstance();
    assertThatThrownBy(() -> ledgers.refCnt(ledger))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("not as Apache Arrow has it: org.apache.arrow.memory.BufferLedger");
  }

  @Test
  void namesSayWhatAClassIs() {
    assertThat(arrow.isOwn("org/apache/arrow/vector/IntVector")).isTrue();
    assertThat(arrow.isOwn("org/apache/parquet/Reader")).isFalse();
    assertThat(arrow.isOfBuffers(ALLOCATOR)).isTrue();
    assertThat(arrow.isOfBuffers("org/apache/arrow/vector/IntVector")).isFalse();
    assertThat(arrow.isBuffer(BUFFER)).isTrue();
    assertThat(arrow.isBuffer(LEDGER)).isFalse();
    assertThat(arrow.mayChange(LEDGER, Set.of())).isTrue();
    assertThat(arrow.mayChange(ALLOCATOR, Set.of())).isTrue();
    assertThat(arrow.mayChange(BUFFER, Set.of("created"))).isFalse();
    assertThat(arrow.isRoot(Object.class)).isFalse();
    assertThat(arrow.keepsShape(Object.class)).isFalse();
  }

  /** It has neither holders nor handlers, and what it gives shares the count. */
  @Test
  void nothingOfNettysIsArrows() {
    String name = "io/netty/buffer/ByteBufHolder";
    assertThat(arrow.isHolder(name)).isFalse();
    assertThat(arrow.isFrameworks(name)).isFalse();
    assertThat(arrow.isAllocator("io/netty/buffer/ByteBufAllocator")).isFalse();
    assertThat(arrow.isContext("io/netty/channel/ChannelHandlerContext")).isFalse();
    assertThat(arrow.isOfChannels("io/netty/channel/Channel")).isFalse();
    assertThat(arrow.givesAnother("copy", "()V")).isFalse();
    assertThat(arrow.isOfHolders("content")).isFalse();
  }
}
