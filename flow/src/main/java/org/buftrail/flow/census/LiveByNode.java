package org.buftrail.flow.census;

import java.util.Arrays;
import java.util.List;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.nursery.ThreadRing;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.Stamp;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;

/**
 * How many buffers and bytes are live at each node, about, by a look that moves nothing: it
 * promotes no flow, takes nothing from rings and reads no weak reference. What changes its place
 * while it looks may be missed; a {@link Census} is exact.
 *
 * <p>12 bytes for each node up to number {@value #MAX_NODES}; what is at others is only in the
 * total. Confined to the holder of the nursery's monitor.
 */
final class LiveByNode {
  static final int MAX_NODES = 1 << 16;

  private int[] counts = new int[256];
  private long[] bytes = new long[256];

  /** One more than the largest number of a node at which something is. */
  private int used;

  private long totalCount;
  private long totalBytes;

  /** Looks anew. */
  void look(Nursery nursery) {
    Arrays.fill(counts, 0, used, 0);
    Arrays.fill(bytes, 0, used, 0);
    used = 0;
    totalCount = 0;
    totalBytes = 0;
    for (ThreadRing ring : nursery.rings.all()) {
      // First what was handed on: what is displaced meanwhile is missed, and not counted twice.
      for (TenuredFlow flow = ring.lastPublished(); flow != null; flow = flow.next) {
        add(flow);
      }
      look(ring);
    }
    addAll(nursery.pending.waiting);
    addAll(nursery.table.all());
  }

  private void look(ThreadRing ring) {
    int used = (int) Math.min(ring.entered(), ring.slots());
    for (int slot = ring.taken(0, used); slot >= 0; slot = ring.taken(slot + 1, used)) {
      TrackedBuffer buffer = ring.inSlot(slot);
      if (buffer != null) {
        int stamp = FlowState.stampOpaque(buffer);
        Node node = Stamp.slot(stamp) == slot ? Nursery.liveNode(buffer, stamp) : null;
        if (node != null && !Stamp.isKept(stamp)) {
          add(node, FlowState.bytes(buffer));
        }
      }
    }
  }

  private void addAll(List<TenuredFlow> flows) {
    for (int i = 0; i < flows.size(); i++) {
      add(flows.get(i));
    }
  }

  private void add(TenuredFlow flow) {
    if (!flow.ended && !flow.kept) {
      TrackedBuffer buffer = flow.strong;
      add(flow.node, buffer == null ? flow.bytes : FlowState.bytes(buffer));
    }
  }

  private void add(Node node, int size) {
    if (node.isResource()) {
      return;
    }
    totalCount++;
    totalBytes += size;
    int id = node.id;
    if (id >= MAX_NODES) {
      return;
    }
    if (id >= counts.length) {
      int length = Math.min(MAX_NODES, Integer.highestOneBit(id) << 1);
      counts = Arrays.copyOf(counts, length);
      bytes = Arrays.copyOf(bytes, length);
    }
    counts[id]++;
    bytes[id] += size;
    used = Math.max(used, id + 1);
  }

  /** One more than the largest number of a node at which something is. */
  int size() {
    return used;
  }

  long count(int node) {
    return counts[node];
  }

  long bytes(int node) {
    return bytes[node];
  }

  /** Over all nodes. */
  long totalCount() {
    return totalCount;
  }

  /** Over all nodes. */
  long totalBytes() {
    return totalBytes;
  }
}
