package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

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
