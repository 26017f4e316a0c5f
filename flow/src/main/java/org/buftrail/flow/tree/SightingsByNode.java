package org.buftrail.flow.tree;

import java.util.HashMap;
import java.util.Map;
import org.buftrail.model.Evidence;
import org.jspecify.annotations.Nullable;

/** What looks at the stack saw of flows, by the node at which they are. Not thread-safe. */
public final class SightingsByNode {
  private final Map<Integer, Sightings> seen = new HashMap<>();

  /** Adds a number of flows, or takes them back when it is negative. */
  public void add(Node node, int flows) {
    Sighting sighting = node.sighting();
    if (sighting != null) {
      of(node.id).add(sighting, flows);
    }
  }

  private Sightings of(int node) {
    Sightings known = seen.get(node);
    if (known == null) {
      known = new Sightings();
      seen.put(node, known);
    }
    return known;
  }

  void addAll(SightingsByNode other) {
    for (Map.Entry<Integer, Sightings> e : other.seen.entrySet()) {
      of(e.getKey()).addAll(e.getValue());
    }
  }

  /** All that was seen of the flows at a node, or null. */
  public @Nullable Evidence evidence(Node node) {
    Sightings known = seen.get(node.id);
    return known == null ? null : known.evidence();
  }

  /** The messages that were seen to have the flows at a node; null where none was. */
  public @Nullable Evidence messages(Node node) {
    Sightings known = seen.get(node.id);
    return known == null ? null : known.messages();
  }
}
