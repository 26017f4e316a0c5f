package org.buftrail.spark;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.GlobFilter;
import org.apache.hadoop.fs.Path;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * What users say of a read. Options of Spark's own file sources mean what they mean there; one that
 * is not known is refused, since it would change the answer that its user expects.
 *
 * @param paths files, directories and globs
 * @param splitBytes a larger plain recording is read by several tasks
 * @param names a glob that files' names match; null for any
 * @param after files changed after that, in milliseconds since the epoch
 * @param before files changed before that
 * @param isRecursive whether directories within directories are read
 * @param hasDirectories whether directories such as {@code dt=2026-11-20} become columns
 * @param base the directory below which they do; null for each path
 */
record SourceOptions(
    List<String> paths,
    DamageMode mode,
    long splitBytes,
    @Nullable String names,
    long after,
    long before,
    boolean isRecursive,
    boolean hasDirectories,
    @Nullable String base) {
  static final String TABLE = "table";

  private static final String PATH = "path";
  private static final String PATHS = "paths";
  private static final String MODE = "mode";
  private static final String SPLIT_BYTES = "splitBytes";
  private static final String GLOB = "pathGlobFilter";
  private static final String AFTER = "modifiedAfter";
  private static final String BEFORE = "modifiedBefore";
  private static final String RECURSIVE = "recursiveFileLookup";
  private static final String BASE = "basePath";
  private static final String TIME_ZONE = "timeZone";

  private static final List<String> KNOWN =
      List.of(
          PATH, PATHS, TABLE, MODE, SPLIT_BYTES, GLOB, AFTER, BEFORE, RECURSIVE, BASE, TIME_ZONE);

  private static final String DEFAULT_SIZE = "128m";

  SourceOptions {
    paths = List.copyOf(paths);
  }

  /**
   * Reads options.
   *
   * @param zone of times, unless an option names another
   * @throws IllegalArgumentException if one is wrong or not known; says which
   */
  static SourceOptions of(CaseInsensitiveStringMap options, String zone) {
    for (String name : options.asCaseSensitiveMap().keySet()) {
      // Options with a dot are settings of file systems, such as fs.s3a.endpoint.
      if (name.indexOf('.') < 0 && KNOWN.stream().noneMatch(name::equalsIgnoreCase)) {
        throw new IllegalArgumentException(
            "option "
                + name
                + ": format jfr has none of this name; it has "
                + String.join(", ", KNOWN.subList(2, KNOWN.size())));
      }
    }
    String times = options.getOrDefault(TIME_ZONE, zone);
    return new SourceOptions(
        paths(options),
        DamageMode.of(options.getOrDefault(MODE, DamageMode.PERMISSIVE.name())),
        size(options.getOrDefault(SPLIT_BYTES, DEFAULT_SIZE)),
        glob(options.get(GLOB)),
        time(AFTER, options, times, Long.MIN_VALUE),
        time(BEFORE, options, times, Long.MAX_VALUE),
        isTrue(options.getOrDefault(RECURSIVE, "true")),
        // As in Spark, a request for all files below is one without such columns.
        !options.containsKey(RECURSIVE),
        options.get(BASE));
  }

  private static List<String> paths(CaseInsensitiveStringMap options) {
    List<String> paths = new ArrayList<>();
    String several = options.get(PATHS);
    if (several != null) {
      try {
        // As Spark hands them on.
        paths.addAll(Arrays.asList(new ObjectMapper().readValue(several, String[].class)));
      } catch (IOException e) {
        throw new IllegalArgumentException("option paths: " + several + " is no list of names", e);
      }
    }
    String one = options.get(PATH);
    if (one != null) {
      paths.add(one);
    }
    return paths;
  }

  private static long size(String text) {
    long size;
    try {
      size = JavaUtils.byteStringAsBytes(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "option splitBytes: \"" + text + "\" is no size, such as 134217728 or 128m", e);
    }
    if (size <= 0) {
      throw new IllegalArgumentException("option splitBytes: " + text + " is not above 0");
    }
    return size;
  }

  private static @Nullable String glob(@Nullable String pattern) {
    if (pattern != null) {
      filter(pattern);
    }
    return pattern;
  }

  private static GlobFilter filter(String pattern) {
    try {
      return new GlobFilter(pattern);
    } catch (IOException e) {
      throw new IllegalArgumentException(
          "option pathGlobFilter: \"" + pattern + "\" is no glob: " + e.getMessage(), e);
    }
  }

  private static long time(
      String name, CaseInsensitiveStringMap options, String zone, long otherwise) {
    String text = options.get(name);
    if (text == null) {
      return otherwise;
    }
    try {
      return LocalDateTime.parse(text).atZone(ZoneId.of(zone)).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "option " + name + ": \"" + text + "\" is no time like 2026-11-20T12:00:00", e);
    }
  }

  private static boolean isTrue(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new IllegalArgumentException(
              "option recursiveFileLookup: \"" + text + "\" is neither true nor false");
    };
  }

  /** Whether a file is read, by its name and time. */
  boolean wants(FileStatus file) {
    String pattern = names;
    return file.getModificationTime() > after
        && file.getModificationTime() < before
        && (pattern == null || filter(pattern).accept(new Path(file.getPath().getName())));
  }
}
