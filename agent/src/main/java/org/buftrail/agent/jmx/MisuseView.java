package org.buftrail.agent.jmx;

import java.util.List;
import org.buftrail.model.Misuse;

/** Something done to released buffers, as JMX carries it. Immutable. */
public final class MisuseView {
  private final Misuse misuse;

  MisuseView(Misuse misuse) {
    this.misuse = misuse;
  }

  /** {@code double release}, {@code retain after release} or {@code use after release}. */
  public String getKind() {
    return misuse.kind().text();
  }

  /** Where: the first place outside Netty. */
  public String getPlace() {
    return misuse.site().toString();
  }

  /** How often. */
  public long getCount() {
    return misuse.count();
  }

  /** {@code class.method:line} of each hop of the path whose release came first. */
  public List<String> getHops() {
    return PathView.hops(misuse.hops());
  }
}
