package org.buftrail.agent.jmx;

import org.buftrail.agent.source.Collected;

/** The findings of a collection in the form that JMX carries. Immutable. */
public final class CollectionView {
  private final Collected collected;

  CollectionView(Collected collected) {
    this.collected = collected;
  }

  /** Whether the JVM did collect. */
  public boolean isCollected() {
    return collected.hasHappened();
  }

  /** Buffers that leaked meanwhile. */
  public long getLeakedCount() {
    return collected.leaked().count();
  }

  public long getLeakedBytes() {
    return collected.leaked().bytes();
  }

  /** Live flows that are undecided still. */
  public long getUndecidedCount() {
    return collected.undecided();
  }

  /** Paths that were suspect before. */
  public int getSuspectPathCount() {
    return collected.suspects();
  }

  /** How many of them leaked. */
  public int getProvedPathCount() {
    return collected.proved();
  }

  /** All that in one line, or why nothing is proved. */
  public String getText() {
    return collected.text();
  }
}
