package org.buftrail.agent.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.buftrail.agent.watch.LeakFinder;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.state.ComponentBase;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

/** What layers make of snapshots of the tracker itself, whatever happens between two of them. */
final class EngineSnapshotsTest {
  /** Each makes composites, direct and heap buffers. */
  private static final int[] ROOTS = {site("Make.wrap", "", 0), site("Make.copy", "", 0)};

  /** Two overloads on one line with a call in it, and two other places. */
  private static final int[] HOPS = {
    site("Line.on", "(I)V", 7),
    site("Line.on", "(J)V", 7),
    site("Line.on", "", 7),
    site("Other.on", "", 7),
    site("Other.off", "", 9)
  };

  private final List<Buffer> live = new ArrayList<>();

  private static int site(String name, String descriptor, int line) {
    int dot = name.indexOf('.');
    String type = "engine." + name.substring(0, dot);
    return Sites.intern(new Site(type, name.substring(dot + 1), descriptor, line, ""));
  }

  /** Counts its references, and tells the tracker what a woven buffer tells. */
  private static class Buffer extends TrackedBuffer {
    private final boolean direct;
    private final int capacity;
    private int count = 1;

    Buffer(boolean direct, int capacity) {
      this.direct = direct;
      this.capacity = capacity;
    }

    void release() {
      count--;
      Buffers.released(this, true);
    }

    @Override
    public int refCnt() {
      return count;
    }

    @Override
    public int capacity() {
      return capacity;
    }

    @Override
    public boolean isDirect() {
      return direct;
    }

    @Override
    public @Nullable TrackedBuffer buftrail$owner() {
      return this;
    }

    @Override
    public boolean buftrail$needsRelease() {
      return direct;
    }
  }

  private static final class Composite extends Buffer {
    private final Object[] components;

    Composite(Buffer part) {
      super(part.isDirect(), 1);
      components = new Object[] {new Part(part)};
    }

    @Override
    public @Nullable Object[] buftrail$components() {
      return components;
    }
  }

  /** The tracker knows it by its name. */
  @SuppressWarnings("serial")
  private static final class IllegalReferenceCountException extends IllegalStateException {}

  private static final class Part extends ComponentBase {
    private final Buffer source;

    Part(Buffer source) {
      this.source = source;
    }

    @Override
    public TrackedBuffer buftrail$source() {
      return source;
    }
  }

  @BeforeEach
  void follow() {
    FlowTracker.INSTANCE.configure(1, false);
    Tracker.INSTANCE.mode.setStarting(true);
  }

  @AfterEach
  void releaseAll() {
    live.forEach(Buffer::release);
    Tracker.INSTANCE.mode.setStarting(false);
  }

  private Buffer make(Random random) {
    Buffer part = new Buffer(random.nextBoolean(), 1 + random.nextInt(1_000));
    Buffers.created(part, ROOTS[random.nextInt(ROOTS.length)]);
    if (random.nextInt(3) > 0) {
      return part;
    }
    Composite composite = new Composite(part);
    Buffers.created(composite, ROOTS[random.nextInt(ROOTS.length)]);
    live.add(part);
    return composite;
  }

  private void act(Random random) {
    int what = random.nextInt(live.isEmpty() ? 1 : 10);
    if (what < 4) {
      live.add(make(random));
      return;
    }
    Buffer buffer = live.get(random.nextInt(live.size()));
    if (what < 7) {
      Buffers.hop(buffer, HOPS[random.nextInt(HOPS.length)]);
      return;
    }
    live.remove(buffer);
    if (what == 9 && !(buffer instanceof Composite)) {
      return; // Dropped: leaked where it is direct.
    }
    buffer.release();
    if (random.nextInt(4) == 0) {
      Buffers.misused(
          new IllegalReferenceCountException(), buffer, Misuse.Kind.DOUBLE_RELEASE.code());
    }
  }

  private Snapshot play(Random random) {
    for (int i = random.nextInt(60); i > 0; i--) {
      act(random);
    }
    if (random.nextInt(3) == 0) {
      collect();
    }
    return FlowTracker.INSTANCE.snapshot();
  }

  private static void collect() {
    for (int i = 0; i < 3; i++) {
      Tracker.INSTANCE.nursery.sweep(true);
    }
    System.gc();
    Tracker.INSTANCE.nursery.sweep(true);
  }

  /** By all that a report shows of a path. */
  private static List<Object> asItReads(boolean direct, List<Path.Hop> hops) {
    List<Object> text = new ArrayList<>();
    text.add(direct);
    for (Path.Hop hop : hops) {
      text.add(hop.site() + " " + hop.refs() + hop.isOverflow());
    }
    return text;
  }

