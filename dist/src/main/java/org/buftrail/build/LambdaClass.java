package org.buftrail.build;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** A class for the lambdas of a class that implement one interface and capture as many values. */
final class LambdaClass {
  private static final String CONSTRUCTOR = "<init>";

  final String name;
  private final int version;
  private final Lambda first;
  private final List<Lambda> lambdas = new ArrayList<>();

  LambdaClass(String name, int version, Lambda first) {
    this.name = name;
    this.version = version;
    this.first = first;
  }

  /** Returns the number that the lambda has here. */
  int add(Lambda lambda) {
    lambdas.add(lambda);
    return lambdas.size() - 1;
  }

  /** Takes what is captured, and the number. */
  String factory() {
    return "(" + fields() + "I)" + first.iface.getDescriptor();
  }

  private String fields() {
    StringBuilder types = new StringBuilder();
    for (int i = 0; i < first.captured.length; i++) {
      types.append(first.field(i).getDescriptor());
    }
    return types.toString();
  }

  byte[] toBytes(String nest) {
    ClassWriter made = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    made.visit(
        version,
        Opcodes.ACC_FINAL | Opcodes.ACC_SUPER | Opcodes.ACC_SYNTHETIC,
        name,
        null,
        Lambda.OBJECT.getInternalName(),
        new String[] {first.iface.getInternalName()});
    made.visitNestHost(nest);
    int hidden = Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL;
    made.visitField(hidden, "number", "I", null, null).visitEnd();
    for (int i = 0; i < first.captured.length; i++) {
      made.visitField(hidden, "v" + i, first.field(i).getDescriptor(), null, null).visitEnd();
    }
    constructor(made);
    factory(made);
    method(made);
    made.visitEnd();
    return made.toByteArray();
  }

  private void constructor(ClassWriter made) {
    MethodVisitor mv =
        made.visitMethod(Opcodes.ACC_PRIVATE, CONSTRUCTOR, "(" + fields() + "I)V", null, null);
    mv.visitCode();
    mv.visitVarInsn(Opcodes.ALOAD, 0);
    mv.visitMethodInsn(
        Opcodes.INVOKESPECIAL, Lambda.OBJECT.getInternalName(), CONSTRUCTOR, "()V", false);
    int local = 1;
    for (int i = 0; i <= first.captured.length; i++) {
      boolean last = i == first.captured.length;
      Type type = last ? Type.INT_TYPE : first.field(i);
      mv.visitVarInsn(Opcodes.ALOAD, 0);
      mv.visitVarInsn(type.getOpcode(Opcodes.ILOAD), local);
      mv.visitFieldInsn(Opcodes.PUTFIELD, name, last ? "number" : "v" + i, type.getDescriptor());
      local += type.getSize();
    }
    end(mv, Opcodes.RETURN);
  }

  private void factory(ClassWriter made) {
    MethodVisitor mv = made.visitMethod(Opcodes.ACC_STATIC, "of", factory(), null, null);
    mv.visitCode();
    mv.visitTypeInsn(Opcodes.NEW, name);
    mv.visitInsn(Opcodes.DUP);
    int local = 0;
    for (int i = 0; i < first.captured.length; i++) {
      mv.visitVarInsn(first.field(i).getOpcode(Opcodes.ILOAD), local);
      local += first.field(i).getSize();
    }
    mv.visitVarInsn(Opcodes.ILOAD, local);
    mv.visitMethodInsn(Opcodes.INVOKESPECIAL, name, CONSTRUCTOR, "(" + fields() + "I)V", false);
    end(mv, Opcodes.ARETURN);
  }

  private void method(ClassWriter made) {
    MethodVisitor mv =
        made.visitMethod(
            Opcodes.ACC_PUBLIC, first.method, first.erased.getDescriptor(), null, null);
    mv.visitCode();
    if (lambdas.size() > 1) {
      Label[] places = new Label[lambdas.size()];
      for (int i = 0; i < places.length; i++) {
        places[i] = new Label();
      }
      mv.visitVarInsn(Opcodes.ALOAD, 0);
      mv.visitFieldInsn(Opcodes.GETFIELD, name, "number", "I");
      mv.visitTableSwitchInsn(0, places.length - 1, places[0], places);
      for (int i = 0; i < places.length; i++) {
        mv.visitLabel(places[i]);
        mv.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
        lambdas.get(i).write(mv, name);
      }
    } else {
      first.write(mv, name);
    }
    end(mv);
  }

  private static void end(MethodVisitor mv, int opcode) {
    mv.visitInsn(opcode);
    end(mv);
  }

  private static void end(MethodVisitor mv) {
    mv.visitMaxs(0, 0);
    mv.visitEnd();
  }
}
