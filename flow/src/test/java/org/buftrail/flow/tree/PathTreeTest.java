package org.buftrail.flow.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.released;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** How paths grow, fold and stop growing. */
@ExtendWith(Probe.class)
class PathTreeTest {
  private static final int[] SITES = new int[2_000];

  static {
    Arrays.setAll(SITES, i -> Probe.site("S" + i));
  }

  private final int root = Probe.root();

  private static int key(int site) {
    return site << 2 | 1;
  }

  @Test
  void sameStepsGiveTheSameNode() {
    Node start = Tracker.INSTANCE.tree.root(root, 0);
    assertThat(Tracker.INSTANCE.tree.root(root, 0)).isSameAs(start);
    assertThat(Tracker.INSTANCE.tree.root(root, Node.DIRECT)).isNotSameAs(start);
    Node one = start.next(key(SITES[0])).next(key(SITES[1]));
    assertThat(start.next(key(SITES[0])).next(key(SITES[1]))).isSameAs(one);
    assertThat(start.next(key(SITES[1]))).isNotSameAs(one);
    assertThat(one.end()).isSameAs(one.end());
    assertThat(one.end().isEnd()).isTrue();
  }

  @Test
  void everyOfManyChildrenIsFoundAgain() {
    Node start = Tracker.INSTANCE.tree.root(root, 0);
    Node[] children = new Node[900];
    Arrays.setAll(children, i -> start.next(key(SITES[i])));
    assertThat(new HashSet<>(Arrays.asList(children))).hasSize(900);
    for (int i = 0; i < children.length; i++) {
      assertThat(start.next(key(SITES[i]))).isSameAs(children[i]);
    }
    assertThat(start.childCount()).isEqualTo(900);
  }

  /** A class's sites are numbered one after the other. Those that meet wait for each other. */
  @Test
  void sitesOfOneClassHardlyMeet() {
    int alone = 0;
    int all = 0;
    for (int first = 0; first < 1_000; first++) {
      Set<Integer> taken = new HashSet<>();
      for (int i = 0; i < 8; i++) {
        alone += taken.add(Node.index(key(first + i), 16)) ? 1 : 0;
        all++;
      }
    }
    assertThat(100 * alone / all).as("percent").isGreaterThanOrEqualTo(85);
  }

