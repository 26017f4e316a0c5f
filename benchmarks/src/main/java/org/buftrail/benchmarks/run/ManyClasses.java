package org.buftrail.benchmarks.run;

import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * An application of many classes, and the program that loads them all. Each class has a constructor
 * and eight methods that take and call others of it; every tenth has two more, which take a buffer.
 */
public final class ManyClasses {
  static final String TITLE = "5,000 classes, a tenth with buffers";

  private static final int COUNT = 5_000;

  /** The package of generated classes. */
  static final String PACKAGE = "com.example.application";

  private static final int ONE_IN = 10;
  private static final int IN_PACKAGE = 50;
  private static final int METHODS = 8;
  private static final String BUFFER = "Lio/netty/buffer/ByteBuf;";

  private ManyClasses() {}

  /** Loads and initialises all, and allocates a buffer. */
  public static void main(String[] args) throws ReflectiveOperationException {
    for (int i = 0; i < COUNT; i++) {
      Class.forName(name(i).replace('/', '.'));
    }
    PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
  }

  static void write(Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (int i = 0; i < COUNT; i++) {
        out.putNextEntry(new JarEntry(name(i) + ".class"));
        out.write(classFile(i));
        out.closeEntry();
      }
    }
  }

  private static String name(int number) {
    int known = number % COUNT;
    return PACKAGE.replace('.', '/') + "/p" + known / IN_PACKAGE + "/Service" + known;
  }

  private static byte[] classFile(int number) {
    ClassWriter made = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
    String name = name(number);
    made.visit(Opcodes.V11, Opcodes.ACC_PUBLIC, name, null, "java/lang/Object", null);
    made.visitSource("Service" + number + ".java", null);
    made.visitField(Opcodes.ACC_PRIVATE, "count", "I", null, null);
    made.visitField(Opcodes.ACC_PRIVATE, "next", "L" + name(number + 1) + ";", null, null);
    constructor(made, name);
    for (int i = 0; i < METHODS; i++) {
      method(made, number, i);
    }
    if (number % ONE_IN == 0) {
      taking(made, "send", "(" + BUFFER + ")V");
      taking(made, "fill", "(" + BUFFER + ")" + BUFFER);
    }
    made.visitEnd();
    return made.toByteArray();
  }

  private static void constructor(ClassWriter made, String name) {
    MethodVisitor mv = made.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    mv.visitCode();
    mv.visitVarInsn(Opcodes.ALOAD, 0);
    mv.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
    mv.visitVarInsn(Opcodes.ALOAD, 0);
    mv.visitInsn(Opcodes.ICONST_1);
    mv.visitFieldInsn(Opcodes.PUTFIELD, name, "count", "I");
    end(mv, Opcodes.RETURN);
  }

  /** Counts in a loop, asks the class after this, and makes a text of it. */
  private static void method(ClassWriter made, int number, int which) {
    String name = name(number);
    String other = name(number + 1 + which * 7);
    String descriptor = "(L" + other + ";Ljava/lang/String;I)Ljava/lang/String;";
    MethodVisitor mv =
        made.visitMethod(Opcodes.ACC_PUBLIC, "answer" + which, descriptor, null, null);
    mv.visitCode();
    Label again = new Label();
    Label done = new Label();
    line(mv, 10 * which);
    mv.visitInsn(Opcodes.ICONST_0);
    mv.visitVarInsn(Opcodes.ISTORE, 4);
    mv.visitLabel(again);
    line(mv, 10 * which + 1);
    mv.visitVarInsn(Opcodes.ILOAD, 4);
    mv.visitVarInsn(Opcodes.ILOAD, 3);
    mv.visitJumpInsn(Opcodes.IF_ICMPGE, done);
    mv.visitVarInsn(Opcodes.ALOAD, 0);
    mv.visitInsn(Opcodes.DUP);
    mv.visitFieldInsn(Opcodes.GETFIELD, name, "count", "I");
    mv.visitVarInsn(Opcodes.ILOAD, 4);
    mv.visitInsn(Opcodes.IADD);
    mv.visitFieldInsn(Opcodes.PUTFIELD, name, "count", "I");
    mv.visitIincInsn(4, 1);
    mv.visitJumpInsn(Opcodes.GOTO, again);
    mv.visitLabel(done);
    line(mv, 10 * which + 2);
    mv.visitTypeInsn(Opcodes.NEW, "java/lang/StringBuilder");
    mv.visitInsn(Opcodes.DUP);
    mv.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/StringBuilder", "<init>", "()V", false);
    mv.visitVarInsn(Opcodes.ALOAD, 2);
    append(mv, "Ljava/lang/String;");
    mv.visitVarInsn(Opcodes.ALOAD, 0);
    mv.visitFieldInsn(Opcodes.GETFIELD, name, "count", "I");
    append(mv, "I");
    mv.visitLdcInsn(" of " + which);
    append(mv, "Ljava/lang/String;");
    String toString = "toString";
    String text = "()Ljava/lang/String;";
    mv.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "java/lang/StringBuilder", toString, text, false);
    end(mv, Opcodes.ARETURN);
  }

  private static void append(MethodVisitor mv, String type) {
    String builder = "java/lang/StringBuilder";
    mv.visitMethodInsn(
        Opcodes.INVOKEVIRTUAL, builder, "append", "(" + type + ")L" + builder + ";", false);
  }

  private static void taking(ClassWriter made, String method, String descriptor) {
    MethodVisitor mv = made.visitMethod(Opcodes.ACC_PUBLIC, method, descriptor, null, null);
    mv.visitCode();
    line(mv, 100);
    mv.visitVarInsn(Opcodes.ALOAD, 1);
    mv.visitInsn(Opcodes.ICONST_1);
    String owner = "io/netty/buffer/ByteBuf";
    mv.visitMethodInsn(Opcodes.INVOKEVIRTUAL, owner, "writeByte", "(I)" + BUFFER, false);
    if (descriptor.endsWith("V")) {
      mv.visitInsn(Opcodes.POP);
      end(mv, Opcodes.RETURN);
    } else {
      end(mv, Opcodes.ARETURN);
    }
  }

  private static void line(MethodVisitor mv, int line) {
    Label here = new Label();
    mv.visitLabel(here);
    mv.visitLineNumber(line + 1, here);
  }

  private static void end(MethodVisitor mv, int opcode) {
    mv.visitInsn(opcode);
    mv.visitMaxs(0, 0);
    mv.visitEnd();
  }
}
