package org.buftrail.report.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.lang.instrument.Instrumentation;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import javax.management.DynamicMBean;
import javax.management.JMException;
import org.jspecify.annotations.Nullable;

/**
 * What this JVM says of its own memory: read by its own beans, so that nothing need listen for it,
 * and without the platform's server of beans, which is the application's to make.
 *
 * <pre>
 * pool.TYPE.NAME = used committed      answer.COMMAND = text
 * buffers.NAME = used                  flag.NAME = value
 * threads = count                      stacks = addresses
 * </pre>
 */
public final class JvmMemory {
  /** What answers diagnostic commands; it lies in a package that the JDK keeps to itself. */
  private static final String COMMANDS = "com.sun.management.internal.DiagnosticCommandImpl";

  private static final String ANSWER = "answer.";
  private static final String INFO = "vmInfo";
  private static final String METASPACE = "vmMetaspace";

  /** A line of what the JVM says of its heap. */
  private static final Pattern RESERVED =
      Pattern.compile("(?m)^ *Metaspace +used .* reserved (\\d+)K");

  private static final String TASKS = "/proc/self/task";

  /** The last but one of the numbers: that of a call, its arguments, stack and code. */
  private static final Pattern STACK = Pattern.compile(" 0x([0-9a-f]{1,16}) 0x[0-9a-f]+\\s*$");

  private static final int MOST_THREADS = 20_000;

  private static final String[] FLAGS = {"ThreadStackSize", "MaxHeapSize", "MaxDirectMemorySize"};

  private JvmMemory() {}

  /**
   * All of it, gzipped, in Base64. Called by the entry class, through reflection.
   *
   * @param instrumentation opens a package of the JDK to this class
   */
  public static String describe(Instrumentation instrumentation) throws IOException {
    return packed(figures(instrumentation, new Properties()));
  }

  /**
   * All of it. Asking where metaspace lies stops the application for a millisecond or more, so that
   * is asked only where more or less of it is reserved than before. Nothing else here stops it.
   *
   * @param instrumentation opens a package of the JDK to this class
   * @param before what was found before; empty at first
   */
  static Properties figures(Instrumentation instrumentation, Properties before) {
    Properties figures = new Properties();
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      MemoryUsage usage = pool.getUsage();
      if (usage != null) {
        figures.setProperty(
            "pool." + pool.getType().name() + '.' + pool.getName(),
            usage.getUsed() + " " + usage.getCommitted());
      }
    }
    for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
      figures.setProperty("buffers." + pool.getName(), Long.toString(pool.getMemoryUsed()));
    }
    figures.setProperty(
        "threads", Integer.toString(ManagementFactory.getThreadMXBean().getThreadCount()));
    figures.setProperty("stacks", stacks());
    DynamicMBean commands = commands(instrumentation);
    if (commands != null) {
      answer(commands, INFO, null, figures);
      if (isMetaspaceAsBefore(figures, before)) {
        figures.setProperty(ANSWER + METASPACE, before.getProperty(ANSWER + METASPACE, ""));
      } else {
        answer(commands, METASPACE, "vslist", figures);
      }
      answer(commands, "vmNativeMemory", "summary", figures);
    }
    flags(figures);
    return figures;
  }

  /**
   * An address in the stack of each thread that waits in the kernel, in hexadecimal digits. Linux
   * tells a process of its own threads, and stops none for that.
   */
  private static String stacks() {
    StringJoiner addresses = new StringJoiner(" ");
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of(TASKS))) {
      int count = 0;
      for (Path task : tasks) {
        if (count++ == MOST_THREADS) {
          break;
        }
        Matcher found = STACK.matcher(call(task.resolve("syscall")));
        if (found.find()) {
          addresses.add(found.group(1));
        }
      }
    } catch (IOException | RuntimeException e) {
      // Another system does not say it.
    }
    return addresses.toString();
  }

  /** What a thread waits for; empty where that is not said, or the thread has ended. */
  private static String call(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException e) {
      return "";
    }
  }

  /** Whether it lies where it lay before, as no more and no less of it is reserved. */
  static boolean isMetaspaceAsBefore(Properties now, Properties before) {
    String reserved = reserved(now);
    return reserved != null
        && reserved.equals(reserved(before))
        && before.containsKey(ANSWER + METASPACE);
  }

  private static @Nullable String reserved(Properties figures) {
    Matcher line = RESERVED.matcher(figures.getProperty(ANSWER + INFO, ""));
    return line.find() ? line.group(1) : null;
  }

  /** Null where this JVM has none. */
  private static @Nullable DynamicMBean commands(Instrumentation instrumentation) {
    try {
      Class<?> type = Class.forName(COMMANDS);
      Module own = JvmMemory.class.getModule();
      if (!type.getModule().isOpen(type.getPackageName(), own)) {
        instrumentation.redefineModule(
            type.getModule(),
            Set.of(),
            Map.of(),
            Map.of(type.getPackageName(), Set.of(own)),
            Set.of(),
            Map.of());
      }
      Method get = type.getDeclaredMethod("getDiagnosticCommandMBean");
      get.setAccessible(true);
      DynamicMBean commands = (DynamicMBean) get.invoke(null);
      if (commands != null) {
        // It finds out what commands there are when it is asked for them.
        commands.getMBeanInfo();
      }
      return commands;
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return null;
    }
  }

  /** Leaves out what this JVM does not know. */
  private static void answer(
      DynamicMBean commands, String command, @Nullable String argument, Properties figures) {
    try {
      boolean isPlain = argument == null;
      Object answer =
          commands.invoke(
              command,
              isPlain ? new Object[0] : new Object[] {new String[] {argument}},
              isPlain ? new String[0] : new String[] {String[].class.getName()});
      figures.setProperty(ANSWER + command, String.valueOf(answer));
    } catch (JMException | RuntimeException e) {
      // Another JVM has no such command.
    }
  }

  private static void flags(Properties figures) {
    try {
      HotSpotDiagnosticMXBean bean =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      for (String name : FLAGS) {
        try {
          figures.setProperty("flag." + name, bean.getVMOption(name).getValue());
        } catch (RuntimeException e) {
          // Another JVM has no such flag.
        }
      }
    } catch (RuntimeException | LinkageError e) {
      // Nor such a bean.
    }
  }

  private static String packed(Properties figures) throws IOException {
    StringWriter text = new StringWriter();
    figures.store(text, null);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    }
    return new String(Base64.getEncoder().encode(bytes.toByteArray()), StandardCharsets.ISO_8859_1);
  }
}
