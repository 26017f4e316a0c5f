package org.buftrail.model;

import java.util.List;

/** The processes that a snapshot is the sum of, and how they differ. Immutable. */
public final class SummedProcesses {
  private final String service;
  private final List<Share> shares;
  private final List<PartialLeak> partialLeaks;
  private final int unlisted;

  /**
   * @param service the service and version that all are of
   * @param shares one for each process
   * @param partialLeaks leaks that only some of them have, most frequent first
   * @param unlisted how many more such leaks there are
   */
  public SummedProcesses(
      String service, List<Share> shares, List<PartialLeak> partialLeaks, int unlisted) {
    this.service = service;
    this.shares = List.copyOf(shares);
    this.partialLeaks = List.copyOf(partialLeaks);
    this.unlisted = unlisted;
  }

  /** The service and version that all are of. */
  public String service() {
    return service;
  }

  /** One for each process. */
  public List<Share> shares() {
    return shares;
  }

  /** Leaks that only some of them have, most frequent first. */
  public List<PartialLeak> partialLeaks() {
    return partialLeaks;
  }

  /** How many more such leaks there are. */
  public int unlisted() {
    return unlisted;
  }

  /** What one process brings to the sum. */
  public static final class Share {
    private final String process;
    private final long allocated;
    private final Path.Flows leaked;
    private final String difference;

    /**
     * @param process its host and number
     * @param allocated flows that began in it
     * @param leaked those that leaked
     * @param difference how it differs from most others, or empty
     */
    public Share(String process, long allocated, Path.Flows leaked, String difference) {
      this.process = process;
      this.allocated = allocated;
      this.leaked = leaked;
      this.difference = difference;
    }

    /** Its host and number. */
    public String process() {
      return process;
    }

    /** Flows that began in it. */
    public long allocated() {
      return allocated;
    }

    /** Those that leaked. */
    public Path.Flows leaked() {
      return leaked;
    }

    /** How it differs from most others, or empty. */
    public String difference() {
      return difference;
    }
  }

  /** A leak that some processes have and others have not. */
  public static final class PartialLeak {
    private final String place;
    private final String processes;

    /**
     * @param place where its flows were last seen
     * @param processes the processes that have it, or their number
     */
    public PartialLeak(String place, String processes) {
      this.place = place;
      this.processes = processes;
    }

    /** Where its flows were last seen. */
    public String place() {
      return place;
    }

    /** The processes that have it, or their number. */
    public String processes() {
      return processes;
    }
  }
}
