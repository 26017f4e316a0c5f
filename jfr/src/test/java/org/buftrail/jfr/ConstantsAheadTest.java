package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether a chunk's constants are read before its events or after them makes no difference. */
final class ConstantsAheadTest {
  /** Where a chunk's header says how far away the last checkpoint is. */
  private static final int CHECKPOINT = 16;

  @TempDir private Path directory;

  /** All values of all profiles, by thread and frames. */
  private static Map<String, Long> everything(Conversion conversion) {
    Profiles profiles = conversion.profiles();
    Map<String, Long> all = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      String name = profile.name() + " " + profile.sampleType().type();
      Flattened.of(profiles, profile.name(), profile.sampleType().type())
          .forEach((key, value) -> all.put(name + " " + key, value));
    }
    return all;
  }

  /** With a selected time, constants are read when it is known which of them events name. */
  private static Conversion inTurn(Path recording) throws IOException {
    return new Converter(Options.DEFAULT.between(1, Long.MAX_VALUE)).convert(List.of(recording));
  }

  private static Conversion ahead(Path recording) throws IOException {
    return new Converter(Options.DEFAULT).convert(List.of(recording));
  }

  @ParameterizedTest
  @ValueSource(strings = {"async-profiler", "jdk11", "jdk21", "jdk25", "jdk-500-50-100"})
  void findsTheSame(String name) throws IOException {
    Path recording = Recordings.unpack(name, directory);
    Map<String, Long> all = everything(ahead(recording));
    assertThat(all).hasSizeGreaterThan(20).isEqualTo(everything(inTurn(recording)));
  }

  @Test
  void doesNotTrustAChainThatLeavesCheckpointsOut() throws IOException {
    Path recording = Recordings.unpack("jdk21", directory);
    Map<String, Long> all = everything(ahead(recording));
    byte[] bytes = Files.readAllBytes(recording);
    ByteBuffer header = ByteBuffer.wrap(bytes);
    Window window =
        new Window(Arrays.copyOf(bytes, bytes.length + Window.SLACK), bytes.length, true);
    long at = header.getLong(CHECKPOINT);
    window.seek(at);
    window.i4();
    window.i8();
    window.i8();
    window.i8();
    long distance = window.i8();
    assertThat(distance).as("distance to the checkpoint before the last").isNegative();
    header.putLong(CHECKPOINT, at + distance);
    Conversion conversion = ahead(Files.write(directory.resolve("short.jfr"), bytes));
    assertThat(everything(conversion)).isEqualTo(all);
    assertThat(conversion.isPartial()).isFalse();
  }

  @Test
  void aConverterThatReadAheadReadsInTurn() throws IOException {
    Path whole = Recordings.unpack("jdk25", directory);
    Path killed = Recordings.unpack("killed-25", directory);
    Converter converter = new Converter(Options.DEFAULT);
    for (Path recording : List.of(whole, killed, whole, killed)) {
      assertThat(everything(converter.convert(List.of(recording))))
          .isEqualTo(everything(ahead(recording)));
    }
  }
}
