package org.buftrail.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.ReleaseSamples;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;

/** How large released buffers were and how long they lived, by path, in powers of two, as text. */
final class HistogramText {
  private static final int MAX_ROWS = 5;
  private static final int MAX_LLM_ROWS = 50;
  private static final long MILLI = 1_000;
  private static final long SECOND = 1_000_000;

  private HistogramText() {}

  /** Paths with samples, the one with most first. */
  static List<Path> sampled(List<Path> paths) {
    List<Path> sampled = new ArrayList<>();
    for (Path path : paths) {
      if (path.samples() != null && path.samples().count() > 0) {
        sampled.add(path);
      }
    }
    sampled.sort(Comparator.comparingLong(path -> -count(path.samples())));
    return sampled;
  }

  private static long count(@Nullable ReleaseSamples samples) {
    return samples == null ? 0 : samples.count();
  }

  /** Writes a few paths, for a person. */
  static void write(Snapshot snapshot, Appendable out) throws IOException {
    List<Path> paths = sampled(PathOrder.sorted(snapshot));
    if (paths.isEmpty()) {
      return;
    }
    out.append("\nSIZES AND LIFETIMES of released buffers, in powers of two, most samples first\n");
    for (Path path : paths.subList(0, Math.min(MAX_ROWS, paths.size()))) {
      ReleaseSamples samples = path.samples();
      if (samples != null) {
        out.append("  ").append(Wording.shortPlace(Wording.last(path))).append(", ");
        out.append(Wording.count(samples.count()));
        out.append(samples.count() == 1 ? " sample" : " samples");
        out.append("\n    sizes     ").append(sizes(samples));
        out.append("\n    lifetimes ").append(lifetimes(samples));
        if (samples.longestMillis() > 0) {
          out.append("; longest ").append(Wording.age(samples.longestMillis()));
        }
        out.append("\n    ");
        TreeReport.hops(path.hops(), out);
        out.append('\n');
      }
    }
    if (paths.size() > MAX_ROWS) {
      out.append("  ... ").append(Wording.paths(paths.size() - MAX_ROWS)).append(" not shown\n");
    }
  }

  /** {@code below 512 B 96 %, below 1.0 KiB 4 %}; the last class is all that is more. */
  private static String sizes(ReleaseSamples samples) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ReleaseSamples.SIZES; i++) {
      boolean isLast = i == ReleaseSamples.SIZES - 1;
      String bound = Wording.bytes(1L << (isLast ? i - 1 : i));
      add(text, isLast, bound, samples.sizes(i), samples.count());
    }
    return text.toString();
  }

  private static String lifetimes(ReleaseSamples samples) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < ReleaseSamples.LIFETIMES; i++) {
      boolean isLast = i == ReleaseSamples.LIFETIMES - 1;
      String bound = time(1L << (isLast ? i - 1 : i));
      add(text, isLast, bound, samples.lifetimes(i), samples.count());
    }
    return text.toString();
  }

  private static void add(StringBuilder text, boolean isLast, String bound, long part, long all) {
    if (part > 0) {
      text.append(text.length() == 0 ? "" : ", ").append(isLast ? "from " : "below ");
      text.append(bound).append(' ').append(Wording.share(part, all));
    }
  }

  /** {@code 512 us}, {@code 16 ms}, {@code 1.0 s}. */
  private static String time(long micros) {
    return micros < MILLI
        ? micros + " us"
        : micros < SECOND ? micros / MILLI + " ms" : Wording.age(micros / MILLI);
  }

  /** Writes a line for each of the first paths, for language models. */
  static void writeForLlm(List<Path> sorted, Appendable out) throws IOException {
    List<Path> paths = sampled(sorted);
    if (paths.isEmpty()) {
      return;
    }
    out.append("\nHISTOGRAMS: of sampled releases; sizes=upper bound in bytes:releases,");
    out.append(" lifetimes_us=upper bound in microseconds:releases; classes are powers of two,");
    out.append(" the highest (");
    out.append(Long.toString(1L << (ReleaseSamples.SIZES - 1))).append(" and ");
    out.append(Long.toString(1L << (ReleaseSamples.LIFETIMES - 1)));
    out.append(") have all that is more\n");
    for (Path path : paths.subList(0, Math.min(MAX_LLM_ROWS, paths.size()))) {
      ReleaseSamples samples = path.samples();
      if (samples != null) {
        out.append("histogram memory=").append(Wording.memory(path));
        LlmReport.number(out, "samples", samples.count());
        LlmReport.number(out, "longest_ms", samples.longestMillis());
        String comma = " sizes=";
        for (int i = 0; i < ReleaseSamples.SIZES; i++) {
          comma = pair(comma, i, samples.sizes(i), out);
        }
        comma = " lifetimes_us=";
        for (int i = 0; i < ReleaseSamples.LIFETIMES; i++) {
          comma = pair(comma, i, samples.lifetimes(i), out);
        }
        LlmReport.hops(" path=", path.hops(), out);
        out.append('\n');
      }
    }
    if (paths.size() > MAX_LLM_ROWS) {
      out.append("not_listed=").append(Integer.toString(paths.size() - MAX_LLM_ROWS));
      out.append('\n');
    }
  }

  private static String pair(String before, int index, long part, Appendable out)
      throws IOException {
    if (part == 0) {
      return before;
    }
    out.append(before).append(Long.toString(1L << index)).append(':').append(Long.toString(part));
    return ",";
  }
}
