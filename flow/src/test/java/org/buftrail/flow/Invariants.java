package org.buftrail.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.nursery.ThreadRing;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.PathTree;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;

/** What must hold whenever no thread is inside the tracker. */
public final class Invariants {
  /** Errors that tests have put into trackers; they are counted for all together. */
  private static final AtomicLong MEANT = new AtomicLong();

  private Invariants() {}

  /** Says that a test has put an error into the tracker. */
  public static void meant(long errors) {
    MEANT.addAndGet(errors);
  }

  static void check() {
    assertThat(Suppressed.count()).as("errors inside the tracker").isEqualTo(MEANT.get());
    Snapshot snapshot = FlowTracker.INSTANCE.snapshot();
    assertThat(snapshot.paths().stream().mapToLong(Path::flows).sum())
        .as("released + leaked + held + dropped + live")
        .isEqualTo(snapshot.allocated());
    Set<List<Object>> rows = new HashSet<>();
    for (Path path : snapshot.paths()) {
      assertThat(rows.add(asItReads(path))).as("no second row for %s", asItReads(path)).isTrue();
      assertThat(path.hops().get(0).site().className()).isNotEqualTo("(in transit)");
      assertThat(path.released().count()).isNotNegative();
      assertThat(path.leaked().count()).isNotNegative();
      assertThat(path.held() == 0 || path.leaked().count() > 0).as("held by a leak").isTrue();
    }
    tree();
    rings();
    allTenured();
  }

  /** All that tells one row of a snapshot from another. */
  public static List<Object> asItReads(Path path) {
    List<Object> text = new ArrayList<>();
    text.add(path.isDirect());
    for (Path.Hop hop : path.hops()) {
      text.add(hop.site() + " " + hop.refs() + (hop.isOverflow() ? " overflow" : ""));
    }
    return text;
  }

  private static void tree() {
    Node[] nodes = Tracker.INSTANCE.tree.all();
    Map<Node, Integer> children = new HashMap<>();
    int ends = 0;
    for (int id = 0; id < nodes.length; id++) {
      Node node = nodes[id];
      assertThat(node.id).isEqualTo(id);
      assertThat(node.endId).isEqualTo(node.isEnd() ? ++ends : 0);
      Node parent = node.parent();
      if (parent == null) {
        assertThat(node.isRoot()).isTrue();
        continue;
      }
      assertThat(parent.id).as("made before its child").isLessThan(id);
      assertThat((int) node.depth).isEqualTo(parent.depth + 1);
      assertThat(node.isDirect()).isEqualTo(parent.isDirect());
      assertThat(node.isComposite()).isEqualTo(parent.isComposite());
      if (node.isEnd()) {
        assertThat(parent.existingEnd()).isSameAs(node);
      } else if (node.isOverflow()) {
        assertThat(parent.overflow()).isSameAs(node);
      } else {
        assertThat(parent.child(node.key)).isSameAs(node);
        children.merge(parent, 1, Integer::sum);
        assertThat(keepsAPlace(node)).as("%s twice on a path", Sites.get(node.site())).isTrue();
      }
      assertThat(parent.isEnd()).as("something after an end").isFalse();
    }
    for (Node node : nodes) {
      if (node.isEnd()) {
        assertThat(node.childCount()).as("twins").isLessThanOrEqualTo(PathTree.MAX_AFTER);
      } else {
        assertThat(node.childCount())
            .as("children and their twins")
            .isGreaterThanOrEqualTo(children.getOrDefault(node, 0));
      }
    }
  }

  /** Whether a node is the first of its place, or a place stands only between it and the last. */
  private static boolean keepsAPlace(Node node) {
    Set<Integer> between = new HashSet<>();
    for (Node n = node.parent(); n != null; n = n.parent()) {
      if (n.key == node.key) {
        between.remove(Sites.RETAIN);
        for (Node above = n; above != null; above = above.parent()) {
          between.remove(above.site());
        }
        return !between.isEmpty();
      }
      between.add(n.site());
    }
    return true;
  }

  /** After a snapshot nothing is left in a ring. */
  private static void rings() {
    for (ThreadRing ring : Tracker.INSTANCE.nursery.rings.all()) {
      for (int slot = 0; slot < ring.slots(); slot++) {
        if (ring.inSlot(slot) != null) {
          throw new AssertionError("something in slot " + slot);
        }
      }
    }
  }

  private static void allTenured() {
    Nursery nursery = Tracker.INSTANCE.nursery;
    synchronized (nursery) {
      Set<TrackedBuffer> buffers = Collections.newSetFromMap(new IdentityHashMap<>());
      List<TenuredFlow> allTenured = nursery.table.all();
      for (int i = 0; i < allTenured.size(); i++) {
        TenuredFlow tenured = allTenured.get(i);
        assertThat(tenured.index).isEqualTo(i);
        assertThat(tenured.strong == null).as("held strongly").isTrue();
        TrackedBuffer buffer = tenured.get();
        if (buffer != null && !tenured.isEnded()) {
          assertThat(FlowState.state(buffer) == tenured).as("state is the tenured flow").isTrue();
          assertThat(Stamp.isTenured(FlowState.stamp(buffer))).isTrue();
          assertThat(buffers.add(buffer)).as("first tenured flow of the buffer").isTrue();
        }
      }
      for (TenuredFlow tenured : nursery.pending.waiting) {
        assertThat(tenured.index).isEqualTo(TenuredFlow.NOWHERE);
        TrackedBuffer buffer = tenured.strong;
        if (buffer != null && FlowState.state(buffer) == tenured && !tenured.isEnded()) {
          assertThat(buffers.add(buffer)).as("first tenured flow of the buffer").isTrue();
        }
      }
    }
  }
}
