package org.buftrail.agent.source;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.buftrail.model.fixtures.CountedByHand;

/** Makes small snapshots for tests. */
public final class SnapshotBuilder {
  public static final long TAKEN_AT = 1_770_000_000_000L;

  private final List<Path> paths = new ArrayList<>();
  private long takenAt = TAKEN_AT;
  private long suppressed;
  private long undecided;

  /** How long before {@link #TAKEN_AT} each leak is found. */
  public static final long LEAKING_MILLIS = 5_000;

  /** A snapshot with nothing in it yet. */
  public static SnapshotBuilder none() {
    return new SnapshotBuilder();
  }

  /** When it is taken, in milliseconds after {@link #TAKEN_AT}. */
  public SnapshotBuilder after(long millis) {
    takenAt = TAKEN_AT + millis;
    return this;
  }

  public SnapshotBuilder suppressed(long errors) {
    suppressed = errors;
    return this;
  }

  /** So many of the live flows are undecided. */
  public SnapshotBuilder undecided(long flows) {
    undecided = flows;
    return this;
  }

  /** A direct path; of every count, that many buffers of 100 bytes. */
  public SnapshotBuilder direct(String hops, long released, long leaked, long live) {
    return add(true, hops, released, leaked, live);
  }

  /** A direct path to which one live buffer of 100 bytes has come each second. */
  public SnapshotBuilder growing(String hops, long live) {
    return add(true, hops, 0, 0, live, live * 500);
  }

  /** A heap path; of every count, that many buffers of 100 bytes. */
  public SnapshotBuilder heap(String hops, long released, long leaked, long live) {
    return add(false, hops, released, leaked, live);
  }

  /** A resource's path, its first hop {@code TYPE.open}; each is 100 bytes, too. */
  public SnapshotBuilder resource(String hops, long closed, long leaked, long live) {
    return add(false, hops, closed, leaked, live);
  }

  private SnapshotBuilder add(boolean direct, String hops, long released, long leaked, long live) {
    return add(direct, hops, released, leaked, live, live > 0 ? live * 1_000 : Path.NO_AGE);
  }

  private SnapshotBuilder add(
      boolean direct, String hops, long released, long leaked, long live, long median) {
    List<Path.Hop> made = new ArrayList<>();
    for (String place : hops.split(" ", -1)) {
      String hop = place.replaceFirst("\\[.*", "");
      String refs =
          hop.equals(place) ? "1-2" : place.substring(hop.length() + 1, place.length() - 1);
      int dot = hop.lastIndexOf('.');
      String name = dot < 0 ? "io.netty.buffer.PooledByteBufAllocator" : hop.substring(0, dot);
      Site site = new Site(name, hop.substring(dot + 1), "", dot < 0 ? 0 : 7, "");
      made.add(new Path.Hop(site, refs, false, false));
    }
    long seen = leaked > 0 ? TAKEN_AT - LEAKING_MILLIS : Path.NEVER;
    long age = live > 0 ? live * 1_000 : Path.NO_AGE;
    paths.add(
        new Path(
            made, direct, flows(released), flows(leaked), flows(live), age, median, seen, seen));
    return this;
  }

  private static Path.Flows flows(long count) {
    return new Path.Flows(count, count * 100);
  }

  public Snapshot build() {
    long allocated = 0;
    for (Path path : paths) {
      allocated += path.flows();
    }
    TrackerStatus status =
        new TrackerStatus.Builder().suppressedErrors(suppressed).undecided(undecided).build();
    return new Snapshot(takenAt, 1, allocated, 0, status, new CountedByHand(paths), List.of());
  }
}
