package org.buftrail.report.memory;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A JVM's own figures about its memory. Immutable. */
public final class JvmFigures {
  /** {@code - Thread (reserved=18491KB, committed=899KB)} and the lines below it. */
  private static final Pattern CATEGORY = Pattern.compile("^- +([A-Z][A-Za-z ]*) \\(");

  private static final Pattern MALLOC = Pattern.compile("\\((?:malloc|arena)=(\\d+)KB");

  /** What NMT counts here is what the application asks for. */
  private static final List<String> OF_OTHERS = List.of("Other");

  /** The last Java whose buffers Netty takes from the JVM, unless an option says otherwise. */
  private static final int LAST_COUNTED = 23;

  private static final String TOLD_OTHERWISE = "io.netty.tryReflectionSetAccessible";

  private final Properties figures;
  private final Properties system;

  /**
   * @param figures what {@code JvmMemory} found
   * @param system the system properties of the JVM
   */
  public JvmFigures(Properties figures, Properties system) {
    this.figures = figures;
    this.system = system;
  }

  /**
   * Asks this JVM. Stops its threads for a moment the first time, and when metaspace has grown.
   *
   * @param instrumentation opens a package of the JDK to this library
   * @param before what it said before; null at first
   */
  public static JvmFigures ofThisJvm(Instrumentation instrumentation, @Nullable JvmFigures before) {
    Properties known = before == null ? new Properties() : before.figures;
    return new JvmFigures(JvmMemory.figures(instrumentation, known), System.getProperties());
  }

  /**
   * Reads figures of another JVM.
   *
   * @param packed properties, gzipped, in Base64
   * @param system the system properties of the JVM
   * @throws IOException if they are damaged
   */
  public static JvmFigures unpack(String packed, Properties system) throws IOException {
    byte[] bytes = Base64.getDecoder().decode(packed.getBytes(StandardCharsets.ISO_8859_1));
    Properties figures = new Properties();
    try (InputStreamReader in =
        new InputStreamReader(
            new GZIPInputStream(new ByteArrayInputStream(bytes)), StandardCharsets.UTF_8)) {
      figures.load(in);
    }
    return new JvmFigures(figures, system);
  }

  /** The answer to a diagnostic command; empty where this JVM does not know it. */
  String answer(String command) {
    return figures.getProperty("answer." + command, "");
  }

  /** Bytes of pools of the heap, or of others, used and committed. */
  long[] pools(String type, String name) {
    long[] sums = new long[2];
    for (String key : figures.stringPropertyNames()) {
      if (key.matches("pool\\." + type + "\\." + name)) {
        String[] usage = figures.getProperty(key).split(" ", 2);
        sums[0] += Long.parseLong(usage[0]);
        sums[1] += Long.parseLong(usage[1]);
      }
    }
    return sums;
  }

  /** Bytes that the JVM counts for direct buffers, or mapped ones; -1 where it counts none. */
  long buffers(String kind) {
    return Long.parseLong(figures.getProperty("buffers." + kind, "-1"));
  }

  /** Live threads that run Java. */
  int threads() {
    return Integer.parseInt(figures.getProperty("threads", "0"));
  }

  /** Addresses in the stacks of threads that wait, in ascending order. */
  long[] stackPointers() {
    String all = figures.getProperty("stacks", "");
    return all.isEmpty()
        ? new long[0]
        : Arrays.stream(all.split(" ", -1))
            .mapToLong(each -> Long.parseUnsignedLong(each, 16))
            .sorted()
            .toArray();
  }

  /** The value of a flag of the JVM; null where it has none of that name. */
  @Nullable String flag(String name) {
    return figures.getProperty("flag." + name);
  }

  /** Whether the JVM counts Netty's direct memory among direct buffers. */
  boolean countsNetty() {
    return isNettyCounted(system.getProperty("java.specification.version", ""), system);
  }

  /**
   * Whether the JVM counts the direct memory of a Netty in it. Netty calls {@code malloc} from Java
   * 24 on, and before where it may use a constructor of the JDK's.
   *
   * @param version of Java, {@code 17}; before Java 9 it has a point
   */
  public static boolean isNettyCounted(String version, Map<?, ?> properties) {
    return version.matches("\\d{1,9}")
        && Integer.parseInt(version) <= LAST_COUNTED
        && !"true".equalsIgnoreCase(String.valueOf(properties.get(TOLD_OTHERWISE)));
  }

  /** A system property; null where it is not set. */
  @Nullable String property(String name) {
    return system.getProperty(name);
  }

  /**
   * Bytes that the JVM itself took from {@code malloc}, by the category of Native Memory Tracking;
   * null where that is off.
   */
  static @Nullable Map<String, Long> malloced(String answer) {
    Map<String, Long> bytes = new LinkedHashMap<>();
    boolean isOn = false;
    String category = "";
    for (String line : answer.split("\n", -1)) {
      Matcher head = CATEGORY.matcher(line);
      if (head.find()) {
        isOn = true;
        category = head.group(1).trim();
      }
      Matcher malloc = MALLOC.matcher(line);
      if (isOn && !OF_OTHERS.contains(category) && malloc.find()) {
        bytes.merge(category, Long.parseLong(malloc.group(1)) << 10, Long::sum);
      }
    }
    return isOn ? bytes : null;
  }
}
