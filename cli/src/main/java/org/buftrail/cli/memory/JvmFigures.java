package org.buftrail.cli.memory;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.PlatformManagedObject;
import java.lang.management.RuntimeMXBean;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import org.buftrail.cli.live.DirectMemory;
import org.jspecify.annotations.Nullable;

/** What a JVM says of its own memory. Used by one thread. */
final class JvmFigures {
  private static final String COMMANDS = "com.sun.management:type=DiagnosticCommand";
  private static final String[] NO_ARGUMENTS = {};

  /** {@code - Thread (reserved=18491KB, committed=899KB)} and the lines below it. */
  private static final Pattern CATEGORY = Pattern.compile("^- +([A-Z][A-Za-z ]*) \\(");

  private static final Pattern MALLOC = Pattern.compile("\\((?:malloc|arena)=(\\d+)KB");

  /** What NMT counts here is what the application asks for. */
  private static final List<String> OF_OTHERS = List.of("Other");

  private final MBeanServerConnection server;

  JvmFigures(MBeanServerConnection server) {
    this.server = server;
  }

  /** The answer to a diagnostic command; empty where this JVM does not know it. */
  String answer(String command, String... arguments) throws IOException {
    try {
      Object[] given = arguments.length == 0 ? new Object[0] : new Object[] {arguments};
      String[] types =
          arguments.length == 0 ? NO_ARGUMENTS : new String[] {String[].class.getName()};
      return String.valueOf(server.invoke(new ObjectName(COMMANDS), command, given, types));
    } catch (JMException | RuntimeException e) {
      return "";
    }
  }

  /** Bytes of pools of the heap, or of others, used and committed. */
  long[] pools(MemoryType type, String name) throws IOException {
    long[] sums = new long[2];
    for (MemoryPoolMXBean pool : all(MemoryPoolMXBean.class)) {
      if (pool.getType() == type && pool.getName().matches(name)) {
        sums[0] += pool.getUsage().getUsed();
        sums[1] += pool.getUsage().getCommitted();
      }
    }
    return sums;
  }

  /** Bytes that the JVM counts for direct buffers, or mapped ones; -1 where it counts none. */
  long buffers(String kind) throws IOException {
    for (BufferPoolMXBean pool : all(BufferPoolMXBean.class)) {
      if (pool.getName().equals(kind)) {
        return pool.getMemoryUsed();
      }
    }
    return -1;
  }

  private <T extends PlatformManagedObject> List<T> all(Class<T> type) throws IOException {
    return new ArrayList<>(ManagementFactory.getPlatformMXBeans(server, type));
  }

  /** Live threads that run Java. */
  int threads() throws IOException {
    return all(ThreadMXBean.class).get(0).getThreadCount();
  }

  /** The value of a flag of the JVM; null where it has none of that name. */
  @Nullable String flag(String name) throws IOException {
    try {
      return all(HotSpotDiagnosticMXBean.class).get(0).getVMOption(name).getValue();
    } catch (RuntimeException e) {
      return null;
    }
  }

  /** Whether the JVM counts Netty's direct memory among direct buffers. */
  boolean countsNetty() throws IOException {
    return DirectMemory.isCounted(runtime().getSpecVersion(), properties());
  }

  /** The system properties. */
  Map<String, String> properties() throws IOException {
    return runtime().getSystemProperties();
  }

  private RuntimeMXBean runtime() throws IOException {
    return all(RuntimeMXBean.class).get(0);
  }

  /**
   * Bytes that the JVM itself took from {@code malloc}, by what Native Memory Tracking answers; -1
   * where it is off.
   */
  static long malloced(String answer) {
    long kib = 0;
    boolean isOurs = false;
    boolean isOn = false;
    for (String line : answer.lines().toList()) {
      Matcher category = CATEGORY.matcher(line);
      if (category.find()) {
        isOn = true;
        isOurs = !OF_OTHERS.contains(category.group(1).trim());
      }
      Matcher malloc = MALLOC.matcher(line);
      if (isOurs && malloc.find()) {
        kib += Long.parseLong(malloc.group(1));
      }
    }
    return isOn ? kib << 10 : -1;
  }
}
