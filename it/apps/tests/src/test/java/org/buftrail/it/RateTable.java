package org.buftrail.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What services paid, as a table and as JSON. */
final class RateTable {
  private final double rate;
  private final double seconds;
  private final int rounds;
  private final List<Row> rows = new ArrayList<>();

  RateTable(double rate, double seconds, int rounds) {
    this.rate = rate;
    this.seconds = seconds;
    this.rounds = rounds;
  }

  Row row(Jvm jvm, String service, RateArm arm) {
    String java = Integer.toString(new Setting(jvm.home(), "").javaVersion());
    Row row = new Row(java, service, arm, arm == RateArm.NONE ? List.of() : none());
    rows.add(row);
    return row;
  }

  /** The windows of the last row without an agent. */
  private List<RatedProcess.Window> none() {
    Row last = rows.get(rows.size() - 1);
    return last.arm == RateArm.NONE ? last.windows : last.none;
  }

  /** An arm of a service, round by round. */
  static final class Row {
    private final String java;
    private final String service;
    private final RateArm arm;
    private final List<RatedProcess.Window> windows = new ArrayList<>();

    /** Those without an agent; empty in their own row. */
    private final List<RatedProcess.Window> none;

    private double startMillis;
    private double resident;

    private Row(String java, String service, RateArm arm, List<RatedProcess.Window> none) {
      this.java = java;
      this.service = service;
      this.arm = arm;
      this.none = none;
    }

    void add(RatedProcess.Window window) {
      windows.add(window);
    }

    void end(double startMillis, double residentMebibytes) {
      this.startMillis = startMillis;
      this.resident = residentMebibytes;
    }

    private static double cpuACall(RatedProcess.Window window) {
      return window.cpuMicros() / window.calls();
    }

    /** For each round, the ratio to the arm without an agent. */
    private List<Double> ratios(ToDoubleFunction<RatedProcess.Window> of) {
      List<Double> ratios = new ArrayList<>();
      for (int i = 0; i < windows.size(); i++) {
        ratios.add(of.applyAsDouble(windows.get(i)) / of.applyAsDouble(none.get(i)));
      }
      return ratios;
    }

    private double median(ToDoubleFunction<RatedProcess.Window> of) {
      return RateTable.median(windows.stream().map(of::applyAsDouble).toList());
    }

    private String latency(ToDoubleFunction<RatedProcess.Window> of) {
      return String.format(Locale.ROOT, "%.2f ms", median(of) / 1_000);
    }

    private String ratio(ToDoubleFunction<RatedProcess.Window> of) {
      List<Double> sorted = ratios(of).stream().sorted().toList();
      int last = sorted.size() - 1;
      return String.format(
          Locale.ROOT,
          "%.2f [%.2f-%.2f]",
          RateTable.median(sorted),
          sorted.get(last / 4),
          sorted.get(last - last / 4));
    }

    private String markdown() {
      boolean first = arm == RateArm.NONE;
      return String.join(
          " | ",
          "| " + service + ", " + java,
          arm.title,
          first
              ? String.format(Locale.ROOT, "%.0f us", median(Row::cpuACall))
              : ratio(Row::cpuACall),
          latency(RatedProcess.Window::p50),
          latency(RatedProcess.Window::p99) + (first ? "" : ", " + ratio(RatedProcess.Window::p99)),
          latency(RatedProcess.Window::p999),
          String.format(Locale.ROOT, "%.0f MiB", resident),
          String.format(Locale.ROOT, "%.1f s |%n", startMillis / 1_000));
    }

    private String json() {
      String all =
          windows.stream()
              .map(
                  window ->
                      String.format(
                          Locale.ROOT,
                          "{\"calls\":%d,\"cpuMicros\":%.0f,\"p50\":%.0f,\"p99\":%.0f,\"p999\":%.0f}",
                          window.calls(),
                          window.cpuMicros(),
                          window.p50(),
                          window.p99(),
                          window.p999()))
              .collect(Collectors.joining(","));
      return String.format(
          Locale.ROOT,
          "{\"java\":%s,\"service\":\"%s\",\"arm\":\"%s\",\"startMillis\":%.0f,\"residentMiB\":%.1f,"
              + "\"rounds\":[%s]}",
          java,
          service,
          arm,
          startMillis,
          resident,
          all);
    }
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  private String markdown() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%.0f requests a second, %d rounds of %.0f s in turn:%n%n",
                rate,
                rounds,
                seconds));
    text.append("| service, Java | arm | processor time a request | p50 | p99 | p99.9 | resident |")
        .append(" processor time of the start |\n|---|---|---|---|---|---|---|---|\n");
    rows.forEach(row -> text.append(row.markdown()));
    return text.toString();
  }

  /** Writes {@code rates.json} and {@code rates.md} into a directory. */
  void write(Path target) throws IOException {
    Files.writeString(
        target.resolve("rates.json"),
        rows.stream().map(Row::json).collect(Collectors.joining(",\n", "[", "]\n")));
    Files.writeString(target.resolve("rates.md"), markdown());
  }
}
