package org.buftrail.agent.weave.hops;

import java.util.ArrayDeque;
import java.util.Deque;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Follows {@code new} from the instruction that makes the object to the constructor's call, through
 * the arguments, which may make objects in turn: whether a copy of the reference is left on the
 * stack after the call. One method at a time.
 *
 * <p>Compilers copy the reference by the very next instruction, or not at all when nobody wants it;
 * any other copy is of something else.
 */
abstract class Construction extends MethodVisitor {
  /** Stands for an instruction's code where a jump may lead. */
  static final int LABEL = -1;

  private final Deque<Part> open = new ArrayDeque<>();

  /** Whether the last instruction made an object. */
  private boolean isNew;

  private static final class Part {
    final String type;
    boolean copied;

    Part(String type) {
      this.type = type;
    }
  }

  Construction(MethodVisitor next) {
    super(Opcodes.ASM9, next);
  }

  /**
   * A constructor has been called.
   *
   * @return whether it was that of the innermost object made, and a copy is on the stack now
   */
  final boolean isCopyLeft(String owner) {
    Part innermost = open.peek();
    if (innermost == null || !innermost.type.equals(owner)) {
      // The constructor of the superclass, or of the class itself.
      return false;
    }
    open.pop();
    return innermost.copied;
  }

  /**
   * Called before each instruction.
   *
   * @param opcode that of the instruction, or {@link #LABEL} for the place of a label
   */
  abstract void before(int opcode);

  private void next(int opcode) {
    isNew = false;
    before(opcode);
  }

  @Override
  public void visitTypeInsn(int opcode, String type) {
    next(opcode);
    isNew = opcode == Opcodes.NEW;
    if (isNew) {
      open.push(new Part(type));
    }
    super.visitTypeInsn(opcode, type);
  }

  @Override
  public void visitInsn(int opcode) {
    if (isNew && opcode == Opcodes.DUP) {
      open.element().copied = true;
    }
    next(opcode);
    super.visitInsn(opcode);
  }

  @Override
  public void visitIntInsn(int opcode, int operand) {
    next(opcode);
    super.visitIntInsn(opcode, operand);
  }

  @Override
  public void visitVarInsn(int opcode, int variable) {
    next(opcode);
    super.visitVarInsn(opcode, variable);
  }

  @Override
  public void visitFieldInsn(int opcode, String owner, String field, String descriptor) {
    next(opcode);
    super.visitFieldInsn(opcode, owner, field, descriptor);
  }

  @Override
  public void visitMethodInsn(
      int opcode, String owner, String method, String descriptor, boolean isInterface) {
    next(opcode);
    super.visitMethodInsn(opcode, owner, method, descriptor, isInterface);
  }

  @Override
  public void visitInvokeDynamicInsn(
      String method, String descriptor, Handle bootstrap, Object... arguments) {
    next(Opcodes.INVOKEDYNAMIC);
    super.visitInvokeDynamicInsn(method, descriptor, bootstrap, arguments);
  }

  @Override
  public void visitJumpInsn(int opcode, Label label) {
    next(opcode);
    super.visitJumpInsn(opcode, label);
  }

  @Override
  public void visitLdcInsn(Object value) {
    next(Opcodes.LDC);
    super.visitLdcInsn(value);
  }

  @Override
  public void visitIincInsn(int variable, int increment) {
    next(Opcodes.IINC);
    super.visitIincInsn(variable, increment);
  }

  @Override
  public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
    next(Opcodes.MULTIANEWARRAY);
    super.visitMultiANewArrayInsn(descriptor, dimensions);
  }

  @Override
  public void visitLabel(Label label) {
    before(LABEL);
    super.visitLabel(label);
  }
}
