package org.buftrail.mutated;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.buftrail.profile.output.ProfileFormat;

/** What a command is asked to do with an input. */
final class Choice {
  static final List<String> QUESTIONS =
      List.of(
          "select kind, count(*), sum(value), max(time) from samples group by all order by all",
          "select event, count(*), max(fields::varchar) from events group by all order by all",
          "select * from samples order by all limit 20",
          "from hot_methods limit 5",
          "from stacks limit 5",
          "from flows limit 5",
          "from leaks_by_pod limit 5",
          "from io_events limit 5");

  private static final List<String> CONVERSIONS =
      List.of(
          "--timestamps",
          "--threads",
          "--total",
          "--lenient",
          "--inverted",
          "--leak",
          "--classify",
          "--split=4k",
          "--include-payload",
          "--skip=3",
          "--latency=1",
          "--from=-1000",
          "--grain=10",
          "--lines",
          "--norm",
          "--bci",
          "--all",
          "--dot",
          "--simple",
          "--without=thread.id");

  private final Random random;
  private final Path in;
  private final Path base;
  private final Path directory;
  private final List<String> line = new ArrayList<>();

  /**
   * @param in the input
   * @param base what it was made of
   */
  Choice(Random random, Path in, Path base) {
    this.random = random;
    this.in = in;
    this.base = base;
    directory = Objects.requireNonNull(in.toAbsolutePath().getParent());
  }

  /** A command that needs no engine for SQL. */
  List<String> plain() {
    switch (random.nextInt(13)) {
      case 0 -> add("info", in);
      case 1 -> add("check", in);
      case 2, 3, 4 -> report();
      case 5, 6 -> diff();
      case 7 -> dataset();
      case 8 -> add("convert", in, "--stats", "-o", directory.resolve("out.otlp"));
      default -> convert();
    }
    return line;
  }

  /** A question. */
  List<String> sql() {
    add("sql", pick(QUESTIONS), in);
    switch (random.nextInt(6)) {
      case 0 -> add("--out", directory.resolve("out" + pick(List.of(".json", ".csv"))));
      case 1 -> add("--read-only");
      case 2 -> add(base);
      default -> {
        // As it is.
      }
    }
    return line;
  }

  /** Adds to a dataset. */
  List<String> dataset() {
    add("convert", in, "-o", directory.resolve("dataset"), "--format", "parquet");
    return line;
  }

  /** Watches the directory of the input with a journal that a crash may have left. */
  List<String> watch() {
    add("watch", directory, "--once", "--age", "0");
    add("--dataset", directory.resolve("dataset"), "--journal", directory.resolve("journal"));
    return line;
  }

  private void report() {
    ProfileFormat format = pick(List.of(ProfileFormat.values()));
    add("report", in, "--format", format);
    if (random.nextBoolean()) {
      add("-o", directory.resolve("out" + format.ending()));
    }
  }

  private void diff() {
    if (random.nextBoolean()) {
      add("diff", in, base);
    } else {
      add("diff", base, in);
    }
    if (random.nextBoolean()) {
      String ending = pick(List.of(".txt", ".json", ".md", ".html"));
      add("-o", directory.resolve("out" + ending));
    }
  }

  private void convert() {
    ProfileFormat format = pick(List.of(ProfileFormat.values()));
    add("convert", in, "--format", format, "-o", directory.resolve("out" + format.ending()));
    boolean isRecording = in.toString().contains(".jfr");
    for (String option : CONVERSIONS) {
      if (isRecording && random.nextInt(15) == 0) {
        add(option);
      }
    }
  }

  private <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private void add(Object... words) {
    for (Object word : words) {
      line.add(word.toString());
    }
  }
}
