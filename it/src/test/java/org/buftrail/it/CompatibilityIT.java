package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.read.OtlpReader;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that earlier builds wrote say the same today; docs/compatibility.md promises it.
 *
 * <p>Each is of one program, followed by the agent of the commit in its name: of ten pooled buffers
 * it released five, leaked three of 256 bytes in {@code Shop.refuse}, and kept two of 128 bytes in
 * {@code Shop.keep}; another one it released twice. The later two commits followed files too, of
 * which six were closed.
 */
final class CompatibilityIT {
  @TempDir private Path directory;

  private void copy(String name, String to) throws IOException {
    try (InputStream in = CompatibilityIT.class.getResourceAsStream("/older/" + name)) {
      Files.copy(Objects.requireNonNull(in, name), directory.resolve(to));
    }
  }

  private void run(String... arguments) throws Exception {
    ForkedJvm.Result result = new ForkedJvm(directory).runJar(arguments);
    assertThat(result.exit()).as(result.err()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ac60439", "73b28f9", "46f960f"})
  void snapshotsOfEarlierBuildsAreRead(String commit) throws Exception {
    copy("flows-" + commit + ".json", "older.json");
    run("report", "older.json", "-o", "newer.json");
    FlowsFile older = FlowsFile.read(directory.resolve("older.json"));
    FlowsFile newer = FlowsFile.read(directory.resolve("newer.json"));
    long files = commit.equals("ac60439") ? 0 : 6;
    assertThat(newer.total("allocated")).isEqualTo(11 + files);
    assertThat(newer.total("released")).isEqualTo(6 + files);
    assertThat(newer.total("leaked")).isEqualTo(3);
    assertThat(newer.total("leakedBytes")).isEqualTo(768);
    assertThat(newer.total("live")).isEqualTo(2);
    assertThat(newer.total("liveBytes")).isEqualTo(256);
    assertThat(newer.paths()).containsExactlyElementsOf(older.paths());
    assertThat(newer.misuses()).hasSize(1).containsExactlyElementsOf(older.misuses());
    run("report", "older.json", "-o", "older.txt");
    assertThat(Files.readString(directory.resolve("older.txt")))
        .contains("LEAK 1 of 1  CRITICAL (direct memory)  3 flows, 768 B")
        .contains("last seen in app.Shop.refuse:25");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ac60439", "46f960f"})
  void recordingsOfEarlierBuildsAreConverted(String commit) throws Exception {
    copy("flows-" + commit + ".jfr.gz", "older.jfr.gz");
    run("convert", "older.jfr.gz", "-o", "older.otlp");
    Map<String, Long> sums = new TreeMap<>();
    try (InputStream in = Files.newInputStream(directory.resolve("older.otlp"))) {
      Profiles profiles = OtlpReader.read(in).get(0);
      for (Profile profile : profiles.profiles()) {
        long sum = 0;
        for (int i = 0; i < profile.samples().size(); i++) {
          sum += profile.value(i);
        }
        sums.put(profile.name() + " " + profile.sampleType(), sum);
      }
    }
    assertThat(sums)
        .containsEntry("flow_leaked leaked_objects/count", 3L)
        .containsEntry("flow_leaked leaked_space/bytes", 768L)
        .containsEntry("flow_live live_objects/count", 2L)
        .containsEntry("flow_live live_space/bytes", 256L);
  }
}
