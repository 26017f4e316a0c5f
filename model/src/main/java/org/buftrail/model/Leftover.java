package org.buftrail.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Buffers, or resources, of one path that are left over in a {@link LeakScope}: neither released
 * nor closed.
 *
 * <p>Immutable.
 */
public final class Leftover {
  /** Where it is. */
  public enum Memory {
    /** A buffer in the heap. */
    HEAP("heap"),
    /** A buffer outside the heap. */
    DIRECT("direct"),
    /** No buffer, but a resource that is followed. */
    RESOURCE("resource");

    private final String text;

    Memory(String text) {
      this.text = text;
    }

    /** For people and files. */
    public String text() {
      return text;
    }
  }

  private final String scope;
  private final List<Path.Hop> hops;
  private final Memory memory;
  private final boolean needsRelease;
  private final Path.Flows flows;
  private final long collected;
  private final long parts;
  private final long oldestMillis;
  private final long youngestMillis;
  private final @Nullable Evidence evidence;

  /**
   * @param scope see {@link #scope()}
   * @param hops root first, never empty
   * @param memory see {@link #memory()}
   * @param needsRelease see {@link #needsRelease()}
   * @param flows how many, and their bytes
   * @param collected see {@link #collected()}
   * @param oldestMillis see {@link #oldestMillis()}
   * @param youngestMillis see {@link #youngestMillis()}
   */
  public Leftover(
      String scope,
      List<Path.Hop> hops,
      Memory memory,
      boolean needsRelease,
      Path.Flows flows,
      long collected,
      long oldestMillis,
      long youngestMillis) {
    this(
        scope, hops, memory, needsRelease, flows, collected, 0, oldestMillis, youngestMillis, null);
  }

  private Leftover(
      String scope,
      List<Path.Hop> hops,
      Memory memory,
      boolean needsRelease,
      Path.Flows flows,
      long collected,
      long parts,
      long oldestMillis,
      long youngestMillis,
      @Nullable Evidence evidence) {
    this.scope = scope;
    this.hops = hops;
    this.memory = memory;
    this.needsRelease = needsRelease;
    this.flows = flows;
    this.collected = collected;
    this.parts = parts;
    this.oldestMillis = oldestMillis;
    this.youngestMillis = youngestMillis;
    this.evidence = evidence;
  }

  /**
   * Returns a copy with what the looks at the stack saw.
   *
   * @param of what they saw, or null
   */
  public Leftover with(@Nullable Evidence of) {
    return new Leftover(
        scope,
        hops,
        memory,
        needsRelease,
        flows,
        collected,
        parts,
        oldestMillis,
        youngestMillis,
        of);
  }

  /**
   * The same where some are parts of others.
   *
   * @param some see {@link #parts()}
   */
  public Leftover withParts(long some) {
    return new Leftover(
        scope,
        hops,
        memory,
        needsRelease,
        flows,
        collected,
        some,
        oldestMillis,
        youngestMillis,
        evidence);
  }

  /** How many of {@link #count()} are parts of the others: components of composites. Not all. */
  public long parts() {
    return parts;
  }

  /** What looks at the stack saw of these, or null where there was none. */
  public @Nullable Evidence evidence() {
    return evidence;
  }

  /** The name of the scope in which it was allocated. */
  public String scope() {
    return scope;
  }

  /** The path, root first; never empty. */
  public List<Path.Hop> hops() {
    return hops;
  }

  /**
   * The path as a stack trace, where it was last seen first. A file has the name of the outermost
   * class, as Java's compiler wants it.
   */
  public StackTraceElement[] trace() {
    StackTraceElement[] trace = new StackTraceElement[hops.size()];
    for (int i = 0; i < trace.length; i++) {
      trace[trace.length - 1 - i] = element(hops.get(i).site());
    }
    return trace;
  }

  private static StackTraceElement element(Site site) {
    String type = site.className();
    int nested = type.indexOf('$');
    String outer = nested > 0 ? type.substring(0, nested) : type;
    String file = outer.substring(outer.lastIndexOf('.') + 1) + ".java";
    boolean known = site.line() > 0;
    return new StackTraceElement(
        type, site.method(), known ? file : null, known ? site.line() : -1);
  }

  /** Where it is. */
  public Memory memory() {
    return memory;
  }

  /**
   * Whether something is lost if it is dropped unreleased. Not so in the heap outside of pools, and
   * where a buffer wraps what Netty does not free.
   */
  public boolean needsRelease() {
    return needsRelease;
  }

  /** How many. */
  public long count() {
    return flows.count();
  }

  /** Their capacities together; those of resources are what the application says, or 0. */
  public long bytes() {
    return flows.bytes();
  }

  /** How many of {@link #count()} the garbage collector has taken already. */
  public long collected() {
    return collected;
  }

  /** Age of the oldest in milliseconds, known to a second. */
  public long oldestMillis() {
    return oldestMillis;
  }

  /** Age of the youngest in milliseconds, known to a second. */
  public long youngestMillis() {
    return youngestMillis;
  }

  /** One line: how many, how many bytes, and where they were last seen. */
  @Override
  public String toString() {
    return count()
        + " of "
        + bytes()
        + " bytes, "
        + memory.text()
        + ", last seen at "
        + hops.get(hops.size() - 1).site()
        + ", allocated in "
        + scope;
  }
}
