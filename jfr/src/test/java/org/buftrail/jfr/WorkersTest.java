package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which threads decode the chunks, and how many at once, does not change the outcome. */
final class WorkersTest {
  private static final List<String> NAMES =
      List.of(
          "jdk-50-10-100",
          "jdk-500-50-100",
          "dd-50-10-100",
          "dd-500-50-100",
          "jdk11",
          "jdk21",
          "jdk25",
          "async-profiler",
          "killed-17",
          "killed-25");

  @TempDir private static Path directory;

  /** What comes out without workers, by input and options: the same for all tests. */
  private static final Map<String, List<String>> ALONE = new HashMap<>();

  /** All recordings as one file of many chunks, of several processes, some twice. */
  private static Path joined;

  /** What is converted: sound and damaged recordings, alone and together. */
  private static List<List<Path>> inputs;

  @BeforeAll
  static void makeInputs() throws IOException {
    List<Path> all = new ArrayList<>();
    for (String name : NAMES) {
      all.add(Recordings.unpack(name, directory));
    }
    ByteArrayOutputStream twice = new ByteArrayOutputStream();
    for (int round = 0; round < 2; round++) {
      for (Path file : all) {
        twice.writeBytes(Files.readAllBytes(file));
      }
    }
    joined = Files.write(directory.resolve("joined.jfr"), twice.toByteArray());
    inputs = new ArrayList<>();
    for (Path file : all) {
      inputs.add(List.of(file));
    }
    inputs.add(all);
    inputs.add(List.of(joined));
    List<Path> broken = new ArrayList<>();
    Random random = new Random(5);
    for (int i = 0; i < 12; i++) {
      byte[] bytes = ReusedConverterTest.broken(random, i < 8 ? all.get(i) : joined);
      broken.add(Files.write(directory.resolve("broken" + i + ".jfr"), bytes));
      inputs.add(List.of(broken.get(i)));
    }
    broken.add(3, directory.resolve("missing.jfr"));
    broken.add(7, Files.writeString(directory.resolve("notes.jfr"), "these are notes"));
    inputs.add(broken);
  }

  private static void compare(List<List<Path>> inputs, Executor executor, int workers)
      throws IOException {
    compare(inputs, executor, workers, "", Options.DEFAULT);
  }

  /**
   * Converts with workers and without.
   *
   * @param label tells the options from others
   */
  private static void compare(
      List<List<Path>> inputs, Executor executor, int workers, String label, Options options)
      throws IOException {
    Converter helped = new Converter(options).workers(executor, workers);
    Converter alone = new Converter(options);
    for (List<Path> input : inputs) {
      String key = input + label;
      List<String> expected = ALONE.get(key);
      if (expected == null) {
        expected = ReusedConverterTest.answer(alone, input).lines().toList();
        ALONE.put(key, expected);
      }
      assertThat(ReusedConverterTest.answer(helped, input).lines().toList())
          .as("%s with %s workers", key, workers)
          .isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void makeTheSameBytes(int workers) throws IOException {
    ExecutorService executor = Executors.newFixedThreadPool(workers);
    try {
      compare(inputs, executor, workers);
      Options timed = Options.DEFAULT.timestamps(true);
      compare(List.of(List.of(joined)), executor, workers, " with times", timed);
    } finally {
      executor.shutdownNow();
    }
  }

  /** A number that is cut off by its chunk's end does not go on in the next chunk. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void seeNothingBehindTheirChunk(int workers) throws IOException {
    byte[] whole = Files.readAllBytes(Recordings.unpack(NAMES.get(0), directory));
    byte[] longer = Arrays.copyOf(whole, whole.length + 1);
    longer[whole.length] = (byte) 0x80;
    ByteBuffer.wrap(longer).putLong(8, longer.length);
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(longer);
    both.writeBytes(whole);
    Path file = Files.write(directory.resolve("cut-number.jfr"), both.toByteArray());
    Converter alone = new Converter(Options.DEFAULT);
    Converter converter = workers == 1 ? alone : alone.workers(Runnable::run, workers);
    Conversion conversion = converter.convert(List.of(file));
    assertThat(conversion.damages())
        .extracting(Damage::cause)
        .containsExactly("an event of 0 bytes");
  }

  @Test
  void needNotAnswer() throws IOException {
    compare(List.of(List.of(joined)), task -> {}, 3);
  }

  @Test
  void mayRefuse() throws IOException {
    Executor refusing =
        task -> {
          throw new RejectedExecutionException();
        };
    compare(List.of(List.of(joined)), refusing, 3);
  }

  @Test
  void areAskedAgainAfterARefusal() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger ran = new AtomicInteger();
    Executor full =
        task -> {
          if (asked.getAndIncrement() % 2 == 0) {
            throw new RejectedExecutionException();
          }
          ran.incrementAndGet();
          task.run();
        };
    compare(List.of(List.of(joined)), full, 3);
    assertThat(asked)
        .hasValue(new Converter(Options.DEFAULT).convert(List.of(joined)).stats().chunks());
    assertThat(ran).hasValue(asked.get() / 2);
  }

  @Test
  void mayCarryInterrupts() throws IOException {
    AtomicInteger kept = new AtomicInteger();
    AtomicInteger lost = new AtomicInteger();
    Executor interrupted =
        task -> {
          Runnable carrying =
              () -> {
                Thread.currentThread().interrupt();
                task.run();
                (Thread.interrupted() ? kept : lost).incrementAndGet();
              };
          Thread thread = new Thread(carrying);
          thread.start();
        };
    compare(List.of(List.of(joined)), interrupted, 2);
    assertThat(lost).hasValue(0);
    assertThat(kept.get()).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5})
  void holdNoMoreChunksThanWorkers(int workers) throws IOException {
    AtomicInteger begun = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    ExecutorService executor = Executors.newFixedThreadPool(workers);
    AtomicInteger merged = new AtomicInteger();
    Executor counting =
        task -> {
          int inFlight = begun.incrementAndGet() - merged.get();
          most.accumulateAndGet(inFlight, Math::max);
          executor.execute(task);
        };
    try {
      Conversion conversion =
          new Converter(Options.DEFAULT)
              .workers(counting, workers)
              .progress(bytes -> merged.incrementAndGet())
              .convert(List.of(joined));
      assertThat(begun).hasValue(conversion.stats().chunks());
      assertThat(merged).hasValue(conversion.stats().chunks());
      assertThat(most).hasValueBetween(2, workers);
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void areAtLeastOne() {
    Converter converter = new Converter(Options.DEFAULT);
    assertThatThrownBy(() -> converter.workers(Runnable::run, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("0 workers");
  }
}
