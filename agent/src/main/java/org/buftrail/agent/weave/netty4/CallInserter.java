package org.buftrail.agent.weave.netty4;

import static org.objectweb.asm.Opcodes.ALOAD;
import static org.objectweb.asm.Opcodes.ARETURN;
import static org.objectweb.asm.Opcodes.DUP;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.RETURN;

import org.buftrail.agent.weave.classfile.Insns;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.flow.woven.Buffers;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Calls one of the methods of {@link Buffers} with a buffer: on entry of the one in the first
 * variable, which is {@code this} or the first argument, or before each return of the one returned.
 * Or of an allocator that a constructor has made.
 */
final class CallInserter extends MethodVisitor {
  /** The arguments of an inserted call. */
  private enum Form {
    ENTRY("(Ljava/lang/Object;)V"),
    MADE("(Ljava/lang/Object;)V"),
    RETURNED("(Ljava/lang/Object;)V"),
    RETURNED_AND_NUMBER("(Ljava/lang/Object;I)V"),
    RETURNED_THIS_AND_NUMBER("(Ljava/lang/Object;Ljava/lang/Object;I)V");

    final String descriptor;

    Form(String descriptor) {
      this.descriptor = descriptor;
    }
  }

  private final String event;
  private final Form form;
  private final int number;

  private CallInserter(MethodVisitor next, String event, Form form, int number) {
    super(Opcodes.ASM9, next);
    this.event = event;
    this.form = form;
    this.number = number;
  }

  /** On entry. */
  static CallInserter entered(MethodVisitor next, String event) {
    return new CallInserter(next, event, Form.ENTRY, 0);
  }

  /** Inserts a call with the object that a constructor has made. */
  static CallInserter made(MethodVisitor next, String event) {
    return new CallInserter(next, event, Form.MADE, 0);
  }

  /** Inserts a call with the returned buffer. */
  static CallInserter returned(MethodVisitor next, String event) {
    return new CallInserter(next, event, Form.RETURNED, 0);
  }

  /** Inserts a call with the returned buffer and the site at which it begins. */
  static CallInserter born(MethodVisitor next, String event, int site) {
    return new CallInserter(next, event, Form.RETURNED_AND_NUMBER, site);
  }

  /**
   * Inserts a call with the buffer that an allocator returns, the allocator and a kind of memory.
   */
  static CallInserter allocated(MethodVisitor next, String event, int kind) {
    return new CallInserter(next, event, Form.RETURNED_THIS_AND_NUMBER, kind);
  }

  @Override
  public void visitCode() {
    super.visitCode();
    if (form == Form.ENTRY) {
      visitVarInsn(ALOAD, 0);
      call();
    }
  }

  @Override
  public void visitInsn(int opcode) {
    if (opcode == RETURN && form == Form.MADE) {
      visitVarInsn(ALOAD, 0);
      call();
    } else if (opcode == ARETURN && form != Form.ENTRY && form != Form.MADE) {
      super.visitInsn(DUP);
      if (form == Form.RETURNED_THIS_AND_NUMBER) {
        visitVarInsn(ALOAD, 0);
      }
      if (form != Form.RETURNED) {
        Insns.push(mv, number);
      }
      call();
    }
    super.visitInsn(opcode);
  }

  private void call() {
    visitMethodInsn(INVOKESTATIC, Names.BUFFERS, event, form.descriptor, false);
  }
}
