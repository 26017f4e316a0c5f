package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds nothing, and what breaks the specification, ends every command in the same way. */
final class EmptinessTest {
  @TempDir private Path directory;

  private Run run(String line, Path in) {
    String text = line.replace("IN", in.toString()).replace("OUT", directory.toString());
    return Run.of(text.split(" "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "report IN",
        "report IN --format=collapsed",
        "report IN --format=pprof -o OUT/x.pb.gz",
        "report IN --format=html",
        "report IN --format=speedscope",
        "report IN --format=json",
        "report IN --format=otlp -o OUT/x.otlp",
        "convert IN -o OUT/x.otlp",
        "convert IN -o OUT/x.pb.gz",
        "convert IN -o OUT/x.speedscope.json",
        "convert IN -o OUT/x.collapsed",
        "diff IN IN",
        "push IN --endpoint http://127.0.0.1:1"
      })
  void whatHoldsNothingIsOneLineInEveryCommand(String line) throws Exception {
    Path otlp = Files.write(directory.resolve("e2.otlp"), new byte[] {0x0A, 0x00});
    Path zeros = Files.writeString(directory.resolve("zero.collapsed"), "a;b 0\n");
    Run none = run(line, otlp);
    assertThat(none.err()).isEqualTo("buftrail: " + otlp + ": holds no profiles\n");
    assertThat(none.exit()).isEqualTo(1);
    Run zero = run(line, zeros);
    assertThat(zero.err())
        .isEqualTo(
            "buftrail: " + zeros + ": holds no samples: each value is 0, or there is none\n");
    assertThat(zero.exit()).isEqualTo(1);
    assertThat(directory.toFile().list()).containsOnly("e2.otlp", "zero.collapsed");
  }

  private Path otlp(ValueType type) throws Exception {
    Dictionary dictionary = new Dictionary();
    Samples samples = Samples.summed(1);
    // The first frame of the stack is no location.
    int known = dictionary.unknownLocation();
    samples.add(dictionary.stacks().intern(new int[] {0, known}, 0, 2), 0, 0, 1);
    Profiles profiles = new Profiles(dictionary);
    profiles.resource().put("", "without a key");
    profiles.add(new Profile("", type, samples, 0).period(type, 1));
    Path file = directory.resolve("in.otlp");
    try (OutputStream out = Files.newOutputStream(file)) {
      new OtlpWriter().write(List.of(profiles), out);
    }
    return file;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "report IN --format=otlp -o OUT/x.otlp",
        "report IN --format=otlp-json -o OUT/x.json",
        "convert IN -o OUT/x.otlp",
        "convert IN -o OUT/x.json"
      })
  void whatCanBeRepairedIsAndTheRestIsRefused(String line) throws Exception {
    Path in = otlp(ValueType.of("samples", "count"));
    assertThat(run("check IN", in).exit()).as("before").isEqualTo(1);
    Run repaired = run(line, in);
    assertThat(repaired.exit()).as(repaired.err()).isZero();
    Path out = Path.of(line.replaceAll(".*OUT", directory.toString()));
    Run checked = run("check IN", out);
    assertThat(checked.exit()).as(checked.err() + checked.out()).isZero();
    Files.delete(out);

    in = otlp(ValueType.of("", ""));
    Run refused = run(line, in);
    assertThat(refused.exit()).isEqualTo(1);
    assertThat(refused.err())
        .startsWith("buftrail: " + in + ": cannot become OTLP that follows the specification: ")
        .contains("sample_type: has no type")
        .hasLineCount(1);
    assertThat(out).doesNotExist();
    assertThat(run("report IN", in).exit()).isZero();
  }

  /** Labels without a key, and locations of which nothing is said. */
  @Test
  void pprofIsRepairedToo() throws Exception {
    byte[] message = {
      0x0A,
      4,
      8,
      1,
      16,
      2, // sample_type: samples, count
      0x12,
      8,
      0x0A,
      1,
      1,
      0x12,
      1,
      5,
      0x1A,
      0, // sample: location 1, value 5, an empty label
      0x22,
      2,
      8,
      1, // location 1
      0x32,
      0, // strings
      0x32,
      7,
      's',
      'a',
      'm',
      'p',
      'l',
      'e',
      's', //
      0x32,
      5,
      'c',
      'o',
      'u',
      'n',
      't', //
      0x5A,
      4,
      8,
      1,
      16,
      2,
      0x60,
      1 // period
    };
    Path in = Files.write(directory.resolve("in.pb"), message);
    Path out = directory.resolve("out.otlp");
    Run run = run("convert IN -o " + out, in);
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run("check IN", out).exit()).as(run("check IN", out).err()).isZero();
    assertThat(run("report IN", out).out()).contains("[unknown]");
  }
}
