package org.buftrail.agent.weave.classfile;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.buftrail.flow.control.UnwovenClasses;
import org.buftrail.model.ErrorText;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Has visitors rewrite class files, and reports classes that cannot be woven.
 *
 * <p>A method that would outgrow what the JVM allows stays as it is, alone of its class.
 * Thread-safe.
 */
public final class Rewriter {
  /** The most classes that the log names as they are met; snapshots name more, and count all. */
  private static final int MAX_LOGGED = 5;

  /** Marks of a woven class: calls of the runtime, its supertypes, or an added method. */
  private static final List<byte[]> INSERTED =
      List.of(bytes(Names.RUNTIME + "woven/"), bytes(Names.RUNTIME + "state/"), bytes("buftrail$"));

  private final Consumer<String> log;
  private final AtomicInteger logged = new AtomicInteger();

  /**
   * @param log takes a line for each of the first classes that cannot be woven
   */
  public Rewriter(Consumer<String> log) {
    this.log = log;
  }

  /**
   * The class file as a visitor writes it, or null where it inserts nothing.
   *
   * @param visitor makes one that hands on to the visitor given
   */
  public byte @Nullable [] rewrite(byte[] classFile, UnaryOperator<ClassVisitor> visitor) {
    ClassReader reader = new ClassReader(classFile);
    Set<String> tooLarge = new TreeSet<>();
    while (true) {
      ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
      reader.accept(new Sparing(visitor.apply(writer), writer, tooLarge), 0);
      try {
        byte[] woven = writer.toByteArray();
        if (!tooLarge.isEmpty()) {
          tell(
              reader.getClassName(),
              "too large with what would be woven in: " + String.join(", ", tooLarge));
        }
        return isChanged(woven) ? woven : null;
      } catch (MethodTooLargeException e) {
        if (!tooLarge.add(e.getMethodName() + e.getDescriptor())) {
          throw e;
        }
      }
    }
  }

  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  private static boolean isChanged(byte[] woven) {
    for (byte[] each : INSERTED) {
      if (ByteSearch.contains(woven, each)) {
        return true;
      }
    }
    return false;
  }

  /** A class stays as it is. */
  public void fail(String internalName, Throwable why) {
    tell(internalName, ErrorText.of(why));
  }

  /**
   * A library stays as it is, of which a class is named.
   *
   * @param line says so and why
   */
  public void refuse(String internalName, String line) {
    if (UnwovenClasses.add(Names.binary(internalName), line)) {
      log.accept(line);
    }
  }

  private void tell(String internalName, String reason) {
    String name = Names.binary(internalName);
    if (!UnwovenClasses.add(name, reason)) {
      return;
    }
    int before = logged.getAndIncrement();
    if (before < MAX_LOGGED) {
      log.accept("class " + name + " is not woven, or not whole: " + reason);
    } else if (before == MAX_LOGGED) {
      log.accept("further classes that are not woven are named in the report alone");
    }
  }

  /** Passes methods by a visitor. */
  private static final class Sparing extends ClassVisitor {
    private final ClassVisitor writer;
    private final Set<String> spared;

    Sparing(ClassVisitor visitor, ClassVisitor writer, Set<String> spared) {
      super(Opcodes.ASM9, visitor);
      this.writer = writer;
      this.spared = spared;
    }

    @Override
    public MethodVisitor visitMethod(
        int access,
        String method,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      ClassVisitor next = spared.contains(method + descriptor) ? writer : cv;
      return next.visitMethod(access, method, descriptor, signature, exceptions);
    }
  }
}
