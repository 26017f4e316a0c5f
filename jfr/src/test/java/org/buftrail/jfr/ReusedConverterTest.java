package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A converter that has converted good recordings, damaged ones and what is none answers all that a
 * new one answers: profiles, damages, statistics, what was asked for in vain, and errors.
 */
final class ReusedConverterTest {
  private static final List<String> NAMES =
      List.of("jdk-50-10-100", "dd-50-10-100", "jdk21", "jdk25", "async-profiler", "killed-25");
  private static final int ROUNDS = 24;

  @TempDir private Path directory;

  private Path input(Random random, int number) throws IOException {
    Path good = Recordings.unpack(NAMES.get(random.nextInt(NAMES.size())), directory);
    switch (random.nextInt(9)) {
      case 0:
        return Files.writeString(directory.resolve("notes" + number), "these are notes");
      case 1:
        return directory.resolve("missing" + number);
      case 2:
        return Files.createDirectories(directory.resolve("empty" + number));
      case 3, 4:
        return Files.write(directory.resolve("broken" + number + ".jfr"), broken(random, good));
      case 5:
        byte[] bytes = Files.readAllBytes(good);
        int length = random.nextInt(bytes.length);
        return Files.write(directory.resolve("cut" + number), Arrays.copyOf(bytes, length));
      default:
        return good;
    }
  }

  static byte[] broken(Random random, Path good) throws IOException {
    byte[] bytes = Files.readAllBytes(good);
    for (int i = 1 + random.nextInt(60); i > 0; i--) {
      bytes[random.nextInt(random.nextInt(9) == 0 ? 200 : bytes.length)] ^= (byte) random.nextInt();
    }
    return bytes;
  }

  /** All that a conversion answers, as text. */
  static String answer(Converter converter, List<Path> inputs) throws IOException {
    StringBuilder answer = new StringBuilder();
    try {
      Conversion conversion = converter.convert(Recording.matching(inputs));
      byte[] written = new OtlpWriter().toByteArray(conversion.profiles());
      answer.append("converted\n").append(conversion.isPartial()).append(conversion.damages());
      Stats stats = conversion.stats();
      for (Stats.Row row : stats.rows()) {
        List<Long> numbers = List.of(row.found(), row.converted(), row.skipped(), row.bytes());
        answer.append('\n').append(row.event()).append(numbers).append(row.why());
      }
      List<Long> totals = List.of(stats.bytes(), stats.start(), stats.duration());
      answer.append('\n').append(totals).append(stats.chunks());
      answer.append('\n').append(conversion.unmet());
      answer.append('\n').append(HexFormat.of().formatHex(written));
    } catch (RecordingException e) {
      answer.append("failed\n").append(e.getMessage()).append(Arrays.asList(e.getSuppressed()));
    }
    return answer.toString();
  }

  private static Options options(long seed) {
    Options.Event named = Options.Event.parse("jdk.JavaMonitorEnter:duration:ms");
    return switch ((int) (seed % 3)) {
      case 0 -> Options.DEFAULT;
      case 1 -> Options.DEFAULT.timestamps(true).events(List.of(named));
      default -> Options.DEFAULT.threads(true).events(List.of(named));
    };
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void answersWhatANewOneAnswers(long seed) throws IOException {
    Random random = new Random(seed);
    Converter used = new Converter(options(seed));
    Set<String> ends = new TreeSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<Path> inputs = new ArrayList<>();
      for (int i = 1 + random.nextInt(3); i > 0; i--) {
        inputs.add(input(random, round * 10 + i));
      }
      String expected = answer(new Converter(options(seed)), inputs);
      String found = answer(used, inputs);
      assertThat(found.lines().toList())
          .as("seed %s, round %s of %s", seed, round, inputs)
          .isEqualTo(expected.lines().toList());
      ends.add(expected.startsWith("failed") ? "failed" : expected.substring(10, 14));
    }
    assertThat(ends).contains("failed", "fals", "true");
  }

  /** Wherever it was interrupted, nothing of it is left. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void whatWasInterruptedLeavesNothing(int report) throws IOException {
    Path good = Recordings.unpack("jdk25", directory);
    int[] reports = new int[1];
    boolean[] armed = {true};
    Converter used =
        new Converter(Options.DEFAULT)
            .progress(
                bytes -> {
                  if (armed[0] && ++reports[0] == report) {
                    Thread.currentThread().interrupt();
                  }
                });
    String interrupted = answer(used, List.of(good, good, good, good));
    boolean hit = Thread.interrupted();
    assertThat(interrupted.startsWith("failed")).isEqualTo(hit);
    armed[0] = false;
    assertThat(answer(used, List.of(good)))
        .isEqualTo(answer(new Converter(Options.DEFAULT), List.of(good)));
  }
}
