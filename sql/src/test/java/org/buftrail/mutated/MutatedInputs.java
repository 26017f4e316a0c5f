package org.buftrail.mutated;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.buftrail.mutated.Changes.Input;
import org.jspecify.annotations.Nullable;

/**
 * Gives changed inputs to the commands, in a JVM of its own: {@code MutatedInputs DIRECTORY WAY
 * FIRST COUNT}. Case 17 is always the same. Prints what is wrong, a line a kind, and keeps its
 * input; exits with 1 if anything is.
 */
final class MutatedInputs {
  /** What is asked of them. */
  enum Way {
    /** Every command and format. */
    COMMANDS,
    /** Questions in SQL. */
    SQL,
    /** Additions to a dataset, and a question about it. */
    PARQUET,
    /** Questions about a dataset whose files are changed, its compaction, and additions to it. */
    DATASET,
    /** A watch with a journal that is changed. */
    JOURNAL
  }

  private static final long PRIME = 1_000_003;

  private final Path work;
  private final Way way;
  private final Set<String> kinds = new HashSet<>();
  private final Map<String, Integer> ends = new TreeMap<>();
  private int marks;

  private MutatedInputs(Path work, Way way) {
    this.work = work;
    this.way = way;
  }

  public static void main(String[] args) throws IOException {
    MutatedInputs all = new MutatedInputs(Path.of(args[0]), Way.valueOf(args[1]));
    long first = Long.parseLong(args[2]);
    int count = Integer.parseInt(args[3]);
    List<Input> seeds =
        all.way == Way.DATASET || all.way == Way.JOURNAL
            ? Seeds.recordings()
            : Seeds.all(Files.createDirectories(all.work.resolve("seeds")));
    Path sound = all.way == Way.DATASET ? all.dataset(seeds) : all.work;
    for (long number = first; number < first + count; number++) {
      all.one(number, seeds, sound);
    }
    System.out.println(
        all.way + ": " + count + " inputs from " + first + ", " + all.marks + " marks " + all.ends);
    // Threads that hang are left.
    System.exit(all.marks == 0 ? 0 : 1);
  }

  /** What cases change a copy of: two recordings together, and one by itself. */
  private Path dataset(List<Input> seeds) throws IOException {
    Path dataset = work.resolve("sound");
    for (int i = 0; i < 3; i++) {
      Path recording = Files.write(work.resolve("sound.jfr"), seeds.get(i % 2 + 2 * (i / 2)).bytes);
      add(recording, dataset);
      if (i == 1) {
        check(Ended.run(List.of("compact", dataset.toString())));
      }
    }
    return dataset;
  }

  private static void add(Path recording, Path dataset) throws IOException {
    check(
        Ended.run(
            List.of(
                "convert", recording.toString(), "-o", dataset.toString(), "--format", "parquet")));
  }

  private static void check(Ended run) throws IOException {
    if (run.exit() != 0) {
      throw new IOException(run.line() + ": " + run.err());
    }
  }

  private void one(long number, List<Input> seeds, Path sound) throws IOException {
    Random random = new Random(number * PRIME);
    Path directory = work.resolve("case");
    if (Files.exists(directory)) {
      delete(directory);
    }
    Files.createDirectories(directory);
    // If the JVM dies, this says of what.
    Files.writeString(work.resolve("at"), way + " " + number);
    Input seed = seeds.get(random.nextInt(seeds.size()));
    Path base = Files.write(directory.resolve("base" + seed.ending), seed.bytes);
    Ended run;
    Path kept;
    if (way == Way.DATASET) {
      kept = changed(sound, directory.resolve("dataset"), random);
      run = Ended.run(ofDataset(random, directory.resolve("dataset"), base));
    } else {
      Input input = new Changes(random).of(seed);
      kept = Files.write(directory.resolve("in" + input.ending), input.bytes);
      run = run(random, kept, base);
    }
    String mark = Verdict.of(run, directory);
    if (mark == null && run.line().contains("parquet")) {
      mark = ofAsked(directory.resolve("dataset"));
    }
    ends.merge(run.line().get(0) + " " + run.exit(), 1, Integer::sum);
    if (mark != null) {
      note(number, run, mark, kept);
    }
  }

  private Ended run(Random random, Path in, Path base) throws IOException {
    Choice choice = new Choice(random, in, base);
    return Ended.run(
        switch (way) {
          case COMMANDS -> choice.plain();
          case SQL -> choice.sql();
          case PARQUET -> choice.dataset();
          default -> {
            journal(random, in);
            yield choice.watch();
          }
        });
  }

  /** A journal of a watch that ended, and what a crash may have made of it. */
  private void journal(Random random, Path in) throws IOException {
    String line = "0123456789abcdef0123456789abcdef\t" + Files.size(in) + "\t1\t" + in + "\n";
    byte[] journal = Hostile.bytes(line.repeat(3));
    TextMutator text = new TextMutator(random);
    byte[] changed = new Noise(random).change(random.nextBoolean() ? text.lines(journal) : journal);
    Files.write(in.resolveSibling("journal"), changed);
  }

  /** Changes one file of a copy. */
  private static Path changed(Path sound, Path dataset, Random random) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(sound)) {
      files = all.sorted().toList();
    }
    for (Path file : files) {
      Files.copy(file, dataset.resolve(sound.relativize(file)));
    }
    List<Path> plain =
        files.stream()
            .filter(Files::isRegularFile)
            .filter(file -> !file.endsWith(".lock"))
            .map(file -> dataset.resolve(sound.relativize(file)))
            .toList();
    Path one = plain.get(random.nextInt(plain.size()));
    Files.write(one, new Noise(random).change(Files.readAllBytes(one)));
    return one;
  }

  private static List<String> ofDataset(Random random, Path dataset, Path base) {
    String question = Choice.QUESTIONS.get(random.nextInt(Choice.QUESTIONS.size()));
    return switch (random.nextInt(4)) {
      case 0 -> List.of("compact", dataset.toString());
      case 1 ->
          List.of("convert", base.toString(), "-o", dataset.toString(), "--format", "parquet");
      default -> List.of("sql", question, dataset.toString());
    };
  }

  /** A dataset that was added to is sound, whatever was added. */
  private @Nullable String ofAsked(Path dataset) {
    if (way == Way.DATASET || !Files.exists(dataset.resolve("rows"))) {
      return null;
    }
    for (String table : List.of("samples", "events", "frames")) {
      Ended asked = Ended.run(List.of("sql", "select count(*) from " + table, dataset.toString()));
      if (asked.exit() != 0 || !asked.err().isEmpty()) {
        return "dataset cannot be asked: " + asked.err();
      }
    }
    return null;
  }

  private void note(long number, Ended run, String mark, Path input) throws IOException {
    marks++;
    String kind = mark.replaceAll("[0-9]+", "#");
    if (kinds.add(kind.substring(0, Math.min(60, kind.length())))) {
      String name = way + "-" + number + "-" + Objects.requireNonNull(input.getFileName());
      Path kept = work.resolve(name);
      Files.copy(input, kept, StandardCopyOption.REPLACE_EXISTING);
      System.out.println(number + " " + String.join(" ", run.line()) + " = " + run.exit());
      System.out.println("  " + mark.substring(0, Math.min(900, mark.length())).strip());
      System.out.println("  kept: " + kept);
    }
  }

  private static void delete(Path directory) throws IOException {
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
