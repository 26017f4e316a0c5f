package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.buftrail.flow.FlowModel.Held;
import org.buftrail.flow.Probe.Counts;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Tracker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Tag;

/** Random programs of several threads beside a sweeper, against {@link FlowModel}. */
class FlowModelTest {
  private static final int[] SITES = new int[12];

  static {
    for (int i = 0; i < SITES.length; i++) {
      SITES[i] = Probe.site("M" + i);
    }
  }

  enum Kind {
    ALLOCATE(20),
    HOP(40),
    RETAIN(5),
    RELEASE(15),
    GROW_AND_RELEASE(3),
    HAND_OVER(6),
    TAKE(6),
    DROP(1),
    KEEP(1),
    COMPOSE(4),
    JOIN(12),
    PART(6);

    /** How often it comes, beside the others. */
    final int weight;

    Kind(int weight) {
      this.weight = weight;
    }

    static Kind random(Random random) {
      int left = random.nextInt(Arrays.stream(values()).mapToInt(kind -> kind.weight).sum());
      for (Kind kind : values()) {
        left -= kind.weight;
        if (left < 0) {
          return kind;
        }
      }
      throw new AssertionError();
    }
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
    final int compositeRoot;

    /** The model's name for the root of composites, which may be that of other buffers. */
    final String composites;

    final boolean plain;
    final Queue<FakeBuffer> pool = new ConcurrentLinkedQueue<>();
    final Queue<Held> exchange = new ConcurrentLinkedQueue<>();
    final FlowModel model;

    /**
     * @param plain whether buffers have no place for their state; then there are no composites
     * @param shared whether one method makes composites and others
     */
    World(int maxDepth, boolean plain, boolean shared) {
      this.plain = plain;
      composites = shared ? "direct" : "composite";
      compositeRoot = shared ? directRoot : Probe.root();
      model = new FlowModel(maxDepth);
    }

    @Override
    public void close() {
      Probe.off();
    }
  }

  @BeforeAll
  static void plainBuffers() {
    Tracker.INSTANCE.sideTable.add(new PlainBuffers());
  }

  @BeforeEach
  void on() {
    Probe.on();
  }

  private static List<List<Step>> programs(Random random) {
    List<List<Step>> programs = new ArrayList<>();
    for (int thread = 1 + random.nextInt(4); thread > 0; thread--) {
      List<Step> program = new ArrayList<>();
      for (int step = 1 + random.nextInt(600); step > 0; step--) {
        program.add(
            new Step(
                Kind.random(random),
                random.nextInt(1_001),
                random.nextInt(SITES.length),
                random.nextInt(10_001)));
      }
      programs.add(program);
    }
    return programs;
  }

  @RepeatedTest(6)
  void everyCountAndEveryPathIsTheModels(RepetitionInfo seed) throws Exception {
    compare(seed.getCurrentRepetition());
  }

  @Tag("slow")
  @RepeatedTest(34)
  void everyCountAndEveryPathIsTheModelsInManyPrograms(RepetitionInfo seed) throws Exception {
    compare(6 + seed.getCurrentRepetition());
  }

  private static void compare(int seed) throws Exception {
    Random random = new Random(seed);
    int maxDepth = List.of(3, 6, 100).get(random.nextInt(3));
    int sampling = List.of(1, 1, 3).get(random.nextInt(3));
    boolean plain = random.nextBoolean();
    boolean shared = random.nextBoolean();
    FlowTracker.INSTANCE.setBounds(1_000_000, maxDepth, 1_000);
    FlowTracker.INSTANCE.configure(sampling, false);
    try (World world = new World(maxDepth, plain, shared)) {
      compare(world, programs(random), sampling);
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
        .forEach((path, c) -> actual.put(world.composites + " " + path, c.withAllLeaked()));
    return actual;
  }

  private static void awaitLeaks(World world, int sampling) throws InterruptedException {
    Probe.awaitLeaks(world.heapRoot, world.model.leaks("heap") * sampling);
    Probe.awaitLeaks(world.directRoot, world.model.leaks("direct") * sampling);
    Probe.awaitLeaks(world.compositeRoot, world.model.leaks(world.composites) * sampling);
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
    return new Held(composite, world.composites, composite.isFollowed());
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
