package org.buftrail.agent.watch;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.function.Consumer;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.flow.woven.MemoryAlarm;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Lets the constructors of {@code OutOfMemoryError} raise the {@link MemoryAlarm}.
 *
 * <p>Direct memory runs out in Java code: the JDK constructs one, Netty a subclass of it. A heap
 * that runs out in the JVM itself constructs none: {@link HeapPressure} sees it coming.
 */
public final class OutOfMemoryWeaver implements ClassFileTransformer {
  private static final String ERROR = "java/lang/OutOfMemoryError";

  private final Instrumentation instrumentation;
  private final Consumer<String> log;

  /**
   * @param log takes a line if the JVM does not allow it
   */
  public OutOfMemoryWeaver(Instrumentation instrumentation, Consumer<String> log) {
    this.instrumentation = instrumentation;
    this.log = log;
  }

  /** Weaves the class, which is loaded already. */
  public void weave() {
    instrumentation.addTransformer(this, instrumentation.isRetransformClassesSupported());
    retransform("no snapshot on OutOfMemoryError: ");
  }

  /** Gives the class its byte code back. */
  public void restore() {
    if (instrumentation.removeTransformer(this)) {
      retransform("OutOfMemoryError stays woven: ");
    }
  }

  private void retransform(String failed) {
    try {
      instrumentation.retransformClasses(OutOfMemoryError.class);
    } catch (UnmodifiableClassException | RuntimeException | Error e) {
      log.accept(failed + e);
    }
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> redefined,
      @Nullable ProtectionDomain domain,
      byte[] classFile) {
    return ERROR.equals(name) ? weave(classFile) : null;
  }

  static byte[] weave(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor visitor =
                super.visitMethod(access, name, descriptor, signature, exceptions);
            return name.equals("<init>") ? new AtReturn(visitor) : visitor;
          }
        },
        0);
    return writer.toByteArray();
  }

  private static final class AtReturn extends MethodVisitor {
    AtReturn(MethodVisitor visitor) {
      super(Opcodes.ASM9, visitor);
    }

    @Override
    public void visitInsn(int opcode) {
      if (opcode == Opcodes.RETURN) {
        super.visitMethodInsn(Opcodes.INVOKESTATIC, Names.MEMORY_ALARM, "raised", "()V", false);
      }
      super.visitInsn(opcode);
    }
  }
}
