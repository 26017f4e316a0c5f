package org.buftrail.it.states;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The cells of a scene: what each surface showed for each state, beside what the program's ledger
 * says. A cell is right if all that was shown is right, and nothing was shown that never was.
 */
final class Cells {
  /** The agent's watch may rest for a minute where a snapshot took long. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

  private static final long PAUSE_MILLIS = 250;

  /** Figures that a ledger without them means to be 0. */
  private static final Pattern KNOWN =
      Pattern.compile(
          "(before"
              + " )?(\\S*\\.)?(allocated|released|leaked|held|dropped|live|suspect|releases|uses)(Bytes)?|suspects|misuses|overflowed|errors|stopped|no"
              + " hops");

  private final String name;
  private final List<State> states;
  private final Map<String, Map<String, List<String>>> rows = new LinkedHashMap<>();
  private final List<String> wrong = new ArrayList<>();
  private final Set<String> skipped = new TreeSet<>();

  Cells(String name, List<State> states) {
    this.name = name;
    this.states = states;
    states.forEach(state -> rows.put(state.title(), new LinkedHashMap<>()));
  }

  /** Reads surfaces one after the other. */
  void read(List<Surface> surfaces, Scene scene, Map<String, Long> ledger) throws Exception {
    for (Surface surface : surfaces) {
      read(surface, scene, ledger);
    }
  }

  /** Reads a surface and fills its cells. */
  void read(Surface surface, Scene scene, Map<String, Long> ledger) throws Exception {
    long until = System.nanoTime() + PATIENCE_NANOS;
    try {
      Told told = surface.reader().read(scene);
      while (surface.isLate()
          && !isWhole(surface.title(), told, ledger)
          && System.nanoTime() < until) {
        Thread.sleep(PAUSE_MILLIS);
        told = surface.reader().read(scene);
      }
      take(surface.title(), told, ledger);
    } catch (AssertionError | RuntimeException e) {
      wrong.add(name + ", " + surface.title() + " cannot be read: " + e);
    }
  }

  private boolean isWhole(String surface, Told told, Map<String, Long> ledger) {
    return differences(told, ledger).isEmpty()
        && states.stream()
            .filter(state -> NotTold.reason(surface, state.title()) == null)
            .allMatch(state -> state.figures().stream().anyMatch(f -> told.get(f) != null));
  }

  /** Leaves out the cells of a surface that cannot be read here. */
  void skip(String surface) {
    skipped.add(surface);
    System.err.println("NOT READ: " + name + ", " + surface + ", in every state");
  }

  /** Surfaces that were not read. */
  Set<String> skipped() {
    return skipped;
  }

  /** Fills the cells of a surface with what was read there. */
  void take(String surface, Told told, Map<String, Long> ledger) {
    for (String difference : differences(told, ledger)) {
      wrong.add(name + ", " + surface + ": " + difference);
    }
    for (State state : states) {
      List<String> row = new ArrayList<>();
      boolean isTold = false;
      for (String figure : state.figures()) {
        Long value = told.get(figure);
        isTold |= value != null;
        row.add(value == null ? "" : String.format("%,d", value));
      }
      String reason = NotTold.reason(surface, state.title());
      if (!isTold && reason == null) {
        wrong.add(name + ", " + surface + " does not tell: " + state.title());
      } else if (isTold && reason != null) {
        wrong.add(surface + " tells " + state.title() + ", and is excused from it");
      }
      cells(state).put(surface, isTold ? row : List.of(String.valueOf(reason)));
    }
  }

  private Map<String, List<String>> cells(State state) {
    return rows.computeIfAbsent(state.title(), title -> new LinkedHashMap<>());
  }

  private static List<String> differences(Told told, Map<String, Long> ledger) {
    List<String> differences = new ArrayList<>();
    told.figures()
        .forEach(
            (figure, value) -> {
              long expected = ledger.getOrDefault(figure, 0L);
              boolean isKnown = ledger.containsKey(figure) || KNOWN.matcher(figure).matches();
              if (isKnown && value != expected) {
                differences.add(figure + " is " + value + " where the program did " + expected);
              }
            });
    return differences;
  }

  /** Fails with every cell that is wrong. */
  static void assertRight(Cells... all) {
    assertThat(Stream.of(all).flatMap(cells -> cells.wrong.stream())).isEmpty();
  }

  /** The part of the document that these cells are. */
  String section() {
    StringBuilder text = new StringBuilder();
    for (State state : states) {
      text.append("### ").append(state.title()).append("\n\n| surface |");
      state.figures().forEach(figure -> text.append(" `").append(figure).append("` |"));
      text.append("\n|---|").append("---:|".repeat(state.figures().size())).append('\n');
      cells(state)
          .forEach(
              (surface, row) -> {
                text.append("| ").append(surface).append(" | ").append(String.join(" | ", row));
                text.append(" |\n");
              });
      text.append('\n');
    }
    return text.toString();
  }
}
