package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.read.OtlpReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Go's own pprof reads what {@code convert} writes. Runs with {@code -Dpprof}, if Go is there. */
@Tag("pprof")
final class PprofIT {
  private static final Path RECORDINGS = Path.of("../jfr/src/test/resources/recordings");
  // Some versions of the tool list samples without a stack, some do not: they are left out here.
  private static final Pattern SAMPLE = Pattern.compile("^ +(\\d+) +(\\d+): (\\d[0-9 ]*)$");
  private static final Pattern ONE_VALUE = Pattern.compile("^ +(\\d+): (\\d[0-9 ]*)$");
  private static final Pattern TOP =
      Pattern.compile("^ *(\\d+) +\\S+ +\\S+ +(\\d+) +\\S+ {2}(\\S+) :(\\d+)$");

  @TempDir private Path directory;

  private String raw(Path profile) throws Exception {
    return pprof("-raw", profile.toString());
  }

  private static String pprof(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("go", "tool", "pprof"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(text).isZero();
    return text;
  }

  /** For each column of values its sum, then how many samples and frames there are. */
  private static List<Long> sums(String raw) {
    long first = 0;
    long second = 0;
    long samples = 0;
    long frames = 0;
    for (String line : raw.lines().toList()) {
      Matcher two = SAMPLE.matcher(line);
      Matcher one = ONE_VALUE.matcher(line);
      if (two.matches()) {
        first += Long.parseLong(two.group(1));
        second += Long.parseLong(two.group(2));
        frames += two.group(3).strip().split(" +", -1).length;
        samples++;
      } else if (one.matches()) {
        first += Long.parseLong(one.group(1));
        frames += one.group(2).strip().split(" +", -1).length;
        samples++;
      }
    }
    return List.of(first, second, samples, frames);
  }

  private List<Long> expected(String kind) throws Exception {
    Profiles profiles;
    try (InputStream in =
        new ByteArrayInputStream(Files.readAllBytes(directory.resolve("x.otlp")))) {
      profiles = OtlpReader.read(in).get(0);
    }
    List<Profile> ofKind = new ArrayList<>();
    profiles.profiles().stream().filter(p -> p.name().equals(kind)).forEach(ofKind::add);
    long[] sums = new long[4];
    Profile one = ofKind.get(0);
    for (int i = 0; i < one.samples().size(); i++) {
      int depth = profiles.dictionary().stacks().depth(one.samples().stack(i));
      if (depth > 0) {
        sums[0] += one.value(i);
        boolean isTime = one.sampleType().unit().equals("count");
        long time = isTime ? one.value(i) * one.period() : 0;
        sums[1] += ofKind.size() > 1 ? ofKind.get(1).value(i) : time;
        sums[2]++;
        sums[3] += depth;
      }
    }
    return List.of(sums[0], sums[1], sums[2], sums[3]);
  }

  private void compare(String recording, String option, String kind) throws Exception {
    String in = RECORDINGS.resolve(recording + ".jfr.gz").toAbsolutePath().toString();
    for (String out : List.of("x.pb.gz", "x.otlp")) {
      ForkedJvm.Result result = new ForkedJvm(directory).runJar("convert", in, "-o", out, option);
      assertThat(result.exit()).as(result.err()).isZero();
    }
    Path file = directory.resolve("x.pb.gz");
    Path ofKind = directory.resolve("x." + kind + ".pb.gz");
    assertThat(sums(raw(Files.exists(ofKind) ? ofKind : file))).isEqualTo(expected(kind));
  }

  @Test
  void samplesValuesAndFramesAreThere() throws Exception {
    compare("jdk-500-50-100", "--cpu", "cpu");
    compare("async-profiler", "--nativemem", "nativemem");
    compare("jdk25", "--alloc", "alloc_sampled");
  }

  @Test
  void functionsAndLinesAreThere() throws Exception {
    compare("jdk-50-10-100", "--cpu", "cpu");
    Path file = directory.resolve("x.pb.gz");
    assertThat(raw(file)).contains("PeriodType: cpu nanoseconds");
    String top =
        pprof(
            "-top",
            "-sample_index=samples",
            "-lines",
            "-nodecount=0",
            "-nodefraction=0",
            file.toString());
    Map<String, List<Long>> listed = new TreeMap<>();
    for (String line : top.lines().toList()) {
      Matcher row = TOP.matcher(line);
      if (row.matches()) {
        List<Long> values = List.of(Long.parseLong(row.group(1)), Long.parseLong(row.group(2)));
        listed.put(row.group(3) + ":" + row.group(4), values);
      }
    }
    assertThat(listed).hasSizeGreaterThan(400).isEqualTo(lines("cpu"));
  }

  /** How many samples have a function's line as leaf, and how many have it anywhere. */
  private Map<String, List<Long>> lines(String kind) throws Exception {
    Map<String, List<Long>> lines = new TreeMap<>();
    Profiles profiles =
        OtlpReader.read(new ByteArrayInputStream(Files.readAllBytes(directory.resolve("x.otlp"))))
            .get(0);
    for (Profile profile : profiles.profiles()) {
      assertThat(profile.name()).isEqualTo(kind);
      for (int i = 0; i < profile.samples().size(); i++) {
        Set<String> seen = new HashSet<>();
        int stack = profile.samples().stack(i);
        for (int frame = 0; frame < profiles.dictionary().stacks().depth(stack); frame++) {
          String line = line(profiles.dictionary(), stack, frame);
          List<Long> before = lines.getOrDefault(line, List.of(0L, 0L));
          long value = profile.value(i);
          lines.put(
              line,
              List.of(
                  before.get(0) + (frame == 0 ? value : 0),
                  before.get(1) + (seen.add(line) ? value : 0)));
        }
      }
    }
    return lines;
  }

  private static String line(Dictionary dictionary, int stack, int frame) {
    int location = dictionary.stacks().location(stack, frame);
    int function = dictionary.locations().function(location);
    return dictionary.strings().get(dictionary.functions().name(function))
        + ":"
        + dictionary.locations().line(location);
  }
}
