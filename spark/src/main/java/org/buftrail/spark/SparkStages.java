package org.buftrail.spark;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Stages in the tags of task spans (SPARK-59487), which Spark's profiler for executors writes as
 * async-profiler's {@code profiler.Span}: parts that are separated by commas, of which one is the
 * stage, named, or first where none is named.
 */
final class SparkStages {
  /** The tag that samples in a span have. */
  static final String TAG = "profiler.span.tag";

  private static final Pattern NAMED =
      Pattern.compile(
          "(?:^|[,;\\s])stage(?:[ _.-]?id)?\\s*[=: ]\\s*(\\d+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern FIRST = Pattern.compile("^(\\d+)(?:,\\d+){2,}");

  private SparkStages() {}

  /** The stage in a tag; null if it names none. */
  static @Nullable String of(@Nullable String tag) {
    if (tag == null) {
      return null;
    }
    Matcher named = NAMED.matcher(tag);
    if (named.find()) {
      return named.group(1);
    }
    Matcher first = FIRST.matcher(tag);
    return first.find() ? first.group(1) : null;
  }
}
