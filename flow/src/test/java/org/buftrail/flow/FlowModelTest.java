package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.BeforeContainer;
import net.jqwik.api.lifecycle.BeforeTry;
import org.buftrail.flow.FlowModel.Held;
import org.buftrail.flow.Probe.Counts;
import org.jspecify.annotations.Nullable;

/** Random programs of several threads beside a sweeper, against {@link FlowModel}. */
class FlowModelTest {
  private static final int[] SITES = new int[12];

  static {
    for (int i = 0; i < SITES.length; i++) {
      SITES[i] = Probe.site("M" + i);
    }
  }

  enum Kind {
    ALLOCATE,
    HOP,
    RETAIN,
    RELEASE,
    GROW_AND_RELEASE,
    HAND_OVER,
    TAKE,
    DROP,
    KEEP,
    COMPOSE,
    JOIN,
    PART
  }

  /** One step of a thread; what it applies to is picked from the buffers that the thread has. */
  static final class Step {
    final Kind kind;
    final int pick;
    final int site;
    final int size;

    Step(Kind kind, int pick, int site, int size) {
      this.kind = kind;
      this.pick = pick;
      this.site = site;
      this.size = size;
    }

    @Override
    public String toString() {
      return kind + "(" + pick + ", " + site + ", " + size + ")";
    }
  }

  /** The buffers and threads of one try. Closed, so that what fails then hides no other failure. */
  private static final class World implements AutoCloseable {
    final int heapRoot = Probe.root();
    final int directRoot = Probe.root();
    final int compositeRoot = Probe.root();
    final boolean plain;
    final Queue<FakeBuffer> pool = new ConcurrentLinkedQueue<>();
    final Queue<Held> exchange = new ConcurrentLinkedQueue<>();
    final FlowModel model;

    /**
     * @param plain whether buffers have no place for their state; then there are no composites
     */
    World(int maxDepth, boolean plain) {
      this.plain = plain;
      model = new FlowModel(maxDepth);
    }

    @Override
    public void close() {
      Probe.off();
    }
  }

  @BeforeContainer
  static void plainBuffers() {
    Fosters.add(new PlainBuffers());
  }

  @BeforeTry
  void on() {
    Probe.on();
  }

  @Provide
  Arbitrary<List<List<Step>>> programs() {
    Arbitrary<Kind> kinds =
        Arbitraries.frequency(
            Tuple.of(20, Kind.ALLOCATE),
            Tuple.of(40, Kind.HOP),
            Tuple.of(5, Kind.RETAIN),
            Tuple.of(15, Kind.RELEASE),
            Tuple.of(3, Kind.GROW_AND_RELEASE),
            Tuple.of(6, Kind.HAND_OVER),
            Tuple.of(6, Kind.TAKE),
            Tuple.of(1, Kind.DROP),
            Tuple.of(1, Kind.KEEP),
            Tuple.of(4, Kind.COMPOSE),
            Tuple.of(12, Kind.JOIN),
            Tuple.of(6, Kind.PART));
    Arbitrary<Step> steps =
        Combinators.combine(
                kinds,
                Arbitraries.integers().between(0, 1_000),
                Arbitraries.integers().between(0, SITES.length - 1),
                Arbitraries.integers().between(0, 10_000))
            .as(Step::new);
    return steps.list().ofMinSize(1).ofMaxSize(600).list().ofMinSize(1).ofMaxSize(4);
  }

  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void everyCountAndEveryPathIsTheModels(
      @ForAll("programs") List<List<Step>> programs,
      @ForAll("depths") int maxDepth,
      @ForAll("rates") int sampling,
      @ForAll boolean plain)
      throws Exception {
    FlowTracker.setBounds(1_000_000, maxDepth, 1_000);
    FlowTracker.configure(sampling, false);
    try (World world = new World(maxDepth, plain)) {
      compare(world, programs, sampling);
    }
  }

  private static void compare(World world, List<List<Step>> programs, int sampling)
      throws Exception {
    List<List<Held>> left = run(world, programs);
    for (List<Held> ofThread : left) {
      ofThread.forEach(world.model::live);
    }
    world.exchange.forEach(world.model::live);
    awaitLeaks(world, sampling);
    try {
      assertThat(counts(world)).isEqualTo(world.model.counts(sampling));
    } finally {
      Reference.reachabilityFence(left);
      Reference.reachabilityFence(world);
    }
  }

  private static Map<String, Counts> counts(World world) {
    Map<String, Counts> actual = new TreeMap<>();
    Probe.paths(world.heapRoot).forEach((path, c) -> actual.put("heap " + path, c.withAllLeaked()));
    Probe.paths(world.directRoot)
        .forEach((path, c) -> actual.put("direct " + path, c.withAllLeaked()));
    Probe.paths(world.compositeRoot)
        .forEach((path, c) -> actual.put("composite " + path, c.withAllLeaked()));
    return actual;
  }

