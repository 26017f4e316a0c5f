package org.buftrail.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One path from a root to the node where flows ended or are now, with what happened there.
 *
 * <p>Immutable. Counts are flows, bytes are buffer capacities, ages are milliseconds; all are of
 * this path's last node alone, not of the paths that go on from it.
 */
public final class Path {
  /** In place of {@link #oldestMillis} and {@link #medianMillis} when nothing is live. */
  public static final long NO_AGE = -1;

  /** In place of {@link #firstSeenMillis} and {@link #lastSeenMillis} when they are not known. */
  public static final long NEVER = -1;

  /** In place of {@link #number} for a path that was read or made by hand. */
  public static final int NO_NUMBER = -1;

  /** The method of a root that is a type of resource. */
  public static final String RESOURCE_OPEN = "open";

  /** Where the hops are to be had from, and which; null when they were given. */
  private final @Nullable CountedPaths counted;

  private final int index;

  /** Made at first use. A race makes it twice: equal lists, immutable, safe without a fence. */
  private @Nullable List<Hop> hops;

  private final boolean direct;
  private final Flows released;
  private final Flows leaked;
  private final Flows live;
  private final long oldestMillis;
  private final long medianMillis;
  private final long firstSeenMillis;
  private final long lastSeenMillis;
  private final Flows dropped;
  private final long held;

  /** Given with the path; else the counted ones have them, or nobody. */
  private final @Nullable ReleaseSamples samples;

  /** Given with the path; else the counted ones have it, or nobody. */
  private final @Nullable Evidence evidence;

  /** Given with the path; else the counted ones have them. */
  private final long liveParts;

  /** Given with the path; else the counted ones have it, or nobody. */
  private final @Nullable Evidence liveEvidence;

  /** One place on a path, and the range of reference counts seen there. */
  public static final class Hop {
    private final Site site;
    private final String refs;
    private final boolean loop;
    private final boolean overflow;

    /**
     * @param site where it is
     * @param refs the reference-count bucket seen there: {@code 0}, {@code 1-2}, {@code 3-5},
     *     {@code 6+}
     * @param loop whether flows came back to it
     * @param overflow whether it stands for all that lay past a bound
     */
    public Hop(Site site, String refs, boolean loop, boolean overflow) {
      this.site = site;
      this.refs = refs;
      this.loop = loop;
      this.overflow = overflow;
    }

    /** Where it is. */
    public Site site() {
      return site;
    }

    /** The reference-count bucket. */
    public String refs() {
      return refs;
    }

    /** Whether flows came back to it. */
    public boolean isLoop() {
      return loop;
    }

    /** Whether it stands for all that lay past a bound. */
    public boolean isOverflow() {
      return overflow;
    }
  }

  /** A number of flows and their bytes. */
  public static final class Flows {
    /** No flows. */
    public static final Flows NONE = new Flows(0, 0);

    private final long count;
    private final long bytes;

    /**
     * @param count flows, not negative
     * @param bytes their capacities together, not negative
     */
    public Flows(long count, long bytes) {
      this.count = count;
      this.bytes = bytes;
    }

    /** How many. */
    public long count() {
      return count;
    }

    /** Their capacities together. */
    public long bytes() {
      return bytes;
    }

    /** These and others. */
    Flows plus(Flows others) {
      if (others.count == 0 && others.bytes == 0) {
        return this;
      }
      return new Flows(count + others.count, bytes + others.bytes);
    }
  }

  /**
   * @param hops root first, never empty
   * @param direct whether the memory is outside the heap
   * @param released flows that ended here with a count of 0
   * @param leaked see {@link #leaked()}
   * @param live flows that are here now
   * @param oldestMillis age of the oldest live flow, or {@link #NO_AGE}
   * @param medianMillis median age of the live flows, or {@link #NO_AGE}
   * @param firstSeenMillis when the first leak was found here, in milliseconds since the epoch, or
   *     {@link #NEVER}
   * @param lastSeenMillis when the last one was, or {@link #NEVER}
   */
  public Path(
      List<Hop> hops,
      boolean direct,
      Flows released,
      Flows leaked,
      Flows live,
      long oldestMillis,
      long medianMillis,
      long firstSeenMillis,
      long lastSeenMillis) {
    this(
        null,
        0,
        List.copyOf(hops),
        direct,
        released,
        leaked,
        live,
        oldestMillis,
        medianMillis,
        firstSeenMillis,
        lastSeenMillis,
        Flows.NONE,
        0,
        null,
        null,
        0,
        null);
  }

