package org.buftrail.cli.live;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The controlling terminal as a screen of its own: keys come one by one, and what was there before
 * comes back at the end, also when the command is interrupted.
 *
 * <p>Needs a POSIX terminal and {@code stty}. Used by one thread.
 */
public final class Screen implements AutoCloseable {
  private static final String ENTER = "\033[?1049h\033[?25l";
  private static final String LEAVE = "\033[?25h\033[?1049l";
  private static final String HOME = "\033[H";
  private static final String END_OF_LINE = "\033[K";
  private static final String REST_OF_SCREEN = "\033[J";
  private static final File TERMINAL = new File("/dev/tty");
  private static final int STTY_SECONDS = 5;

  private final Consumer<String> out;
  private final String settings;
  private final boolean coloured;
  private final InputStream keys;
  private final Thread restore = new Thread(this::leave, "buftrail-screen");
  private boolean left;

  private Screen(Consumer<String> out, String settings, boolean coloured) throws IOException {
    this.out = out;
    this.coloured = coloured;
    this.settings = settings;
    this.keys = new FileInputStream(TERMINAL);
  }

  /**
   * Takes the terminal over.
   *
   * @param out prints to standard output, whatever it is given
   * @param environment of the command: {@code NO_COLOR} with any value asks for none, and a
   *     terminal that {@code TERM} calls dumb cannot be taken over
   * @return null when standard output is no terminal, or a dumb one
   */
  public static @Nullable Screen open(Consumer<String> out, Map<String, String> environment)
      throws IOException {
    String type = environment.getOrDefault("TERM", "");
    if (type.isEmpty() || type.equals("dumb") || !isTerminal()) {
      return null;
    }
    String settings = stty("-g");
    if (settings == null) {
      return null;
    }
    boolean coloured = environment.getOrDefault("NO_COLOR", "").isEmpty();
    Screen screen = new Screen(out, settings, coloured);
    Runtime.getRuntime().addShutdownHook(screen.restore);
    stty("-icanon", "-echo", "min", "0", "time", "0");
    out.accept(ENTER);
    return screen;
  }

  /** Whether somebody can be asked at standard input. */
  public static boolean isInputTerminal() {
    try {
      ProcessBuilder test = new ProcessBuilder("test", "-t", "0");
      return isTerminal(test.redirectInput(ProcessBuilder.Redirect.INHERIT));
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isTerminal() throws IOException {
    ProcessBuilder test = new ProcessBuilder("test", "-t", "1");
    return isTerminal(test.redirectOutput(ProcessBuilder.Redirect.INHERIT));
  }

  private static boolean isTerminal(ProcessBuilder test) throws IOException {
    if (!TERMINAL.exists()) {
      return false;
    }
    Process started = test.start();
    return await(started) && started.exitValue() == 0;
  }

  /** Lines and columns. */
  public int[] size() throws IOException {
    String size = stty("size");
    String[] parts = size == null ? new String[0] : size.split(" ", -1);
    if (parts.length == 2) {
      int lines = Integer.parseInt(parts[0]);
      int columns = Integer.parseInt(parts[1]);
      if (lines > 0 && columns > 0) {
        return new int[] {lines, columns};
      }
    }
    return new int[] {24, 80};
  }

  /** Shows lines from the top, and nothing else. */
  public void show(List<Line> lines) {
    StringBuilder text = new StringBuilder(HOME);
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      text.append(i == 0 ? "" : "\r\n").append(coloured ? line.coloured() : line.text());
      text.append(END_OF_LINE);
    }
    out.accept(text.append(REST_OF_SCREEN).toString());
  }

  /** The key pressed since the last call, or {@link Key#NONE}. */
  public int key() throws IOException {
    return Key.read(keys);
  }

  @Override
  public void close() throws IOException {
    leave();
    keys.close();
    try {
      Runtime.getRuntime().removeShutdownHook(restore);
    } catch (IllegalStateException e) {
      // The JVM is going down, and the hook has nothing left to do.
    }
  }

  private synchronized void leave() {
    if (!left) {
      left = true;
      out.accept(LEAVE);
      try {
        stty(settings);
      } catch (IOException e) {
        // The terminal is gone, and its settings with it.
      }
    }
  }

  private static @Nullable String stty(String... arguments) throws IOException {
    String[] command = new String[arguments.length + 1];
    command[0] = "stty";
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    Process stty =
        new ProcessBuilder(command)
            .redirectInput(TERMINAL)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String output = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    return await(stty) && stty.exitValue() == 0 ? output.trim() : null;
  }

  private static boolean await(Process process) {
    try {
      return process.waitFor(STTY_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
