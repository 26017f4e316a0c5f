package org.buftrail.jfr.merge;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.buftrail.profile.Kind;
import org.jspecify.annotations.Nullable;

/** All that is chosen for a conversion; not changed once there are options of it. */
public final class Choices implements Cloneable {
  public Set<Kind> kinds = Collections.emptySet();
  public List<NamedEvent> events = List.of();
  public boolean timestamps;
  public boolean bytecodeIndex;
  public boolean compilation;
  public boolean normalized;
  public boolean threads;
  public @Nullable Pattern include;
  public @Nullable Pattern exclude;

  /** Nanoseconds since the epoch. */
  public long from = Long.MIN_VALUE;

  public long to = Long.MAX_VALUE;

  /**
   * Milliseconds: negative from the recording's end, below 1,500,000,000,000 from its start, else
   * since the epoch; 0 for no bound.
   */
  public long fromMillis;

  public long toMillis;
  public long mostUnpacked = Long.MAX_VALUE;

  @Override
  public Choices clone() {
    try {
      return (Choices) super.clone();
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }
}
