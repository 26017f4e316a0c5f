package org.buftrail.agent.weave.classfile;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Changes methods of a class by what their declarations say, and nothing else of it. */
public abstract class MethodsVisitor extends ClassVisitor {
  protected MethodsVisitor(ClassVisitor next) {
    super(Opcodes.ASM9, next);
  }

  /** The visitor of a method, which may be {@code next} itself. */
  protected abstract MethodVisitor visit(
      MethodVisitor next, int access, String name, String descriptor);

  @Override
  public final MethodVisitor visitMethod(
      int access,
      String name,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, name, descriptor, signature, exceptions);
    return visit(next, access, name, descriptor);
  }
}
