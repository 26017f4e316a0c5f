package org.buftrail.it.states;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a program did, added up as it does it. While the program stands still, the sums are in a
 * file for the test to read: one {@code name=number} a line.
 */
final class Ledger {
  private final Map<String, Long> sums = new TreeMap<>();
  private final BufferedReader commands =
      new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private final @Nullable Runnable meters;
  private int moments;

  Ledger() {
    this(null);
  }

  /**
   * @param meters writes down what meters say, when asked to by the line {@code meters}
   */
  Ledger(@Nullable Runnable meters) {
    this.meters = meters;
  }

  /** Adds to a figure. */
  void add(String name, long amount) {
    sums.merge(name, amount, Long::sum);
  }

  /**
   * A buffer was allocated and met an end, or is live.
   *
   * @param place the method that had it last
   * @param memory {@code direct} or {@code heap}
   */
  void flow(String place, String end, String memory, long bytes) {
    add("allocated", 1);
    add("buffers", 1);
    add("allocatedBytes", bytes);
    add("ended", end.equals("live") ? 0 : 1);
    add("endedBytes", end.equals("live") ? 0 : bytes);
    for (String whose : List.of(place + ".", memory + ".", "")) {
      add(whose + end, 1);
      add(whose + end + "Bytes", bytes);
    }
  }

  /** A buffer that was live has met its end. */
  void ended(String place, String end, String memory, long bytes) {
    add("ended", 1);
    add("endedBytes", bytes);
    for (String whose : List.of(place + ".", memory + ".", "")) {
      add(whose + end, 1);
      add(whose + end + "Bytes", bytes);
      add(whose + "live", -1);
      add(whose + "liveBytes", -bytes);
    }
  }

  /** Like the method above, for resources. */
  void resource(String end) {
    add("allocated", 1);
    add("ended", end.equals("live") ? 0 : 1);
    add("resource." + end, 1);
    add(end, 1);
  }

  /** What it says by now. */
  Map<String, Long> sums() {
    return sums;
  }

  /** Live buffers are never seen to end, and count as never allocated. */
  void forgetLive() {
    add("allocated", -sums.getOrDefault("live", 0L));
    add("buffers", sums.getOrDefault("resource.live", 0L) - sums.getOrDefault("live", 0L));
    add("allocatedBytes", -sums.getOrDefault("liveBytes", 0L));
    sums.keySet().removeIf(name -> name.matches("(.*\\.)?live(Bytes)?"));
  }

  /** Shows the sums in the next of the files {@code ledger-1}, {@code ledger-2}, .... */
  void show() throws IOException {
    StringBuilder text = new StringBuilder();
    sums.forEach((name, sum) -> text.append(name).append('=').append(sum).append('\n'));
    String file = "ledger-" + ++moments;
    Path part = Files.writeString(Path.of(file + ".part"), text);
    Files.move(part, Path.of(file));
  }

  /** Shows the sums, and does nothing until there is a line on standard input or its end. */
  void standStill() throws IOException {
    show();
    String line = commands.readLine();
    while ("meters".equals(line) && meters != null) {
      meters.run();
      line = commands.readLine();
    }
  }
}