  private static void assertNoTwoAreEqual(Snapshot snapshot) {
    Set<List<Object>> rows = new HashSet<>();
    for (Path path : snapshot.paths()) {
      assertThat(rows.add(asItReads(path.isDirect(), path.hops()))).as("%s", rows).isTrue();
    }
    Set<List<Object>> misuses = new HashSet<>();
    for (Misuse misuse : snapshot.misuses()) {
      List<Object> text = asItReads(false, misuse.hops());
      text.add(misuse.kind() + " " + misuse.site());
      assertThat(misuses.add(text)).as("%s", text).isTrue();
    }
  }

  /** What ended, by path and by misuse. */
  private static final class Sums {
    final Map<List<Object>, List<Long>> byPath = new HashMap<>();

    Sums add(Snapshot snapshot, int sign) {
      for (Path path : snapshot.paths()) {
        List<Object> key = asItReads(path.isDirect(), path.hops());
        long[] ended = {
          path.released().count(), path.released().bytes(),
          path.leaked().count(), path.leaked().bytes(),
          path.dropped().count(), path.dropped().bytes(),
          path.held()
        };
        add(key, ended, sign);
      }
      for (Misuse misuse : snapshot.misuses()) {
        List<Object> key = asItReads(false, misuse.hops());
        key.add(misuse.kind() + " " + misuse.site());
        add(key, new long[] {misuse.count()}, sign);
      }
      return this;
    }

    private void add(List<Object> key, long[] amounts, int sign) {
      List<Long> sums = byPath.computeIfAbsent(key, k -> new ArrayList<>());
      for (int i = 0; i < amounts.length; i++) {
        long before = sums.size() > i ? sums.remove(i) : 0;
        sums.add(i, before + sign * amounts[i]);
      }
      if (sums.stream().allMatch(sum -> sum == 0)) {
        byPath.remove(key);
      }
    }
  }

  private static long ended(Snapshot snapshot) {
    return snapshot.released().count()
        + snapshot.leaked().count()
        + snapshot.held()
        + snapshot.dropped().count();
  }

  @RepeatedTest(30)
  void whatIsToldBetweenAnySnapshotsAddsUpToAllThatHappened(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    Snapshot first = play(random);
    Snapshot last = first;
    Since since = new Since(first);
    LeakFinder finder = new LeakFinder();
    finder.look(first);
    long found = 0;
    Sums told = new Sums();
    for (int i = 2 + random.nextInt(8); i > 0; i--) {
      last = play(random);
      assertNoTwoAreEqual(last);
      Snapshot rest = since.of(last);
      assertNoTwoAreEqual(rest);
      assertThat(ended(rest) + rest.live().count()).isEqualTo(rest.allocated());
      told.add(rest, 1);
      since = new Since(last, since);
      found += finder.look(last).stream().mapToLong(LeakFinder.Growth::count).sum();
    }
    assertThat(told.byPath).isEqualTo(new Sums().add(last, 1).add(first, -1).byPath);
    assertThat(found).isEqualTo(last.leaked().count() - first.leaked().count());
  }

  @RepeatedTest(10)
  void afterAnyResetAllThatIsAllocatedIsSomewhere(RepetitionInfo repetition) {
    Random random = new Random(1_000 + repetition.getCurrentRepetition());
    AtomicLong nanos = new AtomicLong();
    FlowSource source = new FlowSource(() -> play(random), nanos::incrementAndGet, 0);
    for (int i = 0; i < 6; i++) {
      Snapshot all = source.sinceStart(0);
      source.reset();
      Snapshot reset = source.snapshot(1_000);
      assertThat(ended(reset)).isZero();
      assertThat(reset.misuses()).isEmpty();
      assertThat(reset.allocated()).isEqualTo(reset.live().count());
      Snapshot later = new Since(all).of(FlowTracker.INSTANCE.snapshot());
      assertThat(later.allocated()).isEqualTo(ended(later) + later.live().count());
    }
  }

  @Test
  void ofAnIdleProcessNothingIsToldBetweenTwoSnapshots() {
    Random random = new Random(7);
    play(random);
    collect();
    Snapshot before = FlowTracker.INSTANCE.snapshot();
    Snapshot rest = new Since(before).of(FlowTracker.INSTANCE.snapshot());
    assertThat(new Sums().add(rest, 1).byPath).isEmpty();
    assertThat(rest.live().count()).isEqualTo(before.live().count());
  }
}
