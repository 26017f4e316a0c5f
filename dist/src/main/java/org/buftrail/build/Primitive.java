package org.buftrail.build;

import java.util.Arrays;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Conversions of numbers, characters and truth values. */
final class Primitive {
  private static final Type[] BOXES = new Type[Type.DOUBLE + 1];
  private static final Type[] PRIMITIVES = {
    Type.BOOLEAN_TYPE,
    Type.CHAR_TYPE,
    Type.BYTE_TYPE,
    Type.SHORT_TYPE,
    Type.INT_TYPE,
    Type.FLOAT_TYPE,
    Type.LONG_TYPE,
    Type.DOUBLE_TYPE
  };

  static {
    Class<?>[] boxes = {
      Boolean.class,
      Character.class,
      Byte.class,
      Short.class,
      Integer.class,
      Float.class,
      Long.class,
      Double.class
    };
    for (int i = 0; i < boxes.length; i++) {
      BOXES[PRIMITIVES[i].getSort()] = Type.getType(boxes[i]);
    }
  }

  private Primitive() {}

  static boolean isBox(Type type) {
    return Arrays.asList(BOXES).contains(type);
  }

  static Type boxOf(Type primitive) {
    return BOXES[primitive.getSort()];
  }

  static void box(MethodVisitor mv, Type from) {
    Type box = boxOf(from);
    String type = Type.getMethodDescriptor(box, from);
    mv.visitMethodInsn(Opcodes.INVOKESTATIC, box.getInternalName(), "valueOf", type, false);
  }

  /**
   * @param box the class of what is on the stack
   * @param to a primitive type, perhaps a wider one
   */
  static void unbox(MethodVisitor mv, Type box, Type to) {
    for (Type primitive : PRIMITIVES) {
      if (boxOf(primitive).equals(box)) {
        mv.visitMethodInsn(
            Opcodes.INVOKEVIRTUAL,
            box.getInternalName(),
            primitive.getClassName() + "Value",
            Type.getMethodDescriptor(primitive),
            false);
        widen(mv, primitive, to);
        return;
      }
    }
    throw new IllegalStateException(box + " is no " + to);
  }

  static void widen(MethodVisitor mv, Type from, Type to) {
    if ((isInt(from) && isInt(to)) || from.equals(to)) {
      return;
    }
    mv.visitInsn(widening(isInt(from) ? Type.INT : from.getSort(), to.getSort()));
  }

  private static boolean isInt(Type type) {
    return type.getSort() <= Type.INT;
  }

  private static int widening(int from, int to) {
    switch (from * 16 + to) {
      case Type.INT * 16 + Type.LONG:
        return Opcodes.I2L;
      case Type.INT * 16 + Type.FLOAT:
        return Opcodes.I2F;
      case Type.INT * 16 + Type.DOUBLE:
        return Opcodes.I2D;
      case Type.LONG * 16 + Type.FLOAT:
        return Opcodes.L2F;
      case Type.LONG * 16 + Type.DOUBLE:
        return Opcodes.L2D;
      case Type.FLOAT * 16 + Type.DOUBLE:
        return Opcodes.F2D;
      default:
        throw new IllegalStateException("no widening");
    }
  }
}
