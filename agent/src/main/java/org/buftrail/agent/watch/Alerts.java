package org.buftrail.agent.watch;

import java.util.List;
import org.buftrail.model.FigureValues;
import org.buftrail.model.Snapshot;

/**
 * Says when figures pass their thresholds.
 *
 * <p>Once for each time: again when the figure has doubled, and, if it can fall, when it has been
 * no more than four fifths of the threshold.
 */
public final class Alerts implements Watcher {
  private final List<Threshold> thresholds;
  private final long[] next;
  private final Listener listener;

  /** Hears of a threshold that was passed. */
  public interface Listener {
    /**
     * @param name of the figure
     * @param message one line
     */
    void passed(String name, String message, Snapshot now);
  }

  public Alerts(List<Threshold> thresholds, Listener listener) {
    this.thresholds = List.copyOf(thresholds);
    this.listener = listener;
    this.next = new long[thresholds.size()];
    for (int i = 0; i < next.length; i++) {
      next[i] = thresholds.get(i).limit();
    }
  }

  @Override
  public void look(Snapshot now) {
    FigureValues figures = FigureValues.of(now);
    for (int i = 0; i < next.length; i++) {
      Threshold threshold = thresholds.get(i);
      long value = threshold.value(figures);
      if (value > next[i]) {
        next[i] = value > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : Math.max(1, value * 2);
        listener.passed(threshold.name(), threshold.describe(value), now);
      } else if (threshold.falls() && value <= threshold.limit() / 5 * 4) {
        next[i] = threshold.limit();
      }
    }
  }
}
