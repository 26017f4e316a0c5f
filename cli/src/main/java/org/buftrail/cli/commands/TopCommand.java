package org.buftrail.cli.commands;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.buftrail.cli.live.Key;
import org.buftrail.cli.live.Line;
import org.buftrail.cli.live.RunningAgent;
import org.buftrail.cli.live.Screen;
import org.buftrail.cli.live.TopView;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.Terminal;
import org.buftrail.model.Snapshot;
import org.buftrail.report.SnapshotJsonReader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code top}: the paths of a running JVM, refreshed. */
@Command(
    name = "top",
    description = {
      "Shows live bytes, leaks and allocation rate by path in a running JVM, and refreshes.",
      "Keys: s sorts by live bytes, leaked bytes or rate. / filters by names: type, then Enter,"
          + " or Escape for all. p pauses, space refreshes. Arrows and page keys scroll. q ends.",
      "A row that leaks is marked !, a suspect one ?.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class TopCommand implements Callable<Integer> {
  private static final int PLAIN_WIDTH = 160;
  private static final int PLAIN_HEIGHT = 40;
  private static final int KEY_MILLIS = 50;

  /** The terminal's size is asked for once a second. */
  private static final int KEYS_TO_A_LOOK_AT_THE_SIZE = 1_000 / KEY_MILLIS;

  private static final int MAX_SECONDS = 3_600;

  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  @Mixin private final ChosenJvm jvm = new ChosenJvm();

  @Option(
      names = "--interval",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "Between two refreshes. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = {"-n", "--count"},
      paramLabel = "N",
      defaultValue = "0",
      description = "End after so many; 0 for none. Default: ${DEFAULT-VALUE}, 1 in a pipe.")
  private int times;

  public TopCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (seconds < 1 || seconds > MAX_SECONDS || times < 0) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(),
          "--interval must be from 1 to " + MAX_SECONDS + ", --count 0 or more");
    }
    long pid = jvm.pid("top", terminal);
    RunningAgent agent = new RunningAgent(pid);
    TopView view = new TopView("process " + pid);
    // Before the screen is taken: what goes wrong is a line in the terminal.
    view.update(snapshot(agent.render("json")));
    try (Screen screen = Screen.open(terminal::screen, System.getenv())) {
      if (screen == null) {
        printed(agent, view);
      } else {
        shown(agent, view, screen);
      }
    }
    return Exit.DONE;
  }

  private void printed(RunningAgent agent, TopView view) throws IOException, InterruptedException {
    int rounds = Math.max(1, times);
    for (int i = 0; i < rounds; i++) {
      if (i > 0) {
        Thread.sleep(seconds * 1_000L);
        terminal.line("");
        view.update(snapshot(agent.next(seconds, false)));
      }
      for (Line line : view.lines(PLAIN_WIDTH, PLAIN_HEIGHT, false)) {
        terminal.line(line.text().stripTrailing());
      }
    }
  }

  /** Returns when the user wants to end, or all has been shown that was asked for. */
  private void shown(RunningAgent agent, TopView view, Screen screen)
      throws IOException, InterruptedException {
    int updates = 0;
    while (true) {
      int[] size = screen.size();
      screen.show(view.lines(size[1], size[0], true));
      updates++;
      TopView.Wish wish = times == updates ? TopView.Wish.END : await(view, screen, size);
      if (wish == TopView.Wish.END) {
        return;
      }
      view.update(snapshot(agent.next(seconds, wish == TopView.Wish.REFRESH)));
    }
  }

  /**
   * Waits for the next refresh and does what keys ask for; says whether the user wants to end, or
   * wants the refresh now.
   */
  private TopView.Wish await(TopView view, Screen screen, int[] first)
      throws IOException, InterruptedException {
    int[] size = first;
    long until = System.nanoTime() + seconds * 1_000_000_000L;
    for (int looks = 1; view.isPaused() || System.nanoTime() - until < 0; looks++) {
      TopView.Wish wish = TopView.Wish.NOTHING;
      if (looks % KEYS_TO_A_LOOK_AT_THE_SIZE == 0) {
        int[] now = screen.size();
        wish = Arrays.equals(size, now) ? wish : TopView.Wish.DRAW;
        size = now;
      }
      int key = screen.key();
      if (key != Key.NONE) {
        wish = view.press(key);
      }
      switch (wish) {
        case END, REFRESH -> {
          return wish;
        }
        case DRAW -> screen.show(view.lines(size[1], size[0], true));
        case NOTHING -> Thread.sleep(key == Key.NONE ? KEY_MILLIS : 0);
      }
    }
    return TopView.Wish.NOTHING;
  }

  private static Snapshot snapshot(byte[] json) throws IOException {
    return SnapshotJsonReader.read(
        new InputStreamReader(new ByteArrayInputStream(json), StandardCharsets.UTF_8));
  }
}
