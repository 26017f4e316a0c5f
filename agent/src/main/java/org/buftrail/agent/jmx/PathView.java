package org.buftrail.agent.jmx;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.model.Path;

/** A path as JMX carries it. Immutable. */
public final class PathView {
  private final Path path;

  PathView(Path path) {
    this.path = path;
  }

  /** {@code class.method:line} of each hop, the allocator first. */
  public List<String> getHops() {
    return hops(path.hops());
  }

  /** The place of each hop. */
  static List<String> hops(List<Path.Hop> hops) {
    List<String> places = new ArrayList<>();
    for (Path.Hop hop : hops) {
      places.add(hop.site().toString());
    }
    return places;
  }

  /** Where the buffers were last seen. */
  public String getLastHop() {
    return path.hops().get(path.hops().size() - 1).site().toString();
  }

  /** Whether the memory is outside the heap. */
  public boolean isDirect() {
    return path.isDirect();
  }

  /** Buffers released here. */
  public long getReleasedCount() {
    return path.released().count();
  }

  /** Buffers leaked here. */
  public long getLeakedCount() {
    return path.leaked().count();
  }

  /** Their bytes, and those of what they held. */
  public long getLeakedBytes() {
    return path.leaked().bytes();
  }

  /** Buffers that the leaked ones held. */
  public long getHeldCount() {
    return path.held();
  }

  /** Buffers dropped here: collected without a release, with nothing lost. */
  public long getDroppedCount() {
    return path.dropped().count();
  }

  public long getDroppedBytes() {
    return path.dropped().bytes();
  }

  /** Buffers that are here now. */
  public long getLiveCount() {
    return path.live().count();
  }

  public long getLiveBytes() {
    return path.live().bytes();
  }

  /** Age of the oldest of them in milliseconds; -1 when there is none. */
  public long getOldestMillis() {
    return path.oldestMillis();
  }
}
