package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Whatever the bytes, conversion ends, and ends in profiles that conform or in one clear line. */
final class FuzzTest {
  private static final List<String> NAMES =
      List.of("jdk-50-10-100", "dd-50-10-100", "jdk21", "killed-25", "async-profiler");
  private static final byte[][] SEEDS = seeds();

  private static byte[][] seeds() {
    try {
      Path directory = Files.createTempDirectory("seeds");
      byte[][] all = new byte[NAMES.size()][];
      for (int i = 0; i < all.length; i++) {
        Path file = Recordings.unpack(NAMES.get(i), directory);
        all[i] = Files.readAllBytes(file);
        Files.delete(file);
      }
      Files.delete(directory);
      return all;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @RepeatedTest(300)
  void mutatedRecordings(RepetitionInfo seed) throws IOException {
    Random generator = new Random(seed.getCurrentRepetition());
    byte[] bytes = SEEDS[seed.getCurrentRepetition() % SEEDS.length].clone();
    for (int i = 1 + generator.nextInt(200); i > 0; i--) {
      boolean header = generator.nextInt(4) == 0;
      int at = generator.nextInt(header ? 200 : bytes.length);
      bytes[at] = (byte) (generator.nextBoolean() ? generator.nextInt() : bytes[at] ^ 0x80);
    }
    convert(bytes, generator.nextBoolean());
  }

  @RepeatedTest(300)
  void recordingsBrokenInTheirStructure(RepetitionInfo seed) throws IOException {
    structured(seed.getCurrentRepetition());
  }

  /** Goes on for {@code -Dmutations.seconds}, with other seeds each time. */
  @Test
  @EnabledIfSystemProperty(named = "mutations.seconds", matches = "\\d+")
  void recordingsBrokenInTheirStructureForLong() {
    long end = System.nanoTime() + Long.getLong("mutations.seconds") * 1_000_000_000L;
    long cases = 0;
    for (long seed = System.nanoTime(); System.nanoTime() < end; seed++) {
      long each = seed;
      assertThatCode(() -> structured(each)).as("seed %s", each).doesNotThrowAnyException();
      cases++;
    }
    System.out.println(cases + " broken recordings");
  }

  /** Besides, who decodes changes nothing. */
  private static void structured(long seed) throws IOException {
    byte[] bytes = new RecordingMutator(seed).mutate(SEEDS[Math.floorMod(seed, SEEDS.length)]);
    convert(bytes, seed % 2 == 0);
    Path file = Files.createTempFile("fuzz", ".jfr");
    try {
      Files.write(file, bytes);
      Converter helped = new Converter(Options.DEFAULT).workers(Runnable::run, 2);
      assertThat(ReusedConverterTest.answer(helped, List.of(file)))
          .isEqualTo(ReusedConverterTest.answer(new Converter(Options.DEFAULT), List.of(file)));
    } finally {
      Files.delete(file);
    }
  }

  @RepeatedTest(100)
  void truncatedRecordings(RepetitionInfo seed) throws IOException {
    Random generator = new Random(seed.getCurrentRepetition());
    byte[] bytes = SEEDS[seed.getCurrentRepetition() % SEEDS.length];
    convert(Arrays.copyOf(bytes, generator.nextInt(bytes.length)), false);
  }

  private static void convert(byte[] bytes, boolean timestamps) throws IOException {
    Path file = Files.createTempFile("fuzz", ".jfr");
    try {
      Files.write(file, bytes);
      Options options = Options.DEFAULT.timestamps(timestamps);
      Conversion conversion = new Converter(options).convert(List.of(file));
      if (conversion.profiles().profiles().isEmpty()) {
        return;
      }
      byte[] written = new OtlpWriter().toByteArray(conversion.profiles());
      assertThat(Conformance.check(new ByteArrayInputStream(written)).violations()).isEmpty();
    } catch (RecordingException e) {
      assertThat(e.getMessage()).startsWith(file + ": ").doesNotContain("\n");
    } finally {
      Files.delete(file);
    }
  }
}