  /**
   * A path with its hops, or one of {@code counted}, which makes them.
   *
   * @param counted null if the hops are given
   * @param index of the path among the counted ones
   */
  Path(
      @Nullable CountedPaths counted,
      int index,
      @Nullable List<Hop> hops,
      boolean direct,
      Flows released,
      Flows leaked,
      Flows live,
      long oldestMillis,
      long medianMillis,
      long firstSeenMillis,
      long lastSeenMillis,
      Flows dropped,
      long held,
      @Nullable ReleaseSamples samples,
      @Nullable Evidence evidence,
      long liveParts,
      @Nullable Evidence liveEvidence) {
    this.samples = samples;
    this.evidence = evidence;
    this.liveParts = liveParts;
    this.liveEvidence = liveEvidence;
    this.dropped = dropped;
    this.held = held;
    this.counted = counted;
    this.index = index;
    this.hops = hops;
    this.direct = direct;
    this.released = released;
    this.leaked = leaked;
    this.live = live;
    this.oldestMillis = oldestMillis;
    this.medianMillis = medianMillis;
    this.firstSeenMillis = firstSeenMillis;
    this.lastSeenMillis = lastSeenMillis;
  }

  /** A path of which it is not known when it leaked. */
  public Path(
      List<Hop> hops,
      boolean direct,
      Flows released,
      Flows leaked,
      Flows live,
      long oldestMillis,
      long medianMillis) {
    this(hops, direct, released, leaked, live, oldestMillis, medianMillis, NEVER, NEVER);
  }

  /**
   * The same path with what else became of flows.
   *
   * @param dropped see {@link #dropped()}
   * @param held see {@link #held()}
   */
  public Path with(Flows dropped, long held) {
    return with(dropped, held, samples, evidence, liveParts, liveEvidence);
  }

  /**
   * The same path with what is known of its releases.
   *
   * @param of lifetimes and sizes, or null
   */
  public Path with(@Nullable ReleaseSamples of) {
    return with(dropped, held, of, evidence, liveParts, liveEvidence);
  }

  /**
   * The same path with what looks at the stack saw of its leaked flows.
   *
   * @param of what they saw, or null
   */
  public Path with(@Nullable Evidence of) {
    return with(dropped, held, samples, of, liveParts, liveEvidence);
  }

  /**
   * The same path with what its live flows are together.
   *
   * @param parts see {@link #liveParts()}
   * @param seen see {@link #liveEvidence()}
   */
  public Path withLive(long parts, @Nullable Evidence seen) {
    return with(dropped, held, samples, evidence, parts, seen);
  }

  private Path with(
      Flows dropped,
      long held,
      @Nullable ReleaseSamples samples,
      @Nullable Evidence evidence,
      long liveParts,
      @Nullable Evidence liveEvidence) {
    return new Path(
        counted,
        index,
        hops,
        direct,
        released,
        leaked,
        live,
        oldestMillis,
        medianMillis,
        firstSeenMillis,
        lastSeenMillis,
        dropped,
        held,
        samples,
        evidence,
        liveParts,
        liveEvidence);
  }

  /** What looks at the stack saw of the leaked flows, or null where there was none. */
  public @Nullable Evidence evidence() {
    return evidence != null || counted == null ? evidence : counted.evidence(index);
  }

  /** Lifetimes and sizes of 1 in 64 releases, or null where none was sampled. */
  public @Nullable ReleaseSamples samples() {
    return samples != null || counted == null ? samples : counted.samples(index);
  }

