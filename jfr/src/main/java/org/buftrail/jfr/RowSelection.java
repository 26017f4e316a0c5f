package org.buftrail.jfr;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.jfr.merge.RowFilter;
import org.buftrail.jfr.rows.SampleColumn;
import org.buftrail.profile.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Which rows and columns of {@code samples} and {@code events} are asked for. What is not asked for
 * is not decoded where that saves time: stacks, and events of other kinds.
 *
 * @param columns the columns; of others, a row may say anything
 * @param kinds names of profiles, such as {@code cpu}; null for all
 * @param from the earliest time, in nanoseconds since the epoch
 * @param to the time behind the latest
 * @param others types of events that become no sample, which are rows too; null for all, none for
 *     no such rows
 */
public record RowSelection(
    Set<SampleColumn> columns,
    @Nullable Set<String> kinds,
    long from,
    long to,
    @Nullable Set<String> others) {
  /** All samples. */
  public static final RowSelection ALL =
      new RowSelection(SampleColumn.ALL, null, Long.MIN_VALUE, Long.MAX_VALUE, Set.of());

  /** Makes the sets unmodifiable. */
  public RowSelection {
    columns = Set.copyOf(columns);
    kinds = kinds == null ? null : Set.copyOf(kinds);
    others = others == null ? null : Set.copyOf(others);
  }

  /** Samples alone. */
  public RowSelection(Set<SampleColumn> columns, @Nullable Set<String> kinds, long from, long to) {
    this(columns, kinds, from, to, Set.of());
  }

  RowFilter filter() {
    return new RowFilter(columns, kinds, from, to, others);
  }

  /** The options of a conversion that decodes what is needed. */
  Options options() {
    Options all = Options.DEFAULT.timestamps(true);
    if (kinds == null) {
      return all;
    }
    Set<Kind> groups = EnumSet.of(Kind.EVENT);
    Set<String> unknown = new HashSet<>(kinds);
    for (EventKind kind : Kinds.all()) {
      for (ProfileType type : kind.profileTypes()) {
        unknown.remove(type.name());
        if (kinds.contains(type.name())) {
          groups.add(type.kind());
        }
      }
    }
    if (!unknown.isEmpty()) {
      // What async-profiler counted is called as the event is, which only the recording says.
      groups.add(Kind.CPU);
    }
    return all.kinds(groups);
  }
}
