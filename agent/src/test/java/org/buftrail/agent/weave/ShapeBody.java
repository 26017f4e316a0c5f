package org.buftrail.agent.weave;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.GOTO;
import static org.objectweb.asm.Opcodes.ILOAD;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.INVOKEVIRTUAL;
import static org.objectweb.asm.Opcodes.NEW;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.buftrail.agent.weave.Shapes.Kind;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Writes the body of one method of {@link Shapes}, with what it must tell. */
final class ShapeBody {
  private static final String LEDGER = Type.getInternalName(Ledger.class);
  private static final String BUFFER = "io/netty/buffer/ByteBuf";
  private static final String TO_BUFFER = ")Lio/netty/buffer/ByteBuf;";
  private static final int MAX_DEPTH = 3;

  /** A variable and what is in it. */
  private record Local(Kind kind, int index) {}

  /** A call out of the class, on a buffer or on nothing, and what it must tell, if anything. */
  private record Call(
      int opcode, String owner, String name, String descriptor, @Nullable String told) {}

  private static final List<Call> CALLS =
      List.of(
          new Call(INVOKESTATIC, LEDGER, "ask", "(" + TO_BUFFER, "Buffers.requested"),
          new Call(
              INVOKESTATIC,
              LEDGER,
              "askComposite",
              "()Lio/netty/buffer/CompositeByteBuf;",
              "Buffers.requested"),
          new Call(INVOKESTATIC, LEDGER, "askSeveral", "()[Lio/netty/buffer/ByteBuf;", null),
          new Call(
              INVOKESTATIC,
              LEDGER,
              "askResource",
              "()Ljava/io/StringReader;",
              "Resources.requested"),
          new Call(
              INVOKESTATIC,
              "io/netty/buffer/Unpooled",
              "compositeBuffer",
              "()Lio/netty/buffer/CompositeByteBuf;",
              "Buffers.requested"),
          new Call(INVOKEVIRTUAL, BUFFER, "copy", "(" + TO_BUFFER, "Buffers.requested"),
          new Call(INVOKEVIRTUAL, BUFFER, "retainedSlice", "(" + TO_BUFFER, "Buffers.retainedIn"),
          new Call(
              INVOKEVIRTUAL, BUFFER, "retainedDuplicate", "(" + TO_BUFFER, "Buffers.retainedIn"),
          new Call(INVOKEVIRTUAL, BUFFER, "slice", "(" + TO_BUFFER, null),
          new Call(INVOKEVIRTUAL, BUFFER, "duplicate", "(" + TO_BUFFER, null),
          new Call(INVOKEVIRTUAL, BUFFER, "retain", "(" + TO_BUFFER, "Buffers.retainedIn"),
          new Call(INVOKEVIRTUAL, BUFFER, "release", "()Z", null),
          new Call(INVOKEVIRTUAL, BUFFER, "clear", "(" + TO_BUFFER, null));

  private final MethodVisitor mv;
  private final String owner;
  private final Shapes.Method method;
  private final List<Shapes.Method> others;
  private final Random random;
  private final Shapes.Included included;
  private final boolean hasLines;
  private final List<Local> locals = new ArrayList<>();
  private int nextLocal;
  private int line;
  private int firstLine;
  private int steps;

  /**
   * @param others methods of the class that may be called
   */
  ShapeBody(
      MethodVisitor mv,
      String owner,
      Shapes.Method method,
      List<Shapes.Method> others,
      Random random,
      Shapes.Included included) {
    this.mv = mv;
    this.owner = owner;
    this.method = method;
    this.others = others;
    this.random = random;
    this.included = included;
    hasLines = random.nextInt(4) != 0;
    firstLine = hasLines ? 1 + random.nextInt(70_000) % 65_000 : 0;
  }

  void write() {
    mv.visitCode();
    if (hasLines) {
      setLine(firstLine);
    }
    nextLocal = method.isStatic() ? 0 : 1;
    for (Kind kind : method.parameters()) {
      String call = kind.call(method.isHandler());
      boolean enters = method.isConstructor() ? included.constructors() : included.methods();
      if (call != null && enters && method.written()) {
        mv.visitVarInsn(ALOAD, nextLocal);
        expect(call, site("", method.descriptor(), firstLine));
      }
      locals.add(new Local(kind, nextLocal));
      nextLocal += kind.type().getSize();
    }
    if (method.isConstructor()) {
      mv.visitVarInsn(ALOAD, 0);
      mv.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    }
    block(0);
    exit();
    mv.visitMaxs(0, 0);
    mv.visitEnd();
  }

  private void setLine(int number) {
    line = number;
    Label here = new Label();
    mv.visitLabel(here);
    mv.visitLineNumber(number, here);
  }

  private int site(String suffix, String descriptor, int at) {
    String name = owner.replace('/', '.');
    return Ledger.site(new Site(name, method.name(), descriptor, at, suffix), descriptor);
  }

