package org.buftrail.benchmarks.run;

import org.buftrail.flow.FlowTracker;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;

/** What the agent has counted: flows by their end, and the hops of all that ended. */
record Counts(
    long allocated,
    long released,
    long leaked,
    long live,
    long hops,
    long overflowed,
    long errors) {

  static Counts now() {
    Snapshot snapshot = FlowTracker.snapshot();
    long hops = 0;
    for (Path path : snapshot.paths()) {
      int depth = path.hops().size();
      // Neither the root nor the release at the end is a hop.
      hops += path.released().count() * (depth - 2) + path.leaked().count() * (depth - 1);
    }
    return new Counts(
        snapshot.allocated(),
        snapshot.released().count(),
        snapshot.leaked().count(),
        snapshot.live().count(),
        hops,
        snapshot.overflowed(),
        snapshot.suppressedErrors());
  }

  Counts since(Counts before) {
    return new Counts(
        allocated - before.allocated,
        released - before.released,
        leaked - before.leaked,
        live - before.live,
        hops - before.hops,
        overflowed - before.overflowed,
        errors - before.errors);
  }
}
