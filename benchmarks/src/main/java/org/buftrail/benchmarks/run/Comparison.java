package org.buftrail.benchmarks.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All measurements of one run, and the tables made of them. Confined to the runner's thread. */
final class Comparison {
  private static final String SCALED_SUFFIX = "TwoThreads";
  private static final String HOPS_BENCHMARK = "twentyWarmHops";
  private static final String NO_HOPS_BENCHMARK = "simpleAllocateAndRelease";
  private static final int HOPS = 20;
  private static final int MAX_PAUSE_MICROS = 1_000;

  private final Map<Key, Measurement> measurements = new LinkedHashMap<>();

  record Key(String benchmark, Arm arm) {}

  /**
   * A number computed of several measurements.
   *
   * @param name what it is
   * @param value in the unit that the name says
   * @param atMost the promise, or NaN
   * @param atLeast the promise, or NaN
   */
  record Derived(String name, double value, double atMost, double atLeast) {
    boolean isMet() {
      return !(value > atMost) && !(value < atLeast);
    }
  }

  Measurement of(Key key, java.util.function.Supplier<Measurement> absent) {
    return measurements.computeIfAbsent(key, k -> absent.get());
  }

  List<Measurement> all() {
    return List.copyOf(measurements.values());
  }

  @Nullable Measurement get(String benchmark, Arm arm) {
    return measurements.get(new Key(benchmark, arm));
  }

  List<Floor.Verdict> verdicts() {
    List<Floor.Verdict> verdicts = new ArrayList<>();
    for (Floor floor : Floor.ALL) {
      Floor.Verdict verdict = floor.judge(measurements);
      if (verdict != null) {
        verdicts.add(verdict);
      }
    }
    return verdicts;
  }

  List<Derived> derived() {
    List<Derived> derived = new ArrayList<>();
    Measurement warm = get(HOPS_BENCHMARK, Arm.ALL);
    Measurement plain = get(HOPS_BENCHMARK, Arm.NONE);
    Measurement simple = get(NO_HOPS_BENCHMARK, Arm.ALL);
    Measurement plainSimple = get(NO_HOPS_BENCHMARK, Arm.NONE);
    if (warm != null && plain != null && simple != null && plainSimple != null) {
      double all = warm.moreThan(plain).median();
      double rest = simple.moreThan(plainSimple).median();
      derived.add(new Derived("a hop in a warm path, ns", (all - rest) / HOPS, 4, Double.NaN));
    }
    for (String name : List.of("pooledDirect", "adaptiveDirect")) {
      double kept = ratio(name) / ratio(name + SCALED_SUFFIX);
      if (!Double.isNaN(kept)) {
        derived.add(new Derived(name + ": scaling to 2 threads kept", kept, Double.NaN, 0.9));
      }
    }
    for (Measurement all : measurements.values()) {
      Measurement none = get(all.benchmark, Arm.NONE);
      if (all.arm == Arm.ALL && none != null && all.pauses().isKnown()) {
        double added = all.pauses().median() - none.pauses().median();
        derived.add(
            new Derived(all.benchmark + ": pause added, us", added, MAX_PAUSE_MICROS, Double.NaN));
      }
    }
    return derived;
  }

  /** By the clock. What one thread takes longer by, over what two do, is the scaling kept. */
  private double ratio(String name) {
    Measurement all = get(name, Arm.ALL);
    Measurement none = get(name, Arm.NONE);
    return all == null || none == null ? Double.NaN : all.clockRatioTo(none).median();
  }

  /** Medians by benchmark and arm, each with its spread and its ratio to the first arm. */
  Table ratios() {
    Set<Arm> arms = new LinkedHashSet<>();
    Set<String> benchmarks = new LinkedHashSet<>();
    for (Key key : measurements.keySet()) {
      arms.add(key.arm());
      benchmarks.add(key.benchmark());
    }
    List<Arm> sorted = arms.stream().sorted().toList();
    List<String> heading = new ArrayList<>(List.of("benchmark"));
    sorted.forEach(a -> heading.add(a.label()));
    Table table = new Table(heading);
    for (String benchmark : benchmarks) {
      List<String> row = new ArrayList<>(List.of(benchmark));
      Measurement base = get(benchmark, sorted.get(0));
      for (Arm arm : sorted) {
        row.add(cell(get(benchmark, arm), base));
      }
      table.add(row);
    }
    return table;
  }

  private static String cell(@Nullable Measurement m, @Nullable Measurement base) {
    if (m == null) {
      return "";
    }
    Spread scores = m.cost();
    StringBuilder cell =
        new StringBuilder(
            String.format(
                "%s %s [%s-%s]",
                number(scores.median()),
                m.unit,
                number(scores.least()),
                number(scores.greatest())));
    boolean sameWork = !m.pauses().isKnown();
    if (base != null && base != m && sameWork && base.unit.equals(m.unit)) {
      Spread ratio = m.ratioTo(base);
      cell.append(
          m.isOfProcess()
              ? String.format(
                  ", %.3f x [%.3f-%.3f], clock %.3f x",
                  ratio.median(), ratio.lower(), ratio.upper(), m.clockRatioTo(base).median())
              : String.format(
                  ", %.3f x [%.3f-%.3f]", ratio.median(), ratio.least(), ratio.greatest()));
    }
    if (m.bytes().isKnown()) {
      cell.append(String.format(", %.0f B", m.bytes().median()));
    }
    if (m.tail().isKnown()) {
      cell.append(String.format(", p99 %s", number(m.tail().median())));
    }
    if (m.pauses().isKnown()) {
      Spread p = m.pauses();
      cell.append(
          String.format(", worst pause %.0f us [%.0f-%.0f]", p.median(), p.least(), p.greatest()));
    }
    return cell.toString();
  }

  /** The promises and the results. */
  Table floors() {
    Table table = new Table(List.of("floor", "arm", "against", "at most", "measured", ""));
    for (Floor.Verdict v : verdicts()) {
      Spread r = v.ratio();
      table.add(
          List.of(
              v.floor().benchmark(),
              v.floor().arm().label(),
              v.floor().against().label(),
              v.floor().text(),
              String.format(
                  "%.3f x [%.3f-%.3f], %+.1f B/op", r.median(), r.least(), r.greatest(), v.bytes()),
              v.isMet() ? "met" : "MISSED"));
    }
    for (Derived d : derived()) {
      String promise =
          Double.isNaN(d.atMost()) ? "at least " + d.atLeast() : String.valueOf(d.atMost());
      table.add(
          List.of(
              d.name(),
              "all",
              "none",
              promise,
              String.format("%.2f", d.value()),
              d.isMet() ? "met" : "MISSED"));
    }
    return table;
  }

  private static String number(double value) {
    return value >= 1000 ? String.format("%.0f", value) : String.format("%.1f", value);
  }
}
