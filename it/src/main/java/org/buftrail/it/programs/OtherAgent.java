package org.buftrail.it.programs;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;
import org.jspecify.annotations.Nullable;

/**
 * Another agent. What its transformer does with each class of Buftrail, and of the program, is its
 * argument; at the end it writes how many it met into a file.
 */
public final class OtherAgent implements ClassFileTransformer {
  private static final List<String> ASKED =
      List.of(
          "org.buftrail.agent.end.FinalReport",
          "org.buftrail.agent.Agent",
          "org.buftrail.report.Reports",
          "org.buftrail.model.Snapshot",
          "org.buftrail.flow.control.FlowTracker");

  private final String mode;
  private final Set<String> met = ConcurrentHashMap.newKeySet();
  private final AtomicLong found = new AtomicLong();

  /** As real ones have it, so as not to be asked about what they ask for. */
  private final ThreadLocal<Boolean> asking = ThreadLocal.withInitial(() -> false);

  private OtherAgent(String mode) {
    this.mode = mode;
  }

  /** Called by the JVM, with the mode and the file. */
  public static void premain(String args, Instrumentation instrumentation) {
    String[] parts = args.split(",", 2);
    OtherAgent agent = new OtherAgent(parts[0]);
    instrumentation.addTransformer(agent, true);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> agent.write(Path.of(parts[1]))));
  }

  /** Called by the JVM where it is attached: has what is loaded transformed too. */
  public static void agentmain(String args, Instrumentation instrumentation) throws Exception {
    premain(args, instrumentation);
    instrumentation.retransformClasses(
        Stream.of(instrumentation.getAllLoadedClasses())
            .filter(loaded -> isOurs(loaded) && instrumentation.isModifiableClass(loaded))
            .toArray(Class<?>[]::new));
  }

  private static boolean isOurs(Class<?> loaded) {
    return loaded != OtherAgent.class && loaded.getName().startsWith("org.buftrail.");
  }

  private void write(Path file) {
    long ours = met.stream().filter(name -> name.startsWith("org/buftrail/agent/")).count();
    try {
      Files.writeString(file, ours + " " + (met.size() - ours) + " " + found + "\n");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public byte @Nullable [] transform(
      @Nullable ClassLoader loader,
      @Nullable String name,
      @Nullable Class<?> loaded,
      @Nullable ProtectionDomain domain,
      byte[] file) {
    if (name == null || !name.startsWith("org/buftrail/") || name.endsWith("OtherAgent")) {
      return null;
    }
    met.add(name);
    switch (mode) {
      case "asks":
        ask(loader, name.replace('/', '.'));
        return null;
      case "asksOthers":
        ask(loader, new ClassReader(file).getSuperName().replace('/', '.'));
        ASKED.forEach(other -> ask(loader, other));
        return null;
      case "asksForFile":
        askForFile(loader, name + ".class");
        return null;
      case "throws":
        throw new IllegalStateException("as it is wont to");
      case "throwsError":
        throw new NoClassDefFoundError("as it is wont to");
      case "changes":
        return changed(file);
      case "returnsTheSame":
        return file.clone();
      default:
        throw new IllegalArgumentException(mode);
    }
  }

  /** Not the JDK's own loader, which cannot bear it for any class. */
  private void ask(@Nullable ClassLoader loader, String name) {
    if (asking.get() || loader == ClassLoader.getSystemClassLoader()) {
      return;
    }
    asking.set(true);
    try {
      Class.forName(name, false, loader);
      found.incrementAndGet();
    } catch (ClassNotFoundException | LinkageError e) {
      // Others go on without.
    } finally {
      asking.set(false);
    }
  }

  private void askForFile(@Nullable ClassLoader loader, String name) {
    if (loader != null && loader.getResource(name) != null) {
      found.incrementAndGet();
    }
  }

  private static byte[] changed(byte[] file) {
    ClassReader reader = new ClassReader(file);
    ClassWriter writer = new ClassWriter(reader, 0);
    reader.accept(writer, 0);
    writer.visitAnnotation("Lcom/example/Mark;", false).visitEnd();
    return writer.toByteArray();
  }
}
