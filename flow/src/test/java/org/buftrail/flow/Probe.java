package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.tree.PathTree;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The JVM's tracker as a test sees it: on, following everything, and checked from end to end
 * afterwards.
 *
 * <p>It is one for all tests. A test takes a root of its own, so that the counts below that root
 * are its own too.
 */
public final class Probe implements BeforeEachCallback, AfterEachCallback {
  private static final AtomicInteger NAMES = new AtomicInteger();

  /** What happened at the end of one path. */
  public static final class Counts {
    public final long released;
    final long leaked;
    final long held;
    final long dropped;
    public final long live;
    public final long bytes;

    public Counts(long released, long leaked, long held, long dropped, long live, long bytes) {
      this.released = released;
      this.leaked = leaked;
      this.held = held;
      this.dropped = dropped;
      this.live = live;
      this.bytes = bytes;
    }

    /** Adds flows that the leaked ones held. */
    public Counts holding(long more) {
      return new Counts(released, leaked, more, dropped, live, bytes);
    }

    /** Counts all that was collected unreleased as leaked. */
    Counts withAllLeaked() {
      return new Counts(released, unreleased(), 0, 0, live, bytes);
    }

    long unreleased() {
      return leaked + held + dropped;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Counts && toString().equals(o.toString());
    }

    @Override
    public int hashCode() {
      return toString().hashCode();
    }

    @Override
    public String toString() {
      return "released "
          + released
          + ", leaked "
          + leaked
          + ", held "
          + held
          + ", dropped "
          + dropped
          + ", live "
          + live
          + ", bytes "
          + bytes;
    }
  }

  public static Counts released(long count, long bytes) {
    return new Counts(count, 0, 0, 0, 0, bytes);
  }

  public static Counts leaked(long count, long bytes) {
    return new Counts(0, count, 0, 0, 0, bytes);
  }

  public static Counts live(long count, long bytes) {
    return new Counts(0, 0, 0, 0, count, bytes);
  }

  public static Counts dropped(long count, long bytes) {
    return new Counts(0, 0, 0, count, 0, bytes);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    on();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    off();
  }

  /** Follow everything, with the default bounds. */
  static void on() {
    FlowTracker.INSTANCE.configure(1, false);
    FlowTracker.INSTANCE.setBounds(
        PathTree.DEFAULT_MAX_NODES, PathTree.DEFAULT_MAX_DEPTH, PathTree.DEFAULT_MAX_CHILDREN);
    Tracker.INSTANCE.mode.follow(true, "");
  }

  /** Stops, and looks whether everything fits together. */
  static void off() {
    on();
    Tracker.INSTANCE.mode.setStarting(false);
    Invariants.check();
  }

  /** A root that no other test has: its name is {@code RootN.make}. */
  public static int root() {
    return Sites.intern(new Site("test.Root" + NAMES.incrementAndGet(), "make", "", 0, ""));
  }

  public static int site(String name) {
    return Sites.intern(new Site("test." + name, "on", "", 0, ""));
  }

  /** The paths below one root: hops without their class names' package, the root left out. */
  public static Map<String, Counts> paths(int root) {
    return paths(FlowTracker.INSTANCE, root);
  }

  /** Like the above, for any tracker. */
  public static Map<String, Counts> paths(FlowTracker tracker, int root) {
    Site site = Sites.get(root);
    Map<String, Counts> paths = new TreeMap<>();
    for (Path path : tracker.snapshot().paths()) {
      if (path.hops().get(0).site().equals(site)) {
        paths.put(name(path), counts(path));
      }
    }
    return paths;
  }

  private static Counts counts(Path path) {
    return new Counts(
        path.released().count(),
        path.leaked().count(),
        path.held(),
        path.dropped().count(),
        path.live().count(),
        path.released().bytes()
            + path.leaked().bytes()
            + path.dropped().bytes()
            + path.live().bytes());
  }

  private static String name(Path path) {
    return path.hops().stream().skip(1).map(Probe::name).collect(Collectors.joining(" "));
  }

  private static String name(Path.Hop hop) {
    if (hop.isOverflow()) {
      return hop.site().hop();
    }
    String name = hop.site().hop().replace(".on", "").replace("ByteBuf.", "");
    return name
        + ("1-2".equals(hop.refs()) || "release".equals(name) ? "" : "[" + hop.refs() + "]");
  }

  /** Sweeps until what is alive has a tenured flow that no longer holds it. */
  public static void settle() {
    for (int i = 0; i < 4; i++) {
      Tracker.INSTANCE.nursery.sweep(true);
    }
  }

  /** Collects garbage, and waits until the collector has reported some of it. */
  public static void collect() throws InterruptedException {
    ReferenceQueue<Object> found = new ReferenceQueue<>();
    Reference<Object> garbage = new WeakReference<>(new Object(), found);
    System.gc();
    assertThat((Object) found.remove(20_000)).isSameAs(garbage);
  }

  /** Collects garbage until so many of a root were collected unreleased, and asserts that. */
  public static void awaitLeaks(int root, long expected) {
    settle();
    long deadline = System.nanoTime() + 20_000_000_000L;
    while (leaks(root) < expected && System.nanoTime() < deadline) {
      System.gc();
      Thread.onSpinWait();
    }
    assertThat(leaks(root)).isEqualTo(expected);
  }

  private static long leaks(int root) {
    return paths(root).values().stream().mapToLong(Counts::unreleased).sum();
  }
}
