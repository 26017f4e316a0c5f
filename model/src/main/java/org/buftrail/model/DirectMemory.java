package org.buftrail.model;

import java.util.List;

/**
 * Direct buffers of the JDK that the application allocated itself, by the calls that did, beside
 * what the JVM and Netty count, and their limits. Immutable. Amounts are bytes.
 */
public final class DirectMemory {
  private final List<CallSite> sites;
  private final List<Account> accounts;

  /**
   * @param sites the one with most live bytes first
   * @param accounts in any order
   */
  public DirectMemory(List<CallSite> sites, List<Account> accounts) {
    this.sites = List.copyOf(sites);
    this.accounts = List.copyOf(accounts);
  }

  /** Calls of {@code ByteBuffer.allocateDirect}, the one with most live bytes first. */
  public List<CallSite> sites() {
    return sites;
  }

  /** What the JVM and Netty count. */
  public List<Account> accounts() {
    return accounts;
  }

  /** The buffers that are live, of all calls. */
  public Path.Flows live() {
    Path.Flows sum = Path.Flows.NONE;
    for (CallSite site : sites) {
      sum = sum.plus(site.live());
    }
    return sum;
  }

  /** A call that allocates direct buffers. */
  public static final class CallSite {
    private final Site site;
    private final Path.Flows live;
    private final Path.Flows allocated;

    /**
     * @param site the method and line of the call
     * @param live buffers that were not collected yet
     * @param allocated all since the start
     */
    public CallSite(Site site, Path.Flows live, Path.Flows allocated) {
      this.site = site;
      this.live = live;
      this.allocated = allocated;
    }

    /** The method and line of the call. */
    public Site site() {
      return site;
    }

    /** Buffers that were not collected yet, so that their memory is not given back. */
    public Path.Flows live() {
      return live;
    }

    /** All since the start. */
    public Path.Flows allocated() {
      return allocated;
    }
  }

  /** What somebody counts, and may have at most. */
  public static final class Account {
    /** In place of a number that is not known. */
    public static final long UNKNOWN = -1;

    private final String name;
    private final long buffers;
    private final long bytes;
    private final long limit;

    /**
     * @param name who counts what
     * @param buffers how many, or {@link #UNKNOWN}
     * @param bytes their memory
     * @param limit the most that it may be, or {@link #UNKNOWN} where there is no limit
     */
    public Account(String name, long buffers, long bytes, long limit) {
      this.name = name;
      this.buffers = buffers;
      this.bytes = bytes;
      this.limit = limit;
    }

    /** Who counts what. */
    public String name() {
      return name;
    }

    /** How many buffers, or {@link #UNKNOWN}. */
    public long buffers() {
      return buffers;
    }

    public long bytes() {
      return bytes;
    }

    /** The most that {@link #bytes} may be, or {@link #UNKNOWN}. */
    public long limit() {
      return limit;
    }
  }
}
