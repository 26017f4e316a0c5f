package org.buftrail.agent.weave.tests;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ATHROW;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.F_FULL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.SWAP;

import java.util.HashSet;
import java.util.Set;
import org.buftrail.agent.weave.classfile.MethodsVisitor;
import org.buftrail.agent.weave.classfile.Names;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Reports the exceptions that the methods of a class catch, are given as arguments or get from
 * calls, those that they let pass, and futures that they ask. Inserts nothing else; what it inserts
 * does not branch.
 */
final class CatchVisitor extends MethodsVisitor {
  private static final String THROWABLE = "java/lang/Throwable";

  CatchVisitor(ClassVisitor next) {
    super(next);
  }

  @Override
  protected MethodVisitor visit(MethodVisitor next, int access, String name, String descriptor) {
    if ((access & Opcodes.ACC_BRIDGE) != 0) {
      // Nobody wrote it; the method that it calls reports.
      return next;
    }
    return new Method(next, (access & Opcodes.ACC_STATIC) != 0, name, descriptor);
  }

  /** By its name: to load it could change the application. */
  private static boolean isException(Type type) {
    String name = type.getSort() == Type.OBJECT ? type.getInternalName() : "";
    return name.endsWith("Exception") || name.endsWith("Error") || name.equals(THROWABLE);
  }

  /** A test that knows that a future failed need not look at the cause. */
  private static boolean asksWhetherItFailed(String owner, String name, String type) {
    return type.equals("()Z")
        && (name.equals("isSuccess") || name.equals("isCompletedExceptionally"))
        && (owner.endsWith("Future") || owner.endsWith("Promise"));
  }

  private static final class Method extends MethodVisitor {
    private final boolean isStatic;
    private final boolean isConstructor;
    private final String descriptor;
    private final Label start = new Label();
    private final Label end = new Label();
    private final Label handler = new Label();

    /** Of handlers of an exception that the source names; what {@code finally} does is not. */
    private final Set<Label> handlers = new HashSet<>();

    private boolean atHandler;

    Method(MethodVisitor next, boolean isStatic, String name, String descriptor) {
      super(Opcodes.ASM9, next);
      this.isStatic = isStatic;
      this.isConstructor = name.equals("<init>");
      this.descriptor = descriptor;
    }

    @Override
    public void visitCode() {
      super.visitCode();
      if (isConstructor) {
        return;
      }
      int local = isStatic ? 0 : 1;
      for (Type type : Type.getArgumentTypes(descriptor)) {
        if (isException(type)) {
          super.visitVarInsn(ALOAD, local);
          call("caught");
        }
        local += type.getSize();
      }
      super.visitLabel(start);
    }

    @Override
    public void visitTryCatchBlock(Label from, Label to, Label at, @Nullable String type) {
      if (type != null) {
        handlers.add(at);
      }
      super.visitTryCatchBlock(from, to, at, type);
    }

    @Override
    public void visitLabel(Label label) {
      super.visitLabel(label);
      atHandler |= handlers.contains(label);
    }

    /** The frame of a handler follows its label. */
    @Override
    public void visitFrame(
        int type, int locals, Object @Nullable [] local, int stack, Object @Nullable [] onStack) {
      super.visitFrame(type, locals, local, stack, onStack);
      if (atHandler) {
        atHandler = false;
        super.visitInsn(DUP);
        call("caught");
      }
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String type, boolean isOfInterface) {
      boolean asks = opcode != INVOKESTATIC && asksWhetherItFailed(owner, name, type);
      if (asks) {
        super.visitInsn(DUP);
      }
      super.visitMethodInsn(opcode, owner, name, type, isOfInterface);
      if (asks) {
        // After the answer: it may fail meanwhile, and then the test knows that.
        super.visitInsn(SWAP);
        call("asked");
      }
      if (isException(Type.getReturnType(type))) {
        super.visitInsn(DUP);
        call("caught");
      }
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
      if (!isConstructor) {
        // After all others, which are asked first.
        super.visitLabel(end);
        super.visitTryCatchBlock(start, end, handler, THROWABLE);
        super.visitLabel(handler);
        super.visitFrame(F_FULL, 0, new Object[0], 1, new Object[] {THROWABLE});
        super.visitInsn(DUP);
        call("passed");
        super.visitInsn(ATHROW);
      }
      super.visitMaxs(maxStack, maxLocals);
    }

    private void call(String method) {
      super.visitMethodInsn(INVOKESTATIC, Names.TEST_CODE, method, "(Ljava/lang/Object;)V", false);
    }
  }
}
