package org.buftrail.agent.jmx;

import org.buftrail.model.ProcessMemory;

/** One of those that share the resident set, as JMX carries it. Immutable. */
public final class OwnerView {
  private final ProcessMemory.Owner owner;

  OwnerView(ProcessMemory.Owner owner) {
    this.owner = owner;
  }

  public String getName() {
    return owner.name();
  }

  /** Its bytes in RAM. */
  public long getResidentBytes() {
    return owner.resident();
  }

  /** What it counts and is not in RAM. */
  public long getNotInRamBytes() {
    return owner.beyond();
  }

  /** What else is known of it, or empty. */
  public String getKnown() {
    return owner.known();
  }
}
