package org.buftrail.benchmarks.run;

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
    Object snapshot = AnyAgent.snapshot();
    long hops = 0;
    for (Object path : AnyAgent.list(snapshot, "paths")) {
      int depth = AnyAgent.list(path, "hops").size();
      // Neither the root nor the release at the end is a hop.
      hops += AnyAgent.flows(path, "released") * (depth - 2);
      hops += AnyAgent.flows(path, "leaked") * (depth - 1);
    }
    return new Counts(
        AnyAgent.number(snapshot, "allocated"),
        AnyAgent.flows(snapshot, "released"),
        AnyAgent.flows(snapshot, "leaked"),
        AnyAgent.flows(snapshot, "live"),
        hops,
        AnyAgent.number(snapshot, "overflowed"),
        AnyAgent.number(snapshot, "suppressedErrors"));
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
