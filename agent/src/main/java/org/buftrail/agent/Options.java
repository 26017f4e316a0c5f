package org.buftrail.agent;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.buftrail.agent.weave.ClassPattern;
import org.jspecify.annotations.Nullable;

/**
 * What the user asked for. Immutable.
 *
 * <p>Taken from the agent's argument ({@code key=value;key=value}), then from system properties
 * {@code buftrail.key}, then from the environment {@code BUFTRAIL_KEY}; the first that names a key
 * wins.
 */
public final class Options {
  static final int DEFAULT_MAX_NODES = 1 << 18;
  static final int DEFAULT_MAX_DEPTH = 100;
  static final int DEFAULT_MAX_CHILDREN = 1_000;

  private static final String[] KEYS = {
    "include",
    "exclude",
    "trackConstructors",
    "trackDirectOnly",
    "sample",
    "maxNodes",
    "maxDepth",
    "maxChildren",
    "report",
    "jmx",
    "snapshotDir",
    "snapshotFiles",
    "snapshotBytes",
    "every",
    "alert",
    "http",
    "httpRemote",
    "httpToken",
    "otlp",
    "otlpEvery",
    "metricsHandlers",
    "metricsEvery"
  };

  final ClassPattern include;
  final ClassPattern exclude;
  final ClassPattern trackConstructors;
  final boolean trackDirectOnly;
  final int sample;
  final int maxNodes;
  final int maxDepth;
  final int maxChildren;
  final List<Path> reports;
  final ServiceOptions services;

  private Options(Map<String, String> values, Map<String, String> environment) {
    include = pattern(values, "include");
    exclude = pattern(values, "exclude");
    trackConstructors = pattern(values, "trackConstructors");
    trackDirectOnly = flag(values, "trackDirectOnly", false);
    sample = number(values, "sample", 1, 1, 1 << 20);
    maxNodes = number(values, "maxNodes", DEFAULT_MAX_NODES, 1, 1 << 24);
    maxDepth = number(values, "maxDepth", DEFAULT_MAX_DEPTH, 2, 10_000);
    maxChildren = number(values, "maxChildren", DEFAULT_MAX_CHILDREN, 1, 1_000_000);
    reports = paths(values, "report");
    services = new ServiceOptions(values, environment);
  }

  /**
   * @param argument the agent's argument, or null
   * @throws IllegalArgumentException saying in one line what is wrong with which option
   */
  public static Options parse(
      @Nullable String argument, Properties properties, Map<String, String> environment) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String key : KEYS) {
      String value = properties.getProperty("buftrail." + key);
      if (value == null) {
        value = environment.get(environmentName(key));
      }
      if (value != null) {
        values.put(key, value.trim());
      }
    }
    values.putAll(parseArgument(argument == null ? "" : argument));
    return new Options(values, environment);
  }

  /** {@code BUFTRAIL_TRACK_DIRECT_ONLY} for {@code trackDirectOnly}. */
  static String environmentName(String key) {
    return "BUFTRAIL_" + key.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
  }

  private static Map<String, String> parseArgument(String argument) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String part : argument.split(";", -1)) {
      if (part.trim().isEmpty()) {
        continue;
      }
      int equals = part.indexOf('=');
      String key = (equals < 0 ? part : part.substring(0, equals)).trim();
      check(key);
      if (equals < 0) {
        throw new IllegalArgumentException(
            "option '" + key + "' has no value: write " + key + "=...");
      }
      String value = part.substring(equals + 1).trim();
      if (values.put(key, value) != null) {
        throw new IllegalArgumentException("option '" + key + "' is given twice");
      }
    }
    return values;
  }

  private static void check(String key) {
    for (String known : KEYS) {
      if (known.equals(key)) {
        return;
      }
    }
    throw new IllegalArgumentException(
        "unknown option '" + key + "' (did you mean '" + Spelling.nearest(key, KEYS) + "'?)");
  }

  private static ClassPattern pattern(Map<String, String> values, String key) {
    String value = values.get(key);
    if (value == null || value.isEmpty()) {
      return ClassPattern.NONE;
    }
    try {
      return ClassPattern.parse(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("option '" + key + "': " + e.getMessage(), e);
    }
  }

  static boolean flag(Map<String, String> values, String key, boolean absent) {
    String value = values.get(key);
    if (value == null) {
      return absent;
    }
    if (value.equals("false")) {
      return false;
    }
    if (value.equals("true")) {
      return true;
    }
    throw new IllegalArgumentException(
        "option '" + key + "' is '" + value + "': it must be true or false");
  }

  static int number(Map<String, String> values, String key, int absent, int least, int most) {
    String value = values.get(key);
    if (value == null) {
      return absent;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, with the range.
    }
    throw new IllegalArgumentException(
        "option '"
            + key
            + "' is '"
            + value
            + "': it must be a number from "
            + least
            + " to "
            + most);
  }

  static List<Path> paths(Map<String, String> values, String key) {
    String value = values.get(key);
    if (value == null || value.isEmpty()) {
      return Collections.emptyList();
    }
    List<Path> paths = new ArrayList<>();
    for (String part : value.split(",", -1)) {
      try {
        paths.add(Paths.get(part.trim()).toAbsolutePath());
      } catch (InvalidPathException e) {
        throw new IllegalArgumentException("option '" + key + "': '" + part + "' is not a path", e);
      }
    }
    return List.copyOf(paths);
  }
}
