package org.buftrail.agent.page;

import java.io.IOException;
import java.lang.ref.WeakReference;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.flow.Path;
import org.buftrail.flow.Snapshot;
import org.buftrail.profile.json.JsonOut;

/** Asks the JVM to collect, waits for the look at what was collected, and says what that proved. */
final class Collection {
  /** How long the tracker may take to find what was collected. */
  private static final long PATIENCE_MILLIS = 3_000;

  private static final long STEP_MILLIS = 250;

  private final boolean happened;
  private final Path.Flows found;

  private Collection(boolean happened, Path.Flows found) {
    this.happened = happened;
    this.found = found;
  }

  /** Takes some seconds. The application stands still as long as its collector makes it. */
  static Collection ask(FlowSource source) {
    Path.Flows before = source.snapshot(0).leaked();
    WeakReference<Object> canary = new WeakReference<>(new Object());
    System.gc();
    Path.Flows after = before;
    for (long waited = 0; waited < PATIENCE_MILLIS; waited += STEP_MILLIS) {
      Snapshot now = source.snapshot(0);
      boolean grew = now.leaked().count() > after.count();
      if (after.count() > before.count() && !grew) {
        break;
      }
      after = now.leaked();
      if (!pause()) {
        break;
      }
    }
    // With -XX:+DisableExplicitGC the JVM does nothing.
    return new Collection(
        canary.get() == null,
        new Path.Flows(
            Math.max(0, after.count() - before.count()),
            Math.max(0, after.bytes() - before.bytes())));
  }

  private static boolean pause() {
    try {
      Thread.sleep(STEP_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  void write(Appendable out) throws IOException {
    JsonOut json = new JsonOut(out);
    json.beginObject().name("collected").value(happened);
    json.name("leaked").value(found.count());
    json.name("leakedBytes").value(found.bytes()).endObject();
  }
}
