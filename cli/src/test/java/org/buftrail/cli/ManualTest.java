package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.options.Option;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The manual page and what fish completes have all that help has. */
final class ManualTest {
  private static final Pattern LONG = Pattern.compile("(?m)^ {2}(?:-.,| {3}) --([a-z-]+)");
  private static final Pattern NAME = Pattern.compile("(?m)^ {2}([a-z]+) ");

  private static Set<String> found(Pattern pattern, String text) {
    Set<String> found = new TreeSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    return found;
  }

  private static Set<String> commands() {
    String help = Run.of("--help").out();
    return found(NAME, help.substring(help.indexOf("Commands:\n"), help.indexOf("As an agent")));
  }

  @Test
  void thePageHasEveryCommandWithItsOptions() {
    String page = Run.of("man").out();
    assertThat(commands()).hasSizeGreaterThan(15);
    for (String command : commands()) {
      int start = page.indexOf(".SS \"" + command + "\"\n");
      assertThat(start).as(command).isPositive();
      int next = page.indexOf(".SS ", start + 1);
      String section = page.substring(start, next < 0 ? page.length() : next).replace("\\-", "-");
      Set<String> options = found(LONG, Run.of(command, "--help").out());
      options.removeAll(Set.of("help", "version"));
      assertThat(found(Pattern.compile("(?m)^\\.B \"(?:-., )?--([a-z-]+)"), section))
          .as(command)
          .isEqualTo(options);
    }
    assertThat(page).contains("Exit codes: 0 done, 1 failed").doesNotContain("%n", "%%", "${");
  }

  @Test
  void helpOfAttachAndThePageHaveEveryOptionOfTheAgent() {
    String help = Run.of("attach", "--help").out();
    String page = Run.of("man").out().replace("\\-", "-");
    for (Option option : Option.values()) {
      assertThat(help).contains("\n  " + option.example());
      assertThat(page).contains(".B \"" + option.example() + "\"\n");
    }
    assertThat(help)
        .contains("number from 1 to 1,048,576; without it: 1")
        .doesNotContain("](", "`");
  }

  @Test
  void thePageIsWellFormed(@TempDir Path directory) throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/groff")));
    Path page = Files.writeString(directory.resolve("buftrail.1"), Run.of("man").out());
    Process groff =
        new ProcessBuilder("groff", "-man", "-Tascii", "-ww", "-z", page.toString())
            .redirectErrorStream(true)
            .start();
    assertThat(groff.inputReader().lines()).isEmpty();
    assertThat(groff.waitFor()).isZero();
  }

  @Test
  void fishCompletesEveryCommandAndOption() {
    String script = Run.of("completion", "fish").out();
    assertThat(found(Pattern.compile("'__fish_use_subcommand' -a ([a-z]+) -d '"), script))
        .isEqualTo(commands());
    for (String command : commands()) {
      String lines =
          script
              .lines()
              .filter(line -> line.contains("'__fish_seen_subcommand_from " + command + "'"))
              .reduce("", (all, line) -> all + line + "\n");
      assertThat(found(Pattern.compile(" -l ([a-z-]+)"), lines))
          .as(command)
          .isEqualTo(found(LONG, Run.of(command, "--help").out()));
    }
    assertThat(script.lines())
        .contains(
            "complete -c buftrail -n '__fish_seen_subcommand_from push' -l compression -x -a 'gzip"
                + " none' -d 'How to pack requests'",
            "complete -c buftrail -n '__fish_seen_subcommand_from convert' -s o -l output -r -F -d"
                + " 'Where to write'",
            "complete -c buftrail -f -n '__fish_seen_subcommand_from dump'")
        .doesNotContain("complete -c buftrail -f -n '__fish_seen_subcommand_from convert'")
        // Quotation marks come in pairs.
        .allMatch(line -> line.replace("\\'", "").chars().filter(c -> c == '\'').count() % 2 == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "ZSH"})
  void bashAndZshTakeOneScript(String shell) {
    assertThat(Run.of("completion", shell)).isEqualTo(Run.of("completion"));
  }

  @Test
  void anotherShellIsWrongUsage() {
    Run run = Run.of("completion", "csh");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errLines())
        .containsExactly(
            "buftrail: SHELL: expected bash, zsh, fish but was 'csh'; see buftrail completion --help");
  }
}
