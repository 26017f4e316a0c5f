package org.buftrail.cli.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.cli.Run;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.profile.output.ProfileWriters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class OfTraceTest {
  private static final String RECORDING = "../jfr/src/test/resources/recordings/jdk25.jfr.gz";

  @TempDir private Path directory = Path.of("");

  private final Dictionary dictionary = new Dictionary();

  private Profiles profiles() {
    Samples samples = Samples.summed(1);
    samples.add(0, 0, 0, 1);
    samples.add(0, 0, dictionary.links().intern(0, 0xab, 5), 10);
    samples.add(0, 0, dictionary.links().intern(0, 0xab, 6), 100);
    samples.add(0, 0, dictionary.links().intern(7, 0xab, 5), 1_000);
    int root = dictionary.attributes().intern("datadog.local_root_span.id", "00000000000000cd");
    samples.add(0, dictionary.attributeSets().intern(root), 0, 10_000);
    int label = dictionary.attributes().intern("trace_id", "000000000000000800000000000000ef");
    samples.add(0, dictionary.attributeSets().intern(label), 0, 100_000);
    return new Profiles(dictionary)
        .add(new Profile("cpu", ValueType.of("samples", "count"), samples, 0));
  }

  private long total(String id) throws NothingLeft {
    return ProfileSelection.ofTrace(profiles(), id, false).profiles().get(0).total();
  }

  @Test
  void samplesOfAllSpansOfTheTraceStay() throws NothingLeft {
    assertThat(total("AB")).isEqualTo(110);
    assertThat(total("000000000000000700000000000000ab")).isEqualTo(1_000);
    assertThat(total("cd")).isEqualTo(10_000);
    assertThat(total("800000000000000EF")).isEqualTo(100_000);
    assertThatThrownBy(() -> total("12")).isInstanceOf(NothingLeft.class);
  }

  @Test
  void theOptionSaysWhatIsWrong() {
    String out = directory.resolve("x.html").toString();
    Run none = Run.of("convert", RECORDING, "-o", out, "--trace-id", "ab");
    assertThat(none.exit()).isEqualTo(1);
    assertThat(none.err()).contains("no sample was taken for the trace ab");
    Run wrong = Run.of("convert", RECORDING, "-o", out, "--trace-id", "xyz");
    assertThat(wrong.exit()).isEqualTo(2);
    assertThat(wrong.err()).contains("--trace-id takes up to 32 hexadecimal digits, not xyz");
  }

  /** Profiles of each form, read by both commands. */
  @ParameterizedTest
  @ValueSource(strings = {"otlp", "otlp.json", "pb.gz"})
  void aTraceIsChosenOfProfilesToo(String ending) throws IOException {
    Path all = directory.resolve("all." + ending);
    try (OutputStream out = Files.newOutputStream(all)) {
      ProfileWriters.of(ProfileFormat.ofFile(all.toString()).orElseThrow())
          .write(List.of(profiles()), out);
    }
    String out = directory.resolve("one.txt").toString();
    for (String command : List.of("convert", "report")) {
      Run run = Run.of(command, all.toString(), "--trace-id", "ab", "-o", out);
      assertThat(run.exit()).as(run.err()).isZero();
      assertThat(Files.readString(Path.of(out))).as(command).contains("  110, 2 samples");
      Run none = Run.of(command, all.toString(), "--trace-id", "12", "-o", out);
      assertThat(none.exit()).isEqualTo(1);
      assertThat(none.err()).contains("no sample was taken for the trace 12");
      assertThat(Run.of(command, all.toString(), "--trace-id", "xyz", "-o", out).exit())
          .isEqualTo(2);
    }
  }
}
