package org.buftrail.benchmarks.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Fails a run in which the agent under test costs more than a kept one, such as that of the last
 * release.
 *
 * <p>Both are measured in one run, so yesterday's figures, of a machine in another state, decide
 * nothing. Chance has its say by the arm that runs twice without an agent.
 */
final class Gate {
  static final List<Arm> ARMS = List.of(Arm.NONE, Arm.AGAIN, Arm.ALL, Arm.OTHER);

  /** Less is not worth a failure. */
  private static final double BOUND = 1.03;

  private Gate() {}

  /** A line for each benchmark that got dearer; empty when none did. */
  static List<String> failures(Comparison comparison) {
    List<String> failures = new ArrayList<>();
    for (Measurement all : comparison.all()) {
      if (all.arm != Arm.ALL) {
        continue;
      }
      Measurement kept = comparison.get(all.benchmark, Arm.OTHER);
      Measurement none = comparison.get(all.benchmark, Arm.NONE);
      Measurement again = comparison.get(all.benchmark, Arm.AGAIN);
      if (kept != null && none != null && again != null) {
        double ratio = all.ratioTo(kept).median();
        double bound = bound(again.ratioTo(none).median());
        // Also where nothing was measured: then the ratio is no number.
        if (!(ratio <= bound)) {
          failures.add(
              String.format(
                  Locale.ROOT,
                  "%s costs %.3f times what it costs with the kept agent, at most %.3f",
                  all.benchmark,
                  ratio,
                  bound));
        }
      }
    }
    return failures;
  }

  /**
   * @param chance the cost without the agent, measured a second time, as a ratio to the first
   */
  static double bound(double chance) {
    return Math.max(BOUND, Math.max(chance, 1 / chance));
  }
}
