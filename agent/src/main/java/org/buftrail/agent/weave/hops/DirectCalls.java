package org.buftrail.agent.weave.hops;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.buftrail.agent.weave.classfile.ByteSearch;
import org.buftrail.agent.weave.classfile.Insns;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Weaves the calls of {@code ByteBuffer.allocateDirect} in one class of the application. A method
 * reference is no call.
 */
public final class DirectCalls extends ClassVisitor {
  private static final String OWNER = "java/nio/ByteBuffer";
  private static final String METHOD = "allocateDirect";
  private static final String DESCRIPTOR = "(I)Ljava/nio/ByteBuffer;";
  private static final byte[] NAME = METHOD.getBytes(StandardCharsets.UTF_8);

  private final String name;

  private DirectCalls(ClassVisitor next, String name) {
    super(Opcodes.ASM9, next);
    this.name = name;
  }

  /**
   * The class file with its calls woven, or null where it has none.
   *
   * @param name internal name of the class
   */
  public static byte @Nullable [] weave(Rewriter rewriter, String name, byte[] classFile) {
    return ByteSearch.contains(classFile, NAME)
        ? rewriter.rewrite(classFile, next -> new DirectCalls(next, name))
        : null;
  }

  /**
   * Whether a class may have such a call.
   *
   * @param strings those of its constant pool
   */
  public static boolean mayBeIn(Set<String> strings) {
    return strings.contains(METHOD);
  }

  @Override
  public MethodVisitor visitMethod(
      int access,
      String method,
      String descriptor,
      @Nullable String signature,
      String @Nullable [] exceptions) {
    MethodVisitor next = super.visitMethod(access, method, descriptor, signature, exceptions);
    return new MethodVisitor(Opcodes.ASM9, next) {
      private int line;

      @Override
      public void visitLineNumber(int line, Label start) {
        this.line = line;
        super.visitLineNumber(line, start);
      }

      @Override
      public void visitMethodInsn(
          int opcode, String owner, String callee, String type, boolean isInterface) {
        super.visitMethodInsn(opcode, owner, callee, type, isInterface);
        if (owner.equals(OWNER) && callee.equals(METHOD) && type.equals(DESCRIPTOR)) {
          super.visitInsn(Opcodes.DUP);
          int site = Sites.intern(new Site(Names.binary(name), method, "", line, ""));
          Insns.resource(mv, "allocatedDirect", site);
        }
      }
    };
  }
}
