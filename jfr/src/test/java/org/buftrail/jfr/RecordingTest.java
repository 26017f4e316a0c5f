package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The way in for programs. */
final class RecordingTest {
  @TempDir private Path directory;

  private static void write(Path in, Path target) throws IOException {
    Profiles profiles = Recording.of(in).profiles();
    try (OutputStream out = Files.newOutputStream(target)) {
      new OtlpWriter().write(profiles, out);
    }
  }

  @Test
  void whatIsWrittenConforms() throws IOException {
    Path target = directory.resolve("app.otlp");
    write(Recordings.unpack("jdk-50-10-100", directory), target);
    Conformance.Result result = Conformance.check(Files.newInputStream(target));
    assertThat(result.violations()).isEmpty();
    // Once in samples, and once in nanoseconds.
    assertThat(result.samples()).isEqualTo(2 * 50);
  }

  @Test
  void inspectingFindsWhatConvertingFindsAndMakesNoProfiles() throws IOException {
    Recording recording = Recording.of(Recordings.unpack("jdk25", directory));
    Conversion converted = recording.convert(Options.DEFAULT);
    Conversion inspected = recording.inspect();
    assertThat(inspected.profiles().profiles()).isEmpty();
    assertThat(counts(inspected)).isEqualTo(counts(converted));
    assertThat(inspected.profiles().resource().asMap())
        .isEqualTo(converted.profiles().resource().asMap());
    assertThat(inspected.stats().start()).isPositive();
    assertThat(inspected.stats().duration()).isPositive();
  }

  private static List<String> counts(Conversion conversion) {
    return conversion.stats().rows().stream()
        .map(row -> row.event() + " " + row.found() + " " + row.bytes())
        .toList();
  }

  @Test
  void aRecordingCanBeConvertedAgainAndTellsHowFarItIs() throws IOException {
    Path file = Recordings.unpack("jdk11", directory);
    Recording recording = Recording.of(file, file);
    assertThat(recording.files()).containsExactly(file, file);
    long[] read = {0};
    Converter converter = new Converter(Options.DEFAULT).progress(bytes -> read[0] = bytes);
    long once = converter.convert(List.of(file)).profiles().profiles().get(0).total();
    assertThat(read[0]).isEqualTo(Files.size(file));
    assertThat(recording.profiles().profiles().get(0).total()).isEqualTo(2 * once);
    assertThat(recording.profiles().profiles().get(0).total()).isEqualTo(2 * once);
  }
}
