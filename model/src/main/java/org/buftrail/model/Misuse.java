package org.buftrail.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something done to a buffer that was released already: what, where, how often, and the path whose
 * release came first; or a release of more than a buffer has, and the path on which it is.
 *
 * <p>Immutable.
 */
public final class Misuse {
  /** The kind of misuse. */
  public enum Kind {
    /** {@code release()}. */
    DOUBLE_RELEASE(0, "double release"),
    /** {@code retain()}. */
    RETAIN_AFTER_RELEASE(1, "retain after release"),
    /** An access to the content. */
    USE_AFTER_RELEASE(2, "use after release"),
    /** {@code release(n)} of a buffer that is retained less often. */
    RELEASE_OF_TOO_MANY(3, "release of too many");

    private final int code;
    private final String text;

    Kind(int code, String text) {
      this.code = code;
      this.text = text;
    }

    /** For woven code, which passes ints. */
    public int code() {
      return code;
    }

    /** The kind that woven code calls by that number. */
    public static Kind of(int code) {
      switch (code) {
        case 0:
          return DOUBLE_RELEASE;
        case 1:
          return RETAIN_AFTER_RELEASE;
        case 2:
          return USE_AFTER_RELEASE;
        default:
          return RELEASE_OF_TOO_MANY;
      }
    }

    /** For people and files. */
    public String text() {
      return text;
    }
  }

  private final Kind kind;
  private final Site site;
  private final long count;
  private final List<Path.Hop> hops;
  private final List<Path.Hop> earlier;
  private final List<StackTraceElement> stack;
  private final @Nullable Evidence evidence;

  /**
   * @param kind what was done
   * @param site the first place outside Netty on the stack of the exception
   * @param count how often
   * @param hops the path of the release that came first, root first
   * @param earlier the path of the life that the same object had before, empty where that is not
   *     known
   */
  public Misuse(Kind kind, Site site, long count, List<Path.Hop> hops, List<Path.Hop> earlier) {
    this(kind, site, count, hops, earlier, List.of());
  }

  /**
   * A misuse in a scope.
   *
   * @param stack of one of its exceptions, the innermost frame first; empty where there is none
   */
  public Misuse(
      Kind kind,
      Site site,
      long count,
      List<Path.Hop> hops,
      List<Path.Hop> earlier,
      List<StackTraceElement> stack) {
    this(kind, site, count, hops, earlier, stack, null);
  }

  private Misuse(
      Kind kind,
      Site site,
      long count,
      List<Path.Hop> hops,
      List<Path.Hop> earlier,
      List<StackTraceElement> stack,
      @Nullable Evidence evidence) {
    this.kind = kind;
    this.site = site;
    this.count = count;
    this.hops = List.copyOf(hops);
    this.earlier = List.copyOf(earlier);
    this.stack = List.copyOf(stack);
    this.evidence = evidence;
  }

  /** Returns a copy with what the looks at the stack saw of the buffers. */
  public Misuse with(@Nullable Evidence of) {
    return new Misuse(kind, site, count, hops, earlier, stack, of);
  }

  /** The same, so often. */
  public Misuse times(long number) {
    return new Misuse(kind, site, number, hops, earlier, stack, evidence);
  }

  /** The kind of misuse. */
  public Kind kind() {
    return kind;
  }

  /** The first place outside Netty on the stack of the exception. */
  public Site site() {
    return site;
  }

  /** How often. */
  public long count() {
    return count;
  }

  /** The path of the release that came first, root first; its last hop is that release. */
  public List<Path.Hop> hops() {
    return hops;
  }

  /**
   * The path of the life that the same recycled object had before, root first; empty where that is
   * not known. When nothing is wrong on {@link #hops()}, somebody on this path released a second
   * time, and by that the next owner's buffer.
   */
  public List<Path.Hop> earlier() {
    return earlier;
  }

  /**
   * The stack of one of the exceptions, innermost frame first. Only scopes keep it; empty
   * elsewhere.
   */
  public List<StackTraceElement> stack() {
    return stack;
  }

  /** What looks at the stack saw of the buffers before; null where there was none. */
  public @Nullable Evidence evidence() {
    return evidence;
  }
}