  @Provide
  Arbitrary<Integer> depths() {
    return Arbitraries.of(3, 6, 100);
  }

  @Provide
  Arbitrary<Integer> rates() {
    return Arbitraries.of(1, 1, 3);
  }

  private static void awaitLeaks(World world, int sampling) throws InterruptedException {
    Probe.awaitLeaks(world.heapRoot, world.model.leaks("heap") * sampling);
    Probe.awaitLeaks(world.directRoot, world.model.leaks("direct") * sampling);
    Probe.awaitLeaks(world.compositeRoot, world.model.leaks("composite") * sampling);
  }

  private static List<List<Held>> run(World world, List<List<Step>> programs)
      throws InterruptedException, ExecutionException {
    ExecutorService threads = Executors.newFixedThreadPool(programs.size());
    Sweeping sweeping = new Sweeping();
    sweeping.start();
    try {
      List<Future<List<Held>>> futures = new ArrayList<>();
      for (List<Step> program : programs) {
        futures.add(threads.submit(() -> play(world, program)));
      }
      List<List<Held>> left = new ArrayList<>();
      for (Future<List<Held>> future : futures) {
        left.add(future.get());
      }
      return left;
    } finally {
      threads.shutdown();
      sweeping.end();
    }
  }

  private static List<Held> play(World world, List<Step> program) {
    List<Held> mine = new ArrayList<>();
    for (Step step : program) {
      if (step.kind == Kind.ALLOCATE) {
        mine.add(allocate(world, step));
      } else if (step.kind == Kind.COMPOSE) {
        if (!world.plain) {
          mine.add(compose(world));
        }
      } else if (step.kind == Kind.TAKE) {
        Held taken = world.exchange.poll();
        if (taken != null) {
          mine.add(taken);
        }
      } else if (!mine.isEmpty()) {
        int at = step.pick % mine.size();
        if (step.kind == Kind.JOIN) {
          join(world, mine, at);
        } else if (step.kind == Kind.PART) {
          Held part = part(mine.get(at));
          if (part != null) {
            mine.add(part);
          }
        } else if (!apply(world, step, mine.get(at))) {
          mine.remove(at);
        }
      }
    }
    return mine;
  }

  private static Held allocate(World world, Step step) {
    FakeBuffer buffer = world.pool.poll();
    if (buffer == null) {
      buffer = new FakeBuffer(step.pick % 2 == 0);
      buffer = world.plain ? buffer.plain() : buffer;
    }
    boolean direct = buffer.isDirect();
    buffer.reset(step.size).allocatedAt(direct ? world.directRoot : world.heapRoot);
    return new Held(buffer, direct ? "direct" : "heap", buffer.isFollowed());
  }

  private static Held compose(World world) {
    FakeComposite composite = new FakeComposite(true);
    composite.reset(1).allocatedAt(world.compositeRoot);
    return new Held(composite, "composite", composite.isFollowed());
  }

  /** Adds a buffer that only this thread has to the composite that it came by last. */
  private static void join(World world, List<Held> mine, int at) {
    Held part = mine.get(at);
    if (part.buffer instanceof FakeComposite || part.buffer.refCnt() != 1) {
      return;
    }
    for (int i = mine.size() - 1; i >= 0; i--) {
      Held composite = mine.get(i);
      if (composite.buffer instanceof FakeComposite taking && composite.parts.size() < 60) {
        mine.remove(at);
        taking.add(composite.parts.size(), part.buffer);
        world.model.joined(composite, part);
        return;
      }
    }
  }

  /** Takes the last component out of a composite. */
  private static @Nullable Held part(Held composite) {
    int last = composite.parts.size() - 1;
    if (last < 0) {
      return null;
    }
    Held part = composite.parts.remove(last);
    ((FakeComposite) composite.buffer).remove(last);
    part.in = null;
    return part;
  }

  /** Whether the thread still has the buffer. */
  private static boolean apply(World world, Step step, Held held) {
    switch (step.kind) {
      case HOP:
        held.buffer.hop(SITES[step.site]);
        world.model.hop(held, SITES[step.site]);
        return true;
      case RETAIN:
        held.buffer.retain();
        world.model.hop(held, Sites.RETAIN);
        return true;
      case GROW_AND_RELEASE:
        if (held.buffer.refCnt() > 1) {
          return true;
        }
        held.buffer.grow(held.buffer.capacity() * 2);
        return release(world, held);
      case RELEASE:
        return release(world, held);
      case HAND_OVER:
        world.exchange.add(held);
        return false;
      case DROP:
        world.model.leaked(held);
        return false;
      default:
        held.buffer.keep();
        held.kept = true;
        return true;
    }
  }

  private static boolean release(World world, Held held) {
    if (!held.buffer.release()) {
      return true;
    }
    world.model.released(held);
    for (Held part = part(held); part != null; part = part(held)) {
      release(world, part);
    }
    if (!(held.buffer instanceof FakeComposite)) {
      world.pool.add(held.buffer);
    }
    return false;
  }
}
