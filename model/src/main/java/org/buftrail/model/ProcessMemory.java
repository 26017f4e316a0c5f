package org.buftrail.model;

import java.util.List;

/**
 * The resident set of a process at one moment, divided among its owners, each page counted once.
 * Immutable. Amounts are bytes.
 */
public final class ProcessMemory {
  private final List<Owner> owners;
  private final List<String> limits;

  /**
   * @param owners in the order in which they are shown; together they have the resident set
   * @param limits a line for each
   */
  public ProcessMemory(List<Owner> owners, List<String> limits) {
    this.owners = List.copyOf(owners);
    this.limits = List.copyOf(limits);
  }

  /** Who has it, in the order in which they are shown. */
  public List<Owner> owners() {
    return owners;
  }

  /** A line for each limit. */
  public List<String> limits() {
    return limits;
  }

  /** The resident set: what all owners have. */
  public long resident() {
    long sum = 0;
    for (Owner owner : owners) {
      sum += owner.resident();
    }
    return sum;
  }

  /** One of those that share the resident set. */
  public static final class Owner {
    private final String name;
    private final long resident;
    private final long beyond;
    private final String known;

    /**
     * @param name what it is
     * @param resident its bytes in RAM
     * @param beyond what it counts and is not in RAM
     * @param known what else is known of it, or empty
     */
    public Owner(String name, long resident, long beyond, String known) {
      this.name = name;
      this.resident = resident;
      this.beyond = beyond;
      this.known = known;
    }

    public String name() {
      return name;
    }

    /** Its bytes in RAM. */
    public long resident() {
      return resident;
    }

    /** What it counts and is not in RAM. */
    public long beyond() {
      return beyond;
    }

    /** What else is known of it, or empty. */
    public String known() {
      return known;
    }
  }
}