  /** With the subject on the stack, to be taken off it. */
  private void expect(String call, int site) {
    mv.visitLdcInsn(call);
    mv.visitLdcInsn(site);
    String expect = "(Ljava/lang/Object;Ljava/lang/String;I)V";
    mv.visitMethodInsn(INVOKESTATIC, LEDGER, "expect", expect, false);
  }

  /** With what a call gave on the stack, where it stays. */
  private void expectAsked(String call) {
    if (included.methods() && method.written()) {
      mv.visitInsn(DUP);
      expect(call, site("", "", line));
    }
  }

  private void ledger(String name, String descriptor) {
    mv.visitMethodInsn(INVOKESTATIC, LEDGER, name, descriptor, false);
  }

  private void block(int depth) {
    int variables = locals.size();
    for (int i = random.nextInt(4); i >= 0; i--) {
      if (hasLines && random.nextBoolean()) {
        setLine(1 + random.nextInt(65_000));
      }
      statement(depth);
    }
    // A variable of a block does not exist behind it.
    while (locals.size() > variables) {
      locals.remove(locals.size() - 1);
    }
  }

  private void statement(int depth) {
    switch (random.nextInt(depth < MAX_DEPTH ? 11 : 5)) {
      case 0 -> note();
      case 1, 2 -> call(CALLS.get(random.nextInt(CALLS.size())));
      case 3 -> construct();
      case 4 -> store();
      case 5 -> choice(depth);
      case 6 -> loop(depth);
      case 7 -> either(depth);
      case 8 -> guarded(depth);
      case 9 -> leave();
      default -> callOther();
    }
  }

  private void note() {
    Local wide = local(Kind.LONG);
    if (wide != null && random.nextBoolean()) {
      mv.visitVarInsn(Opcodes.LLOAD, wide.index);
      ledger("note", "(J)V");
    } else {
      mv.visitLdcInsn(++steps);
      ledger("note", "(I)V");
    }
  }

  private @Nullable Local local(Kind kind) {
    List<Local> all = locals.stream().filter(l -> l.kind == kind).toList();
    return all.isEmpty() ? null : all.get(random.nextInt(all.size()));
  }

  private void call(Call call) {
    if (call.opcode == INVOKEVIRTUAL) {
      ledger("askComposite", "()Lio/netty/buffer/CompositeByteBuf;");
      expectAsked("Buffers.requested");
    }
    if (call.name.equals("release")) {
      expectAsked("Buffers.hop");
    }
    mv.visitMethodInsn(call.opcode, call.owner, call.name, call.descriptor, false);
    if (call.told != null) {
      expectAsked(call.told);
    }
    if (call.descriptor.endsWith(TO_BUFFER) && random.nextBoolean()) {
      locals.add(new Local(Kind.BUFFER, nextLocal));
      mv.visitVarInsn(Opcodes.ASTORE, nextLocal++);
    } else {
      mv.visitInsn(Opcodes.POP);
    }
  }

  /** {@code new}, with a copy of the reference or without, arguments that make objects, or none. */
  private void construct() {
    boolean copies = random.nextInt(4) != 0;
    boolean nested = random.nextBoolean();
    mv.visitTypeInsn(NEW, "java/io/StringReader");
    if (copies) {
      mv.visitInsn(DUP);
    }
    if (nested) {
      mv.visitTypeInsn(NEW, "java/lang/String");
      mv.visitInsn(DUP);
      mv.visitLdcInsn("nested");
      String takes = "(Ljava/lang/String;)V";
      mv.visitMethodInsn(INVOKESPECIAL, "java/lang/String", "<init>", takes, false);
    } else {
      mv.visitLdcInsn("plain");
    }
    String takes = "(Ljava/lang/String;)V";
    mv.visitMethodInsn(INVOKESPECIAL, "java/io/StringReader", "<init>", takes, false);
    if (copies) {
      expectAsked("Resources.requested");
      mv.visitInsn(Opcodes.POP);
    }
  }

  private void store() {
    boolean wide = random.nextBoolean();
    if (wide) {
      mv.visitLdcInsn(random.nextLong());
      locals.add(new Local(Kind.LONG, nextLocal));
      mv.visitVarInsn(Opcodes.LSTORE, nextLocal);
      nextLocal += 2;
    } else {
      mv.visitLdcInsn(random.nextInt());
      locals.add(new Local(Kind.INT, nextLocal));
      mv.visitVarInsn(Opcodes.ISTORE, nextLocal);
      mv.visitIincInsn(nextLocal++, 7);
    }
  }

  private void choose(int bound) {
    mv.visitLdcInsn(bound);
    ledger("choose", "(I)I");
  }

  private void choice(int depth) {
    Label otherwise = new Label();
    Label end = new Label();
    choose(2);
    mv.visitJumpInsn(Opcodes.IFEQ, otherwise);
    block(depth + 1);
    mv.visitJumpInsn(GOTO, end);
    mv.visitLabel(otherwise);
    block(depth + 1);
    mv.visitLabel(end);
  }

