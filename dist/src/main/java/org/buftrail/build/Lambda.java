package org.buftrail.build;

import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** A lambda or a method reference, as the compiler leaves it to the JVM. */
final class Lambda {
  static final Type OBJECT = Type.getObjectType("java/lang/Object");

  /** The functional interface, its method, and the types of that after erasure. */
  final Type iface;

  final String method;
  final Type erased;

  final Type[] captured;
  private final Handle body;
  private final Type instantiated;

  Lambda(String method, String type, Object... arguments) {
    this.method = method;
    this.iface = Type.getReturnType(type);
    this.captured = Type.getArgumentTypes(type);
    this.erased = (Type) arguments[0];
    this.body = (Handle) arguments[1];
    this.instantiated = (Type) arguments[2];
  }

  /** The type of a field that holds a captured value: lambdas that differ in classes share it. */
  Type field(int at) {
    return isReference(captured[at]) ? OBJECT : captured[at];
  }

  /** A key that is equal for lambdas that may share a class. */
  String shape() {
    StringBuilder shape = new StringBuilder();
    shape.append(iface).append(' ').append(method).append(erased).append(' ');
    for (int i = 0; i < captured.length; i++) {
      shape.append(field(i));
    }
    return shape.toString();
  }

  /** The body of the interface's method. */
  void write(MethodVisitor mv, String owner) {
    int tag = body.getTag();
    boolean isNew = tag == Opcodes.H_NEWINVOKESPECIAL;
    boolean isStatic = tag == Opcodes.H_INVOKESTATIC;
    if (isNew) {
      mv.visitTypeInsn(Opcodes.NEW, body.getOwner());
      mv.visitInsn(Opcodes.DUP);
    }
    Type[] taken = Type.getArgumentTypes(body.getDesc());
    int receiver = isNew || isStatic ? 0 : 1;
    for (int i = 0; i < captured.length; i++) {
      mv.visitVarInsn(Opcodes.ALOAD, 0);
      mv.visitFieldInsn(Opcodes.GETFIELD, owner, "v" + i, field(i).getDescriptor());
      convert(mv, field(i), captured[i], captured[i]);
    }
    int local = 1;
    Type[] given = erased.getArgumentTypes();
    for (int i = 0; i < given.length; i++) {
      int at = captured.length + i - receiver;
      Type wanted = at < 0 ? Type.getObjectType(body.getOwner()) : taken[at];
      mv.visitVarInsn(given[i].getOpcode(Opcodes.ILOAD), local);
      local += given[i].getSize();
      convert(mv, given[i], instantiated.getArgumentTypes()[i], wanted);
    }
    mv.visitMethodInsn(
        call(tag), body.getOwner(), body.getName(), body.getDesc(), body.isInterface());
    giveBack(mv, isNew ? Type.getObjectType(body.getOwner()) : Type.getReturnType(body.getDesc()));
  }

  private static int call(int tag) {
    switch (tag) {
      case Opcodes.H_INVOKESTATIC:
        return Opcodes.INVOKESTATIC;
      case Opcodes.H_INVOKEINTERFACE:
        return Opcodes.INVOKEINTERFACE;
      case Opcodes.H_NEWINVOKESPECIAL:
        return Opcodes.INVOKESPECIAL;
      case Opcodes.H_INVOKEVIRTUAL:
      // A private method, which a member of the nest calls as any other.
      case Opcodes.H_INVOKESPECIAL:
        return Opcodes.INVOKEVIRTUAL;
      default:
        throw new IllegalStateException("a handle of kind " + tag);
    }
  }

  private void giveBack(MethodVisitor mv, Type made) {
    Type wanted = erased.getReturnType();
    if (wanted.getSort() == Type.VOID) {
      if (made.getSize() > 0) {
        mv.visitInsn(made.getSize() == 2 ? Opcodes.POP2 : Opcodes.POP);
      }
      mv.visitInsn(Opcodes.RETURN);
      return;
    }
    convert(mv, made, instantiated.getReturnType(), wanted);
    mv.visitInsn(wanted.getOpcode(Opcodes.IRETURN));
  }

  /** From what is there, by what the source says, to what is wanted. */
  private static void convert(MethodVisitor mv, Type from, Type between, Type to) {
    if (!isReference(from)) {
      if (isReference(to)) {
        Primitive.box(mv, from);
      } else {
        Primitive.widen(mv, from, to);
      }
      return;
    }
    if (isReference(to)) {
      cast(mv, from, isReference(between) && !between.equals(OBJECT) ? between : to);
      return;
    }
    Type box =
        Primitive.isBox(between) ? between : Primitive.isBox(from) ? from : Primitive.boxOf(to);
    cast(mv, from, box);
    Primitive.unbox(mv, box, to);
  }

  private static void cast(MethodVisitor mv, Type from, Type to) {
    if (!to.equals(from) && !to.equals(OBJECT)) {
      mv.visitTypeInsn(Opcodes.CHECKCAST, to.getInternalName());
    }
  }

  static boolean isReference(Type type) {
    return type.getSort() == Type.OBJECT || type.getSort() == Type.ARRAY;
  }
}