  /** How much of what is live here began in which minute, or null where nobody counted it. */
  public @Nullable Births births() {
    return counted == null ? null : counted.births(index);
  }

  /**
   * A number of 0 or more that the path has in all snapshots of its process, or {@link #NO_NUMBER}.
   * A path that ends with a release has that of the path up to there.
   */
  public int number() {
    return counted == null ? NO_NUMBER : counted.identity(index);
  }

  /** Where the flows were, root first. */
  public List<Hop> hops() {
    List<Hop> made = hops;
    if (made == null) {
      made = counted == null ? List.of() : counted.hops(index);
      hops = made;
    }
    return made;
  }

  /**
   * The nearest hop above the last one that could have released the flows; null where the last one
   * could itself, and where none above it could or that is not known. The root never could, nor a
   * method at its exit, nor Netty's {@code retain}.
   */
  public @Nullable Hop lastOwner() {
    List<Hop> all = hops();
    Hop last = all.get(all.size() - 1);
    if (last.isOverflow() || !last.site().onlyReads()) {
      return null;
    }
    for (int i = all.size() - 2; i > 0; i--) {
      Hop hop = all.get(i);
      if (hop.isOverflow()) {
        return null;
      }
      Site site = hop.site();
      if (!site.onlyReads() && !site.method().endsWith(Site.RETURN_SUFFIX) && !site.isRetain()) {
        return hop;
      }
    }
    return null;
  }

  /**
   * The type of the resource, such as {@code java.sql.Connection}, or null for a buffer. A flow is
   * a resource's when it begins at {@code TYPE.open}, since no allocator's method is called so.
   */
  public @Nullable String resource() {
    if (counted != null && !counted.isOfResource(index)) {
      return null;
    }
    Site root = hops().get(0).site();
    return root.method().equals(RESOURCE_OPEN) ? root.className() : null;
  }

  /** Whether the memory is outside the heap. */
  public boolean isDirect() {
    return direct;
  }

  /** Flows that ended here with a count of 0. */
  public Flows released() {
    return released;
  }

  /**
   * Flows that were collected here unreleased, though a release would have given memory back to a
   * pool or to the system. The bytes are those of the {@link #held} ones too.
   */
  public Flows leaked() {
    return leaked;
  }

  /**
   * How many more flows the {@link #leaked} ones held: the components of a composite, the parent of
   * a slice with a count of its own. They leaked with these, by the same mistake.
   */
  public long held() {
    return held;
  }

  /**
   * Flows that were collected here unreleased, with nothing lost: unpooled heap, and buffers that
   * wrap memory which Netty does not free.
   */
  public Flows dropped() {
    return dropped;
  }

  /** All flows that ended here or are here now. */
  public long flows() {
    return released.count + leaked.count + held + dropped.count + live.count;
  }

  /** Flows that are here now. */
  public Flows live() {
    return live;
  }

  /**
   * How many of the {@link #live} flows are parts of composites that are here too. People count
   * these with the composite as one thing.
   */
  public long liveParts() {
    return liveParts != 0 || counted == null ? liveParts : counted.liveParts(index);
  }

  /**
   * The messages that looks at the stack saw to have the {@link #live} flows which are no parts;
   * null where none was seen.
   */
  public @Nullable Evidence liveEvidence() {
    return liveEvidence != null || counted == null ? liveEvidence : counted.liveEvidence(index);
  }

  /** Age of the oldest live flow in milliseconds, or {@link #NO_AGE}. */
  public long oldestMillis() {
    return oldestMillis;
  }

  /** Median age of the live flows in milliseconds, or {@link #NO_AGE}. */
  public long medianMillis() {
    return medianMillis;
  }

  /**
   * When the first leak was found on this path, in milliseconds since the epoch, or {@link #NEVER}.
   */
  public long firstSeenMillis() {
    return firstSeenMillis;
  }

  /**
   * When the last leak was found on this path, in milliseconds since the epoch, or {@link #NEVER}.
   */
  public long lastSeenMillis() {
    return lastSeenMillis;
  }
}
