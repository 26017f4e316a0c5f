package org.buftrail.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What system properties say, or else the environment. */
final class TestSettings {
  private static final String MODE = "buftrail.test";
  private static final String GRACE = "buftrail.test.grace";
  private static final String REPORT = "buftrail.test.report";
  private static final String AGENT = "buftrail.test.agent";
  private static final String MISUSES = "buftrail.test.misuses";
  private static final String STRICT = "buftrail.test.strict";
  private static final String ALLOWED_UNTIL = "buftrail.test.allowedUntil";
  private static final String KNOWN_LEAKS = "buftrail.test.knownLeaks";
  private static final String RUN = "buftrail.test.run";
  private static final String WRITE_KNOWN_LEAKS = "buftrail.test.writeKnownLeaks";
  private static final List<String> NAMES =
      List.of(
          MODE,
          GRACE,
          MISUSES,
          STRICT,
          ALLOWED_UNTIL,
          RUN,
          KNOWN_LEAKS,
          WRITE_KNOWN_LEAKS,
          REPORT,
          AGENT);
  private static final long DEFAULT_GRACE_MILLIS = 1_000;

  /** Whether tests are looked at. */
  enum Mode {
    /** Nothing is looked at, whatever is there. */
    OFF,
    /** Tests run unwatched, and a line says so. */
    ON,
    /** Tests that should be watched fail. */
    REQUIRED
  }

  private TestSettings() {}

  /** {@code buftrail.test=off|on|required}. */
  static Mode mode() {
    String mode = value(MODE);
    if (mode == null || mode.equals("on")) {
      return Mode.ON;
    }
    if (mode.equals("off")) {
      return Mode.OFF;
    }
    if (mode.equals("required")) {
      return Mode.REQUIRED;
    }
    throw new IllegalArgumentException(MODE + "=" + mode + ": it is off, on or required");
  }

  /**
   * What holds for a run, where no annotation says more.
   *
   * @param parameters of JUnit, asked before system properties and the environment
   */
  static Rules rules(UnaryOperator<@Nullable String> parameters) {
    return new Rules(
        allowedUntil(value(ALLOWED_UNTIL, parameters)),
        graceMillis(value(GRACE, parameters)),
        isTrue(MISUSES, value(MISUSES, parameters), true),
        isTrue(STRICT, value(STRICT, parameters), false));
  }

  /**
   * {@code buftrail.test.run=tell|fail}: whether what the run leaves open fails it.
   *
   * @param parameters as above
   */
  static boolean failsRun(UnaryOperator<@Nullable String> parameters) {
    String run = value(RUN, parameters);
    if (run == null || run.equals("tell")) {
      return false;
    }
    if (run.equals("fail")) {
      return true;
    }
    throw new IllegalArgumentException(RUN + "=" + run + ": it is tell or fail");
  }

  private static Until allowedUntil(@Nullable String until) {
    if (until == null) {
      return Until.TEST;
    }
    for (Until each : Until.values()) {
      if (each.name().equalsIgnoreCase(until)) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        ALLOWED_UNTIL + "=" + until + ": it is TEST, CLASS, RUN or FOREVER");
  }

  private static boolean isTrue(String name, @Nullable String value, boolean otherwise) {
    if (value == null) {
      return otherwise;
    }
    if (value.equals("true") || value.equals("false")) {
      return value.equals("true");
    }
    throw new IllegalArgumentException(name + "=" + value + ": it is true or false");
  }

  private static long graceMillis(@Nullable String grace) {
    if (grace == null) {
      return DEFAULT_GRACE_MILLIS;
    }
    try {
      return Math.max(0, Long.parseLong(grace));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(GRACE + "=" + grace + ": it is a number of milliseconds");
    }
  }

  /** {@code buftrail.test.knownLeaks}, or a file in the directory of the module, if it is there. */
  static KnownLeaks knownLeaks() {
    String named = value(KNOWN_LEAKS);
    boolean written = isTrue(WRITE_KNOWN_LEAKS, value(WRITE_KNOWN_LEAKS), false);
    Path file = Path.of(named == null ? "buftrail-known-leaks.txt" : named);
    if (named != null && !written && !Files.exists(file)) {
      throw new IllegalArgumentException(KNOWN_LEAKS + "=" + named + ": there is no such file");
    }
    try {
      return KnownLeaks.read(file, written);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Where reports go: {@code buftrail.test.report}, or where the build leaves its files. */
  static Path reportDirectory() {
    String directory = value(REPORT);
    if (directory != null) {
      return Path.of(directory);
    }
    boolean gradle =
        Files.exists(Path.of("build.gradle")) || Files.exists(Path.of("build.gradle.kts"));
    return Path.of(gradle ? "build" : "target", "buftrail");
  }

  /**
   * Options of an agent that is given none: {@code buftrail.test.agent}, or a file for its report,
   * since it would print that when the tests end.
   */
  static String agentOptions() {
    String options = value(AGENT);
    if (options != null || value("buftrail.report") != null) {
      return options == null ? "" : options;
    }
    Path directory = reportDirectory();
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      // The agent says what it cannot write.
      return "";
    }
    return "report=" + directory.resolve("flows.json");
  }

  /** A line for each property or variable that is named as these are, and is none of them. */
  static List<String> mistaken(Set<String> properties, Set<String> variables) {
    List<String> lines = new ArrayList<>();
    for (String name : new TreeSet<>(properties)) {
      if (name.startsWith(MODE) && !NAMES.contains(name)) {
        lines.add(line("system property", name, NAMES));
      }
    }
    List<String> known = NAMES.stream().map(TestSettings::variable).collect(Collectors.toList());
    for (String name : new TreeSet<>(variables)) {
      if (name.startsWith(variable(MODE)) && !known.contains(name)) {
        lines.add(line("environment variable", name, known));
      }
    }
    return lines;
  }

  private static String line(String what, String name, List<String> known) {
    return what + " '" + name + "' has no effect; there are " + String.join(", ", known);
  }

  private static String variable(String property) {
    return property.toUpperCase(Locale.ROOT).replace('.', '_');
  }

  private static @Nullable String value(
      String property, UnaryOperator<@Nullable String> parameters) {
    String value = parameters.apply(property);
    return value != null ? value : value(property);
  }

  private static @Nullable String value(String property) {
    String value = System.getProperty(property);
    return value != null ? value : System.getenv(variable(property));
  }
}
