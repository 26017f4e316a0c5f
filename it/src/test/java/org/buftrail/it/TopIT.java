package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.it.programs.Operated;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code top} in a real terminal. Runs with {@code -Dtmux}, if tmux is there. */
@Tag("tmux")
final class TopIT {
  private static final int TIMEOUT_SECONDS = 60;

  @TempDir private Path directory;

  private List<String> tmux(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of("tmux", "-S", directory.resolve("tmux").toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return text.lines().toList();
  }

  private List<String> screen() throws IOException, InterruptedException {
    return tmux("capture-pane", "-p", "-t", "top");
  }

  private List<String> awaitLine(int number, String text) throws Exception {
    long until = System.nanoTime() + TIMEOUT_SECONDS * 1_000_000_000L;
    List<String> lines = screen();
    while (lines.size() <= number || !lines.get(number).contains(text)) {
      assertThat(System.nanoTime() - until).as("waiting for %s: %s", text, lines).isNegative();
      Thread.sleep(100);
      lines = screen();
    }
    return lines;
  }

  private void resize(int width, int height) throws IOException, InterruptedException {
    String x = Integer.toString(width);
    assertThat(tmux("resize-window", "-t", "top", "-x", x, "-y", Integer.toString(height)))
        .isEmpty();
  }

  @AfterEach
  void end() throws IOException, InterruptedException {
    tmux("kill-server");
  }

  /** Runs {@code top} in a terminal of 140 by 20, until {@code q}. */
  private void top(RunningProgram program, String environment) throws Exception {
    String top =
        "echo before; "
            + environment
            + " "
            + String.join(" ", Setting.newest().java().toString(), "-jar", Setting.JAR.toString())
            + " top --interval 3600 "
            + program.pid()
            + "; echo ended with $?; sleep 1000";
    tmux("-f", "/dev/null", "new-session", "-d", "-s", "top", "-x", "140", "-y", "20", top);
  }

  private RunningProgram program() throws Exception {
    List<String> line =
        List.of(
            "-javaagent:" + Setting.JAR + "=" + FlowCases.INCLUDE,
            "-cp",
            Setting.newest().classPath(),
            Operated.class.getName());
    RunningProgram program = new RunningProgram(directory, Setting.newest().java(), line);
    program.await("ready");
    return program;
  }

  private List<String> coloured() throws IOException, InterruptedException {
    return tmux("capture-pane", "-e", "-p", "-t", "top");
  }

  @Test
  void itsKeysFilterPauseAndScroll() throws Exception {
    try (RunningProgram program = program()) {
      top(program, "TERM=xterm-256color");
      awaitLine(19, "q end  s sort  / filter");
      assertThat(coloured().get(4)).startsWith("\033[7m");
      assertThat(coloured()).anyMatch(line -> line.contains("\033[31m") && line.contains("forget"));
      tmux("send-keys", "-t", "top", "/", "FORGET");
      List<String> filtered = awaitLine(19, "/FORGET_");
      assertThat(filtered.subList(5, 19))
          .filteredOn(line -> !line.isEmpty())
          .isNotEmpty()
          .allMatch(line -> line.contains(" ! Operated.forget"));
      tmux("send-keys", "-t", "top", "Enter", "p");
      awaitLine(0, "/FORGET  PAUSED");
      tmux("send-keys", "-t", "top", "p");
      tmux("send-keys", "-t", "top", "Escape");
      awaitLine(19, "1-");
      program.stop();
    }
  }

  @Test
  void withoutColoursItSaysTheSame() throws Exception {
    try (RunningProgram program = program()) {
      top(program, "NO_COLOR=1 TERM=xterm-256color");
      awaitLine(19, "q end  s sort  / filter");
      assertThat(coloured()).noneMatch(line -> line.contains("\033["));
      assertThat(screen()).anyMatch(line -> line.contains(" ! Operated.forget"));
      program.stop();
    }
  }

  @Test
  void itFillsTheTerminalFollowsItsSizeAndGivesItBack() throws Exception {
    try (RunningProgram program = program()) {
      top(program, "TERM=xterm-256color");
      List<String> wide = awaitLine(1, "live 4.0 KiB in 4   leaked 5.0 KiB in 5");
      assertThat(wide.get(0)).startsWith("buftrail process " + program.pid()).endsWith("by live");
      assertThat(wide.get(4)).contains("OLDEST");
      assertThat(wide.get(5)).contains("Operated.hold:").contains(" < Operated.handle:");
      resize(60, 8);
      assertThat(awaitLine(4, "NEW/S   PATH").get(4)).doesNotContain("OLDEST");
      assertThat(screen().get(5)).contains("4.0 KiB").contains("Operated.hold:");
      resize(60, 4);
      assertThat(awaitLine(0, "buftrail process").get(1)).startsWith("live 4.0 KiB in 4");
      resize(110, 12);
      awaitLine(4, "OLDEST");
      tmux("send-keys", "-t", "top", "s");
      assertThat(awaitLine(0, "by leaked").get(5)).contains("5.0 KiB").contains("Operated.forget:");
      tmux("send-keys", "-t", "top", "q");
      assertThat(awaitLine(1, "ended with 0").get(0)).isEqualTo("before");
      program.stop();
    }
  }
}
