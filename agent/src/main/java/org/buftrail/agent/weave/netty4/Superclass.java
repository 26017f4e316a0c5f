package org.buftrail.agent.weave.netty4;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Gives a class a superclass in place of {@code Object}, and has its constructors call it. */
final class Superclass extends ClassVisitor {
  private static final String OBJECT = "java/lang/Object";

  private final String superclass;

  /**
   * @param superclass internal name
   */
  Superclass(ClassVisitor next, String superclass) {
    super(Opcodes.ASM9, next);
    this.superclass = superclass;
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      @Nullable String signature,
      String superName,
      String[] interfaces) {
    super.visit(version, access, name, generic(signature), superclass, interfaces);
  }

  private @Nullable String generic(@Nullable String signature) {
    if (signature == null) {
      return null;
    }
    int at = behindParameters(signature);
    String type = "L" + OBJECT + ";";
    return signature.startsWith(type, at)
        ? signature.substring(0, at)
            + "L"
            + superclass
            + ";"
            + signature.substring(at + type.length())
        : signature;
  }

  /** Where the signature of a class names the superclass. */
  private static int behindParameters(String signature) {
    int depth = 0;
    int at = 0;
    do {
      char c = signature.charAt(at);
      depth += c == '<' ? 1 : c == '>' ? -1 : 0;
      at += depth > 0 || c == '>' ? 1 : 0;
    } while (depth > 0);
    return at;
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
    return method.equals("<init>") ? new SuperCall(next) : next;
  }

  private final class SuperCall extends MethodVisitor {
    /** Objects of class {@code Object} whose constructor has not been called yet. */
    private int made;

    SuperCall(MethodVisitor next) {
      super(Opcodes.ASM9, next);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      made += opcode == Opcodes.NEW && type.equals(OBJECT) ? 1 : 0;
      super.visitTypeInsn(opcode, type);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String method, String descriptor, boolean isInterface) {
      boolean constructs =
          opcode == Opcodes.INVOKESPECIAL && method.equals("<init>") && owner.equals(OBJECT);
      boolean ofMade = constructs && made > 0;
      made -= ofMade ? 1 : 0;
      super.visitMethodInsn(
          opcode, constructs && !ofMade ? superclass : owner, method, descriptor, isInterface);
    }
  }
}
