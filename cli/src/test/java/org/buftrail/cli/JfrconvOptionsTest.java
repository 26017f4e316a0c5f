package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import one.convert.Arguments;
import one.convert.JfrToFlame;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What jfrconv's options do, beside jfrconv itself, on a recording of async-profiler. */
final class JfrconvOptionsTest {
  private static final Path PACKED =
      Path.of("../jfr/src/test/resources/recordings/async-profiler.jfr.gz");

  @TempDir private Path directory;
  private Path recording = Path.of("");

  @BeforeEach
  void unpack() throws IOException {
    recording = directory.resolve("a.jfr");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(PACKED))) {
      Files.copy(in, recording);
    }
  }

  private Map<String, Long> theirs(String options) throws IOException {
    Path out = directory.resolve("theirs.collapsed");
    List<String> args = new ArrayList<>(List.of("--dot", "-o", "collapsed"));
    args.addAll(List.of(options.split(" ", -1)));
    JfrToFlame.convert(
        recording.toString(), out.toString(), new Arguments(args.toArray(new String[0])));
    return read(out);
  }

  private Map<String, Long> ours(String options) throws IOException {
    Path out = directory.resolve("ours.collapsed");
    List<String> args = new ArrayList<>(List.of("convert", "--dot", "-o", out.toString()));
    args.addAll(List.of(options.split(" ", -1)));
    args.add(recording.toString());
    Run run = Run.of(args.toArray(new String[0]));
    assertThat(run.exit()).as(run.err()).isZero();
    return read(out);
  }

  /** Stacks with their values. Theirs say how a frame was compiled. */
  private static Map<String, Long> read(Path file) throws IOException {
    Map<String, Long> values = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      int blank = line.lastIndexOf(' ');
      String stack = line.substring(0, blank).replaceAll("_\\[[0-9a-z]]", "");
      if (stack.equals("[no stack]")) {
        continue; // jfrconv has no line for a stack without a frame.
      }
      values.merge(stack, Long.parseLong(line.substring(blank + 1)), Long::sum);
    }
    return values;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--cpu|--cpu|219",
        "--wall|--wall|1789",
        "--cpu --simple|--cpu --simple|219",
        "--cpu --reverse|--cpu --reverse|219",
        "--cpu -r|--cpu -r|219",
        "--cpu --skip 2|--cpu --skip 2|215",
        "--cpu --threads|--cpu --threads|219",
        "--cpu --threads --reverse|--cpu --threads --reverse|219",
        "--cpu --threads --skip 1 --simple|--cpu --threads --skip 1 --simple|219",
        "--wall --state sleeping|--wall --state sleeping|-1",
        "--wall --state SLEEPING,runnable|--wall -s sleep,RUNNABLE|-1",
        "--nativemem --leak --total|--leak --total|1201532",
        "--nativemem --leak --tail 0.9 --total|--nativemem --leak --tail 90% --total|-1",
      })
  void anOptionDoesWhatItDoesThere(String theirs, String ours, long total) throws IOException {
    Map<String, Long> expected = theirs(theirs);
    assertThat(expected).isNotEmpty();
    long sum = expected.values().stream().mapToLong(Long::longValue).sum();
    assertThat(sum).isEqualTo(total < 0 ? sum : total);
    assertThat(ours(ours)).isEqualTo(expected);
  }

  /** There, what is left is divided by the grain. */
  @Test
  void aGrainKeepsTheSumsThatItDividesThere() throws IOException {
    Map<String, Long> coarse = ours("--cpu --grain 10");
    assertThat(coarse.values()).allMatch(value -> value % 10 == 0);
    assertThat(total(coarse, "")).isEqualTo(210);
    assertThat(total(theirs("--cpu --grain 10"), "")).isEqualTo(21);
  }

  @Test
  void pagesTakeATitleASearchAndALeastWidth() throws IOException {
    Path page = directory.resolve("page.html");
    List<String> plain = List.of("convert", "--cpu", "-i", recording + "", "-o", page + "");
    assertThat(Run.of(plain.toArray(new String[0])).exit()).isZero();
    assertThat(Files.readString(page)).contains("\"folded\":0").doesNotContain("\"search\":");
    List<String> args = new ArrayList<>(plain);
    args.addAll(List.of("--title", "Mine <1>", "--highlight", "Load.*spin", "--minwidth", "1"));
    Run run = Run.of(args.toArray(new String[0]));
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(Files.readString(page))
        .contains("\"title\":\"Mine \\u003c1>\"", "\"search\":\"Load.*spin\"")
        .doesNotContain("\"folded\":0");
  }

  @Test
  void classifyPutsTheCategoryBelowTheThread() throws IOException {
    Map<String, Long> classified = ours("--cpu --classify");
    assertThat(classified.keySet())
        .allMatch(stack -> stack.matches("\\[(java|native|vm|gc|jit|class_\\w+|lambda_init)];.*"))
        .anyMatch(stack -> stack.startsWith("[java];"))
        .anyMatch(stack -> stack.startsWith("[vm];"));
    long vm = total(theirs("--cpu --classify"), "[vm];");
    assertThat(total(classified, "[vm];")).isEqualTo(vm).isPositive();
    assertThat(ours("--cpu --classify --threads").keySet())
        .allMatch(stack -> stack.matches("\\[.* tid=[0-9]+];\\[\\w+];.*"));
  }

  private static long total(Map<String, Long> stacks, String beginning) {
    return stacks.entrySet().stream()
        .filter(stack -> stack.getKey().startsWith(beginning))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  @Test
  void aStateThatNoThreadIsInIsAFailureThatNamesTheOthers() {
    Run run = Run.of("convert", recording.toString(), "--wall", "--state=napping");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines())
        .containsExactly(
            "buftrail: nothing to convert: no sample is of a thread in state napping, but in"
                + " runnable, sleeping");
  }

  @Test
  void withoutSpansLatencyAndTagAreFailures() {
    for (String option : List.of("--latency=10", "--tag=checkout")) {
      Run run = Run.of("convert", recording.toString(), option);
      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.errLines())
          .containsExactly(
              "buftrail: nothing to convert: there are no spans (profiler.Span) and no traced"
                  + " methods");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--latency=soon, 'soon' is no length of time",
    "--tail=2, '2' is no part of a whole",
    "--skip=-1, --skip -1 is negative",
    "--title=x, '--title, --minwidth and --highlight are for pages, not for otlp'",
    "--highlight=(, --highlight: '(' is no pattern",
    "--grain=2, '--grain is for pages and collapsed stacks, not for otlp'",
    "--grain=-1, --grain -1.0 is no positive number",
    "--minwidth=101 -o html, '--minwidth 101.0 is not from 0 to 100 percent'",
    "--reverse, '--reverse is for pages and collapsed stacks, not for otlp'",
  })
  void whatMakesNoSenseIsWrongUsage(String option, String said) {
    List<String> args = new ArrayList<>(List.of("convert", recording.toString()));
    args.addAll(List.of(option.split(" ", -1)));
    Run run = Run.of(args.toArray(new String[0]));
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains(said);
  }

  @Test
  void aPartOfAKindLeavesTheOthersOut() throws IOException {
    Run none = Run.of("convert", recording.toString(), "--nativelock");
    assertThat(none.exit()).isEqualTo(1);
    assertThat(none.err()).contains("the options select none of its events");
    Run lock = Run.of("convert", recording + "", "--nativelock", "--lock", "-o", "otlp");
    assertThat(lock.exit()).as(lock.err()).isZero();
    assertThat(Written.count(Written.read(directory.resolve("a.otlp")), "lock_enter"))
        .isEqualTo(357);
  }

  /** Without its option each sample keeps no time. */
  @Test
  void leaksHaveTheTimesOfAllocationsOnlyIfAskedFor() throws IOException {
    for (boolean timestamps : new boolean[] {false, true}) {
      List<String> args = new ArrayList<>(List.of("convert", "--leak", recording + ""));
      args.addAll(timestamps ? List.of("--timestamps") : List.of());
      Run run = Run.of(args.toArray(new String[0]));
      assertThat(run.exit()).as(run.err()).isZero();
      assertThat(Written.read(directory.resolve("a.otlp")).profiles())
          .hasSize(2)
          .allMatch(profile -> profile.name().equals("nativemem_unfreed"))
          .allMatch(profile -> profile.samples().isObserved() == timestamps);
    }
  }
}
