package org.buftrail.cli.diff;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.buftrail.profile.diff.Change;
import org.buftrail.profile.diff.Measure;
import org.buftrail.profile.diff.ProfileDiff;
import org.buftrail.profile.text.Amounts;

/**
 * A condition under which a comparison fails: {@code new-leak}, {@code new-dropped} or {@code
 * growth=10%}.
 */
public sealed interface FailOn {
  /**
   * What is not as it should be, each in one line; empty when the condition is not met.
   *
   * @param asked names of types or kinds to which the comparison is limited; empty for all
   * @throws IllegalArgumentException when the profiles cannot tell
   */
  List<String> failures(ProfileDiff diff, Set<String> asked);

  /**
   * Flows end on a path in a way in which none did before.
   *
   * @param state {@code leaked} or {@code dropped}
   * @param name how the condition is written
   */
  record NewPath(String state, String name) implements FailOn {
    public static final NewPath LEAK = new NewPath("leaked", "new-leak");
    public static final NewPath DROPPED = new NewPath("dropped", "new-dropped");

    @Override
    public List<String> failures(ProfileDiff diff, Set<String> asked) {
      if (diff.measures().stream().noneMatch(m -> m.type().endsWith("ed_objects"))) {
        throw new IllegalArgumentException(name + " needs profiles of flows; these are none");
      }
      List<String> failures = new ArrayList<>();
      for (Measure measure : diff.measures()) {
        if (measure.type().equals(state + "_objects")) {
          for (Change change : diff.changes(measure)) {
            if (change.kind() == Change.Kind.NEW) {
              failures.add(
                  name.replace('-', ' ')
                      + ": "
                      + Amounts.count(change.now())
                      + " on "
                      + DiffWording.path(measure, diff.frames(change.node())));
            }
          }
        }
      }
      return failures;
    }
  }

  /**
   * A measure grew by more than so many hundredths, and by more than chance explains. Not judged
   * are what was dropped and, unless it is asked for, what was live when a recording ended: that
   * depends on the last collection.
   */
  record Growth(double percent) implements FailOn {
    private static boolean isJudged(Measure measure, Set<String> asked) {
      if (measure.type().startsWith("dropped_")) {
        return false;
      }
      boolean ofRecording =
          measure.isGauge() && (!measure.isOfFlows() || measure.kind().startsWith("flow_"));
      return !ofRecording || asked.contains(measure.type()) || asked.contains(measure.kind());
    }

    @Override
    public List<String> failures(ProfileDiff diff, Set<String> asked) {
      List<String> failures = new ArrayList<>();
      for (Measure measure : diff.measures()) {
        if (isJudged(measure, asked) && measure.growthPercent() > percent && measure.isCertain()) {
          failures.add(
              DiffWording.title(measure)
                  + " grew by "
                  + DiffWording.growth(measure)
                  + ", more than "
                  + DiffWording.percent(percent));
        }
      }
      return failures;
    }
  }
}
