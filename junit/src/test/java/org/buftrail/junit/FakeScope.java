package org.buftrail.junit;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.ScopeUse;
import org.buftrail.model.Site;

/** A scope whose leaks depend on the time alone, and that time. */
final class FakeScope implements Scopes.Scope, Verdict.Clock {
  static final Site ALLOCATOR =
      new Site("io.netty.buffer.PooledByteBufAllocator", "directBuffer", "", 0, "");

  private final String name;
  private final LongFunction<List<Leak>> leaksAt;
  final List<Misuse> misuses = new ArrayList<>();
  final List<Path> paths = new ArrayList<>();
  ScopeUse use =
      new ScopeUse(
          Path.Flows.NONE,
          Path.Flows.NONE,
          Path.Flows.NONE,
          Path.Flows.NONE,
          List.of(),
          List.of(),
          List.of());
  long millis;

  /** Until when an executor has a task of the scope. */
  long tasksUntil;

  /** Until when a thread has work. */
  long busyUntil = Long.MAX_VALUE;

  /** What that is. */
  Activity work = Activity.NOW;

  boolean hasTimers;
  boolean isClaiming;
  String ended = "open";

  FakeScope(String name, LongFunction<List<Leak>> leaksAt) {
    this.name = name;
    this.leaksAt = leaksAt;
  }

  /** Direct buffers that stayed where the last of the places is, the allocator being the first. */
  static Leak leak(String scope, boolean needsRelease, long count, long bytes, Site... places) {
    List<Path.Hop> hops = new ArrayList<>();
    hops.add(new Path.Hop(ALLOCATOR, "1-2", false, false));
    for (Site place : places) {
      hops.add(new Path.Hop(place, "1-2", false, false));
    }
    Path path =
        new Path(
            hops,
            true,
            Path.Flows.NONE,
            Path.Flows.NONE,
            new Path.Flows(count, bytes),
            2_345,
            1_000);
    return new Leak(scope, path, needsRelease, null);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void claim() {
    isClaiming = true;
  }

  @Override
  public boolean isClaiming() {
    return isClaiming;
  }

  @Override
  public boolean hasTasks() {
    return millis < tasksUntil;
  }

  @Override
  public Scopes.Entered enter() {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Leak> leaks() {
    return leaksAt.apply(millis);
  }

  @Override
  public List<Path> paths() {
    return paths;
  }

  @Override
  public List<Misuse> misuses() {
    return misuses;
  }

  @Override
  public ScopeUse use() {
    return use;
  }

  @Override
  public void failedBy(Throwable failure) {
    ended = "failed";
  }

  @Override
  public void close() {
    ended = "closed";
  }

  @Override
  public void handOver() {
    ended = "handed over";
  }

  @Override
  public long nanos() {
    return millis * 1_000_000;
  }

  @Override
  public boolean hasTimers() {
    return hasTimers;
  }

  @Override
  public long firstThread() {
    return 1;
  }

  @Override
  public Activity activity(long first) {
    return millis < busyUntil ? work : Activity.NONE;
  }

  @Override
  public boolean seesAtOnce() {
    return false;
  }

  @Override
  public void sleep(long pause) {
    millis += pause;
  }
}
