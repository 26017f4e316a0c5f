package org.buftrail.agent.weave;

import static org.objectweb.asm.Opcodes.ACC_PUBLIC;
import static org.objectweb.asm.Opcodes.ACC_STATIC;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Classes with the name and the entry points of one of the runtime's, which tell a ledger. */
public final class StandIns {
  private static final String LEDGER = Type.getInternalName(Ledger.class);

  private StandIns() {}

  public static byte[] of(Class<?> original) {
    String name = Type.getInternalName(original);
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V1_8, ACC_PUBLIC, name, null, "java/lang/Object", null);
    for (Field field : original.getFields()) {
      int access = field.getModifiers() & ~Modifier.FINAL;
      writer.visitField(access, field.getName(), Type.getDescriptor(field.getType()), null, null);
    }
    for (Method method : original.getDeclaredMethods()) {
      boolean told = method.getReturnType() == void.class;
      if (Modifier.isPublic(method.getModifiers()) && told) {
        String descriptor = Type.getMethodDescriptor(method);
        MethodVisitor mv =
            writer.visitMethod(ACC_PUBLIC | ACC_STATIC, method.getName(), descriptor, null, null);
        mv.visitCode();
        tell(mv, original.getSimpleName() + '.' + method.getName(), method.getParameterTypes());
        mv.visitMaxs(0, 0);
        mv.visitEnd();
      }
    }
    writer.visitEnd();
    return writer.toByteArray();
  }

  private static void tell(MethodVisitor mv, String method, Class<?>[] parameters) {
    mv.visitLdcInsn(method);
    mv.visitIntInsn(Opcodes.BIPUSH, parameters.length);
    mv.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
    for (int i = 0; i < parameters.length; i++) {
      mv.visitInsn(Opcodes.DUP);
      mv.visitIntInsn(Opcodes.BIPUSH, i);
      // None of them takes two places.
      if (parameters[i] == int.class) {
        mv.visitVarInsn(Opcodes.ILOAD, i);
        String box = "(I)Ljava/lang/Integer;";
        mv.visitMethodInsn(INVOKESTATIC, "java/lang/Integer", "valueOf", box, false);
      } else if (parameters[i] == boolean.class) {
        mv.visitVarInsn(Opcodes.ILOAD, i);
        String box = "(Z)Ljava/lang/Boolean;";
        mv.visitMethodInsn(INVOKESTATIC, "java/lang/Boolean", "valueOf", box, false);
      } else {
        mv.visitVarInsn(Opcodes.ALOAD, i);
      }
      mv.visitInsn(Opcodes.AASTORE);
    }
    String told = "(Ljava/lang/String;[Ljava/lang/Object;)V";
    mv.visitMethodInsn(INVOKESTATIC, LEDGER, "told", told, false);
    mv.visitInsn(Opcodes.RETURN);
  }
}