  private void loop(int depth) {
    Label again = new Label();
    Label end = new Label();
    int counter = nextLocal++;
    choose(4);
    mv.visitVarInsn(Opcodes.ISTORE, counter);
    mv.visitLabel(again);
    mv.visitVarInsn(ILOAD, counter);
    mv.visitJumpInsn(Opcodes.IFLE, end);
    block(depth + 1);
    mv.visitIincInsn(counter, -1);
    mv.visitJumpInsn(GOTO, again);
    mv.visitLabel(end);
  }

  /** A switch of either kind. */
  private void either(int depth) {
    Label[] cases = {new Label(), new Label(), new Label()};
    Label otherwise = new Label();
    Label end = new Label();
    choose(4);
    if (random.nextBoolean()) {
      mv.visitTableSwitchInsn(0, 2, otherwise, cases);
    } else {
      mv.visitLookupSwitchInsn(otherwise, new int[] {0, 1, 2}, cases);
    }
    for (Label each : cases) {
      mv.visitLabel(each);
      block(depth + 1);
      if (random.nextBoolean()) {
        mv.visitJumpInsn(GOTO, end);
      }
    }
    mv.visitLabel(otherwise);
    block(depth + 1);
    mv.visitLabel(end);
  }

  /** {@code try} with a handler, or with a {@code finally} that throws again. */
  private void guarded(int depth) {
    Label start = new Label();
    Label end = new Label();
    Label handler = new Label();
    Label behind = new Label();
    boolean last = random.nextBoolean();
    String caught = Type.getInternalName(Ledger.Thrown.class);
    mv.visitTryCatchBlock(start, end, handler, last ? null : caught);
    mv.visitLabel(start);
    ledger("mayThrow", "()V");
    block(depth + 1);
    mv.visitLabel(end);
    if (last) {
      note();
    }
    mv.visitJumpInsn(GOTO, behind);
    mv.visitLabel(handler);
    int thrown = nextLocal++;
    mv.visitVarInsn(Opcodes.ASTORE, thrown);
    mv.visitLdcInsn(++steps);
    ledger("note", "(I)V");
    if (last) {
      mv.visitVarInsn(ALOAD, thrown);
      mv.visitInsn(Opcodes.ATHROW);
    } else {
      block(depth + 1);
    }
    mv.visitLabel(behind);
  }

  private void leave() {
    Label stay = new Label();
    choose(4);
    mv.visitJumpInsn(Opcodes.IFNE, stay);
    exit();
    mv.visitLabel(stay);
  }

  private void exit() {
    Kind result = method.result();
    if (result == null) {
      mv.visitInsn(Opcodes.RETURN);
      return;
    }
    push(result);
    String call = result.call(method.isHandler());
    if (call != null && included.methods() && method.written()) {
      mv.visitInsn(DUP);
      expect(call, site(Site.RETURN_SUFFIX, method.descriptor(), firstLine));
    }
    mv.visitInsn(result.type().getOpcode(Opcodes.IRETURN));
  }

  private void push(Kind kind) {
    Local known = local(kind);
    if (known != null) {
      mv.visitVarInsn(kind.type().getOpcode(ILOAD), known.index);
      return;
    }
    switch (kind) {
      case BOOLEAN, BYTE, SHORT, CHAR, INT -> mv.visitInsn(Opcodes.ICONST_1);
      case LONG -> mv.visitInsn(Opcodes.LCONST_1);
      case FLOAT -> mv.visitInsn(Opcodes.FCONST_1);
      case DOUBLE -> mv.visitInsn(Opcodes.DCONST_1);
      default -> {
        // What says that it returns an object is not asked for a buffer.
        mv.visitLdcInsn(kind.name());
        ledger("value", "(Ljava/lang/String;)Ljava/lang/Object;");
        mv.visitTypeInsn(Opcodes.CHECKCAST, kind.type().getInternalName());
      }
    }
  }

  /**
   * A static method of the same class: it reports itself, and so does a caller that keeps its
   * result.
   */
  private void callOther() {
    List<Shapes.Method> callable =
        others.stream().filter(m -> m.isStatic() && !method.isConstructor()).limit(2).toList();
    if (callable.isEmpty()) {
      note();
      return;
    }
    Shapes.Method called = callable.get(random.nextInt(callable.size()));
    called.parameters().forEach(this::push);
    mv.visitMethodInsn(INVOKESTATIC, owner, called.name(), called.descriptor(), false);
    Kind result = called.result();
    String call = result == null ? null : result.call(false);
    if (result != null && call != null && random.nextBoolean()) {
      int kept = nextLocal++;
      mv.visitVarInsn(Opcodes.ASTORE, kept);
      locals.add(new Local(result, kept));
      if (included.methods() && method.written()) {
        mv.visitVarInsn(ALOAD, kept);
        expect(call, site("", "", line));
      }
    } else if (result != null) {
      mv.visitInsn(result.type().getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
    }
  }
}