  @Test
  void siteThatIsPassedAgainFoldsThePath() {
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root);
    int before = Tracker.INSTANCE.tree.size();
    for (int i = 0; i < 100_000; i++) {
      buffer.hop(SITES[0], SITES[1], SITES[2]);
    }
    buffer.release();
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of("S0 S1 S2 release", released(1, 1)));
    // The root came before; three hops, two of them once more, and the end after.
    assertThat(Tracker.INSTANCE.tree.size() - before).isEqualTo(6);
    Path path =
        FlowTracker.INSTANCE.snapshot().paths().stream()
            .filter(p -> p.hops().get(0).site().equals(Sites.get(root)))
            .findAny()
            .orElseThrow();
    assertThat(path.hops())
        .extracting(Path.Hop::isLoop)
        .containsExactly(false, false, false, true, false);
  }

  /** A path of as many hops from {@code start}, by numbers of sites; -1 is a retain of Netty's. */
  private static Node walk(Node start, int... sites) {
    Node at = start;
    for (int site : sites) {
      at = at.next(key(site < 0 ? Sites.RETAIN : SITES[site]));
    }
    return at;
  }

  private static List<Integer> places(Node node) {
    List<Integer> places = new ArrayList<>();
    for (Node n = node; n != null && !n.isRoot(); n = n.parent()) {
      places.add(0, n.site() == Sites.RETAIN ? -1 : n.site() - SITES[0]);
    }
    return places;
  }

  @Test
  void foldingLosesNoPlaceOfTheApplication() {
    Node start = Tracker.INSTANCE.tree.root(root, 0);
    assertThat(places(walk(start, 0, -1, 1, 2, -1, 3)))
        .as("two retains of the library, methods between them")
        .containsExactly(0, -1, 1, 2, -1, 3);
    assertThat(places(walk(start, 0, -1, -1, -1, 1))).containsExactly(0, -1, 1);
    assertThat(places(walk(start, 0, 1, 0))).containsExactly(0, 1, 0);
    assertThat(places(walk(start, 0, 1, 0, 1, 0, 1))).containsExactly(0, 1);
    assertThat(places(walk(start, 0, -1, 0))).as("only a retain between").containsExactly(0);
    assertThat(places(walk(start, 0, 1, 1, 1))).containsExactly(0, 1);
    Node twice = start.next(key(SITES[0])).next(key(SITES[1])).next(SITES[1] << 2 | 2);
    assertThat(places(twice.next(key(SITES[1]))))
        .as("the same place, counted more often")
        .containsExactly(0, 1);
  }

  @Test
  void pathsWithoutFoldsAreBounded() {
    Node start = Tracker.INSTANCE.tree.root(root, 0);
    Random random = new Random(7);
    int before = Tracker.INSTANCE.tree.size();
    Node at = start;
    int deepest = 0;
    for (int i = 0; i < 100_000; i++) {
      at = at.next(key(SITES[random.nextInt(4)]));
      deepest = Math.max(deepest, at.depth);
    }
    assertThat(deepest).as("1 + 2 + 3 + 4 below the root").isLessThanOrEqualTo(11);
    assertThat(Tracker.INSTANCE.tree.size() - before).isLessThan(4 * 3 * 2 * 100);
    PathTree small = new PathTree();
    small.setBounds(6, 100, 1_000);
    assertThat(places(walk(small.root(root, 0), 0, 1, 0))).containsExactly(0, 1, 0);
    assertThat(places(walk(small.root(root, 0), 2, 3, 2))).as("half full").containsExactly(2);
  }

  @Test
  void nothingGrowsBeyondTheDepth() {
    FlowTracker.INSTANCE.setBounds(1_000_000, 5, 1_000);
    long before = FlowTracker.INSTANCE.snapshot().overflowed();
    for (int i = 0; i < 10; i++) {
      FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root);
      for (int site = 0; site <= i; site++) {
        buffer.hop(SITES[site]);
      }
      buffer.release();
    }
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "S0 release", released(1, 1),
                "S0 S1 release", released(1, 1),
                "S0 S1 S2 release", released(1, 1),
                "S0 S1 S2 S3 release", released(1, 1),
                "S0 S1 S2 S3 (overflow).beyond release", released(6, 6)));
    assertThat(FlowTracker.INSTANCE.snapshot().overflowed() - before).isEqualTo(6);
  }

  @Test
  void nothingGrowsBeyondTheChildren() {
    FlowTracker.INSTANCE.setBounds(1_000_000, 100, 3);
    for (int i = 0; i < 10; i++) {
      FakeBuffer.heap(1).allocatedAt(root).hop(SITES[i]).release();
    }
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "S0 release", released(1, 1),
                "S1 release", released(1, 1),
                "S2 release", released(1, 1),
                "(overflow).beyond release", released(7, 7)));
  }

  @Test
  void nothingGrowsBeyondTheNodes() {
    FakeBuffer.heap(1).allocatedAt(root).hop(SITES[0]).release();
    FlowTracker.INSTANCE.setBounds(0, 100, 1_000);
    FakeBuffer.heap(1).allocatedAt(root).hop(SITES[0]).release();
    int before = Tracker.INSTANCE.tree.size();
    for (int i = 0; i < 1_000; i++) {
      FakeBuffer.heap(1).allocatedAt(root).hop(SITES[0], SITES[i], SITES[i + 1]).release();
    }
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "S0 release", released(2, 2),
                "S0 (overflow).beyond release", released(1_000, 1_000)));
    assertThat(Tracker.INSTANCE.tree.size() - before).isEqualTo(2);
  }

  @Test
  void treesGrowAsideOfEachOther() {
    PathTree small = new PathTree();
    small.setBounds(1, 100, 1_000);
    PathTree large = new PathTree();
    Node inSmall = small.root(root, 0);
    Node inLarge = large.root(root, 0);
    Node scoped = Node.scopedRoot(large.top(large.top(null, false), false), inLarge);
    assertThat(inSmall.next(key(SITES[0])).next(key(SITES[1])).isOverflow()).isTrue();
    assertThat(scoped.next(key(SITES[0])).next(key(SITES[1])).isOverflow()).isFalse();
    assertThat(small.size()).as("root, one node, and what is past it").isEqualTo(3);
    assertThat(large.size()).isEqualTo(3);
    assertThat(scoped.next(key(SITES[0])).unscoped()).isSameAs(inLarge.next(key(SITES[0])));
    assertThat(large.roots.of(Probe.class, Roots.HEAP))
        .isSameAs(large.roots.of(Probe.class, Roots.HEAP))
        .isNotSameAs(small.roots.of(Probe.class, Roots.HEAP));
    assertThat(inSmall.end().id).isEqualTo(4);
    assertThat(inLarge.end().id).isEqualTo(4);
    assertThat(large.byId(4)).isSameAs(inLarge.end()).isNotSameAs(small.byId(4));
  }

  @Test
  void loopIsFollowedBeyondABound() {
    FlowTracker.INSTANCE.setBounds(1_000_000, 3, 1_000);
    FakeBuffer buffer = FakeBuffer.heap(1).allocatedAt(root).hop(SITES[0], SITES[1]).hop(SITES[0]);
    buffer.hop(SITES[1]).release();
    assertThat(Probe.paths(root).keySet()).containsExactly("S0 S1 release");
  }

  @Test
  void everyWayBackIsFoundAgainBesideTheChildren() {
    Node[] path = new Node[60];
    Node at = Tracker.INSTANCE.tree.root(root, 0);
    for (int i = 0; i < path.length; i++) {
      at = at.next(key(SITES[i]));
      path[i] = at;
    }
    Node last = at;
    Node[] children = new Node[60];
    Arrays.setAll(children, i -> last.next(key(SITES[100 + i])));
    int size = Tracker.INSTANCE.tree.size();
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < path.length; i++) {
        assertThat(last.next(key(SITES[i]))).isSameAs(path[i]);
        assertThat(last.next(key(SITES[100 + i]))).isSameAs(children[i]);
        assertThat(last.way(key(SITES[i]))).as("found without a search").isSameAs(path[i]);
        assertThat(path[i].isLooped()).isTrue();
      }
    }
    assertThat(Tracker.INSTANCE.tree.size()).isEqualTo(size);
    assertThat(last.childCount()).isEqualTo(60);
  }

  @Test
  void noMoreWaysBackAreKeptThanThereMayBeNodes() {
    Node first = Tracker.INSTANCE.tree.root(root, 0).next(key(SITES[0]));
    Node last = first.next(key(SITES[1])).next(key(SITES[2]));
    FlowTracker.INSTANCE.setBounds(0, 100, 1_000);
    for (int i = 0; i < 2; i++) {
      assertThat(last.next(key(SITES[0]))).isSameAs(first);
      assertThat(last.way(key(SITES[0]))).isNull();
    }
    assertThat(first.isLooped()).isTrue();
  }

  @Test
  void threadsThatGrowTheSameNodeAgree() throws Exception {
    int threads = 4;
    Node start = Tracker.INSTANCE.tree.root(root, 0);
    Node[][] found = new Node[threads][800];
    CyclicBarrier barrier = new CyclicBarrier(threads);
    Thread[] all = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      Node[] mine = found[t];
      int from = t * 37;
      all[t] =
          new Thread(
              () -> {
                try {
                  barrier.await();
                } catch (Exception e) {
                  throw new AssertionError(e);
                }
                for (int i = 0; i < mine.length; i++) {
                  int site = (from + i) % mine.length;
                  mine[site] = start.next(key(SITES[site]));
                  mine[site].end();
                }
              });
      all[t].start();
    }
    for (Thread thread : all) {
      thread.join();
    }
    Set<Node> nodes = new HashSet<>(Arrays.asList(found[0]));
    assertThat(nodes).hasSize(800);
    for (Node[] other : found) {
      assertThat(other).containsExactly(found[0]);
    }
  }

  @Test
  void compositesAndOtherBuffersOfOneMethodCountAtTheSameNodes() {
    PathTree tree = new PathTree();
    for (int kind : new int[] {Roots.HEAP, Roots.DIRECT}) {
      Node plain = tree.roots.of(root, kind);
      Node composite = tree.roots.of(root, kind | Roots.COMPOSITE_HEAP);
      assertThat(composite).isNotSameAs(plain);
      assertThat(composite.isComposite()).isTrue();
      Node on = composite.next(key(SITES[0])).next(key(Sites.RETAIN));
      Node first = plain.next(key(SITES[0]));
      Node other = first.next(key(Sites.RETAIN));
      assertThat(on.isComposite()).isTrue();
      assertThat(other.isComposite()).isFalse();
      assertThat(on.id).isEqualTo(other.id);
      assertThat(on.end()).isSameAs(other.end());
      assertThat(on.next(key(SITES[0])).id).as("back to where it was").isEqualTo(first.id);
      assertThat(first.isLooped()).as("known where it is counted").isTrue();
      assertThat(composite.next(key(SITES[0])).next(key(Sites.RETAIN))).isSameAs(on);
    }
    assertThat(tree.size()).as("a root, two nodes and an end for each memory").isEqualTo(8);
  }

  @Test
  void compositesGoPastTheBoundsOfOtherBuffersToo() {
    PathTree tree = new PathTree();
    tree.setBounds(3, 100, 100);
    Node composite = tree.roots.of(root, Roots.COMPOSITE_HEAP);
    Node plain = tree.roots.of(root, Roots.HEAP);
    for (int i = 0; i < 3; i++) {
      assertThat(plain.next(key(SITES[i])).isOverflow()).isFalse();
    }
    for (int i = 0; i < 3; i++) {
      assertThat(composite.next(key(SITES[i])).id).isEqualTo(plain.next(key(SITES[i])).id);
    }
    Node beyond = composite.next(key(SITES[3]));
    assertThat(beyond.isOverflow()).isTrue();
    assertThat(beyond).isSameAs(composite.next(key(SITES[4])));
    assertThat(plain.next(key(SITES[3])).id).isEqualTo(beyond.id);
  }

  @Test
  void whatLeavesAScopeIsAsCompositeAsBefore() {
    PathTree tree = new PathTree();
    Node top = tree.top(null, false);
    Node plain = tree.roots.of(root, Roots.HEAP);
    Node composite = tree.roots.of(root, Roots.COMPOSITE_HEAP);
    for (Node start : new Node[] {plain, composite}) {
      Node scoped = Node.scopedRoot(top, start).next(key(SITES[0])).next(key(SITES[1]));
      Node left = scoped.unscoped();
      assertThat(left.isScoped()).isFalse();
      assertThat(left.isComposite()).isEqualTo(start.isComposite());
      assertThat(left.id).isEqualTo(scoped.id);
      assertThat(left).isSameAs(start.next(key(SITES[0])).next(key(SITES[1])));
    }
  }

  @Test
  void sitesThatReadTheSameCountAtOneNode() {
    PathTree tree = new PathTree();
    Site entry = new Site("test.Alike", "on", "(I)V", 7, "");
    int one = Sites.intern(entry);
    int other = Sites.intern(new Site("test.Alike", "on", "(J)V", 7, ""));
    int call = Sites.intern(new Site("test.Alike", "on", "", 7, ""));
    assertThat(Set.of(one, other, call)).hasSize(3);
    assertThat(Sites.intern(new Site("test.Alike", "on", "(I)V", 7, ""))).isEqualTo(one);
    Node start = tree.root(root, 0);
    start.next(key(SITES[0]));
    Node first = start.next(key(one));
    assertThat(start.next(key(other)).id).isEqualTo(first.id);
    assertThat(start.next(key(call)).next(key(SITES[1])).id)
        .isEqualTo(first.next(key(SITES[1])).id);
    assertThat(start.next(key(call)).end()).isSameAs(first.end());
    assertThat(start.next(call << 2 | 2).id).as("another count").isNotEqualTo(first.id);
    Node after = first.next(key(call));
    assertThat(after.id).as("a call on the line of the entry").isEqualTo(first.id);
    assertThat(after.end()).isSameAs(first.end());
    assertThat(after.next(key(SITES[1])).id).isEqualTo(first.next(key(SITES[1])).id);
    assertThat(first.isLooped()).isFalse();
    assertThat(after.next(key(call))).as("the same once more").isSameAs(after);
    assertThat(after.isLooped()).as("two calls on one line").isFalse();
    assertThat(first.isLooped()).isFalse();
    assertThat(after.next(key(SITES[1])).next(key(SITES[1])).isLooped()).as("recursion").isTrue();
  }
}
