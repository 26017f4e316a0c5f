package org.buftrail.agent.weave;

import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.function.Consumer;
import org.buftrail.agent.weave.classfile.Names;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Lets executors and event loops say when they are made, and when a thread of theirs begins: for
 * {@link org.buftrail.flow.LeakScope}. Woven as the first scope opens, so a JVM without scopes has
 * them as they were.
 */
public final class ExecutorWeaver extends ScopeTransformer {
  private static final String NETTY = "netty/util/concurrent/";

  /** Methods that a thread of an executor calls at its begin, by the executor's class. */
  private static final Map<String, String> OF_THE_JDK =
      Map.of(
          "java/util/concurrent/ThreadPoolExecutor", "runWorker",
          "java/util/concurrent/ForkJoinPool", "runWorker");

  /** The same in Netty's package, relocated or not. The second is called now and then later on. */
  private static final Map<String, String> OF_NETTY =
      Map.of(
          "SingleThreadEventExecutor", "updateLastExecutionTime",
          "GlobalEventExecutor", "takeTask");

  /**
   * @param log takes a line if something cannot be woven
   */
  public ExecutorWeaver(Instrumentation instrumentation, Consumer<String> log) {
    super(instrumentation, log);
  }

  @Override
  protected boolean wants(Class<?> type) {
    return begins(type.getName().replace('.', '/')) != null;
  }

  @Override
  protected String unwoven(Class<?> type) {
    return "threads of " + type.getName() + " may be in the scope of whoever brings them work";
  }

  /** The method at which a thread begins, or null for a class that is no such executor. */
  static @Nullable String begins(String name) {
    if (name.startsWith("java/")) {
      return OF_THE_JDK.get(name);
    }
    int at = name.indexOf(NETTY);
    return at < 0 ? null : OF_NETTY.get(name.substring(at + NETTY.length()));
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    String begins = name == null ? null : begins(name);
    return begins == null ? null : weave(classFile, begins);
  }

  static byte[] weave(byte[] classFile, String begins) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
    reader.accept(new Calls(writer, begins), 0);
    return writer.toByteArray();
  }

  private static final class Calls extends ClassVisitor {
    private final String begins;

    Calls(ClassVisitor visitor, String begins) {
      super(Opcodes.ASM9, visitor);
      this.begins = begins;
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      MethodVisitor visitor = super.visitMethod(access, name, descriptor, signature, exceptions);
      return name.equals("<init>")
          ? new AtReturn(visitor)
          : name.equals(begins) && (access & Opcodes.ACC_STATIC) == 0
              ? new AtEntry(visitor)
              : visitor;
    }
  }

  private static final class AtReturn extends MethodVisitor {
    AtReturn(MethodVisitor visitor) {
      super(Opcodes.ASM9, visitor);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN) {
        call(mv, "made");
      }
      super.visitInsn(opcode);
    }
  }

  private static final class AtEntry extends MethodVisitor {
    AtEntry(MethodVisitor visitor) {
      super(Opcodes.ASM9, visitor);
    }

    @Override
    public void visitCode() {
      super.visitCode();
      call(mv, "begun");
    }
  }

  private static void call(MethodVisitor visitor, String method) {
    visitor.visitVarInsn(Opcodes.ALOAD, 0);
    visitor.visitMethodInsn(
        Opcodes.INVOKESTATIC, Names.EXECUTOR_SCOPES, method, "(Ljava/lang/Object;)V", false);
  }
}
