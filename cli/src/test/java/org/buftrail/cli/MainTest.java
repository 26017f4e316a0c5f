package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class MainTest {
  @Test
  void helpGoesToStandardOutputAndSucceeds() {
    Run run = Run.of("--help");
    assertThat(run.exit()).isZero();
    assertThat(run.out()).contains("Usage: buftrail").contains("Exit codes: 0 done");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void versionIsOneLine() {
    Run run = Run.of("--version");
    assertThat(run.exit()).isZero();
    assertThat(run.out()).matches("buftrail \\S.*\\R");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void anUnknownOptionIsOneLineAndExitCode2() {
    Run run = Run.of("--nonsense");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .isEqualToNormalizingNewlines(
            "buftrail: unknown option '--nonsense'; see buftrail --help\n");
    assertThat(run.out()).isEmpty();
  }

  /** The list shows the first element of a description alone. */
  @Test
  void helpSaysInWholeSentencesWhatEachCommandDoes() {
    String help = Run.of("--help").out();
    String list = help.substring(help.indexOf("Commands:\n"), help.indexOf("\n\nAs an agent"));
    List<String> commands = List.of(list.split("\n  (?=[a-z])", -1));
    assertThat(commands).hasSizeGreaterThan(14);
    assertThat(commands.subList(1, commands.size())).allMatch(text -> text.endsWith("."));
  }

  /** The script, in a bash that asks it what could follow. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void completionKnowsCommandsAndOptions(@TempDir Path directory) throws Exception {
    Run run = Run.of("completion");
    assertThat(run.exit()).isZero();
    Path script = Files.writeString(directory.resolve("buftrail.bash"), run.out());
    assertThat(completed(script, "buftrail", "con")).containsExactly("convert");
    assertThat(completed(script, "buftrail", "convert", "--cpu-")).containsExactly("--cpu-time");
    assertThat(completed(script, "buftrail", "convert", "--format", "spe"))
        .containsExactly("speedscope");
  }

  private static List<String> completed(Path script, String... words) throws Exception {
    String line = String.join(" ", words);
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                ". '"
                    + script
                    + "'; COMP_WORDS=("
                    + line
                    + "); COMP_CWORD="
                    + (words.length - 1)
                    + "; _complete_buftrail; printf '%s\\n' \"${COMPREPLY[@]}\"")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String found = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).isZero();
    return found.lines().map(String::strip).filter(word -> !word.isEmpty()).toList();
  }

  @Test
  void helpSaysWhatEachKindOfProfileIs() {
    for (String command : List.of("convert", "push")) {
      String help = Run.of(command, "--help").out().replaceAll("\\s+", " ");
      assertThat(help)
          .contains("--cpu Threads running on a processor: cpu, cpu_datadog, native, cpu_time.")
          .contains("--live Java objects alive: live, live_datadog, live_old.")
          .contains(
              "--netty Netty buffers: netty, netty_live, netty_chunks, netty_chunks_live,"
                  + " flow_leaked, flow_live, flow_misused.");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "help", "help --help"})
  void whoAsksNothingIsHelped(String line) {
    Run run = line.isEmpty() ? Run.of() : Run.of(line.split(" ", -1));
    assertThat(run).isEqualTo(Run.of("--help"));
  }

  @Test
  void helpOfACommandIsItsOwn() {
    assertThat(Run.of("help", "report")).isEqualTo(Run.of("report", "--help"));
    assertThat(Run.of("help", "report").out()).startsWith("Usage: buftrail report");
    assertThat(Run.of("version")).isEqualTo(Run.of("--version"));
    assertThat(Run.of("help", "reprot").err()).contains("did you mean 'report'?");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "conver x.jfr|unknown command 'conver' (did you mean 'convert'?); see buftrail --help",
        "atach|unknown command 'atach' (did you mean 'attach'?); see buftrail --help",
        "frobnicate|unknown command 'frobnicate'; see buftrail --help",
        "convert x.jfr --outptu=y|unknown option '--outptu=y' (did you mean '--output'?);"
            + " see buftrail convert --help",
        "dump 12 34|unknown argument '34'; see buftrail dump --help",
        "top 12 --interval x|--interval: 'x' is not a whole number; see buftrail top --help",
        "top 12 --interval|--interval needs SECONDS; see buftrail top --help",
        "report|FLOWS is missing; see buftrail report --help",
        "push x --header a|--header: 'a' is not NAME=VALUE; see buftrail push --help",
      })
  void aWrongWordIsOneLineWithTheRightOne(String line, String said) {
    Run run = Run.of(line.split(" ", -1));
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.errLines()).containsExactly("buftrail: " + said);
  }

  @Test
  void aFileForAnotherCommandIsSentThere(@TempDir Path directory) throws IOException {
    Path snapshot = directory.resolve("flows.json");
    Files.writeString(snapshot, "{\"format\":\"buftrail.flows\",\"version\":1}");
    Path other = Files.writeString(directory.resolve("notes.txt"), "notes");
    String taken = "; it is a flow snapshot: buftrail report " + snapshot;
    Run run = Run.of("info", snapshot.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines())
        .containsExactly("buftrail: " + snapshot + ": not a flight recording" + taken);
    Run report = Run.of("report", other.toString());
    assertThat(report.exit()).isEqualTo(1);
    assertThat(report.errLines())
        .containsExactly(
            "buftrail: "
                + other
                + ": holds no profiles, being none of: a flight recording, a flow snapshot,"
                + " OpenTelemetry profiles in JSON, collapsed stacks, OpenTelemetry profiles, a"
                + " pprof profile");
  }

  /** Breaks help between words, and not behind the dots and colons in them. */
  @Test
  void helpBreaksNoWord() {
    List<String> commands =
        Run.of("--help").out().lines().filter(line -> line.matches("  [a-z]+ {2,}\\S.*")).toList();
    assertThat(commands).hasSizeGreaterThan(15);
    for (String line : commands) {
      String command = line.strip().split(" ", 2)[0];
      String narrow = Run.of(command, "--help").out();
      assertThat(words(narrow)).as(command).isEqualTo(words(wide(command, "--help")));
    }
    assertThat(words(Run.of("--help").out())).isEqualTo(words(wide("--help")));
  }

  private static String wide(String... arguments) {
    System.setProperty("picocli.usage.width", "5000");
    try {
      return Run.of(arguments).out();
    } finally {
      System.clearProperty("picocli.usage.width");
    }
  }

  private static List<String> words(String text) {
    return List.of(text.strip().split("\\s+"));
  }
}
