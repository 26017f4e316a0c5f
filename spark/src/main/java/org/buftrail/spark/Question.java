package org.buftrail.spark;

import java.io.Serializable;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.types.StructType;
import org.buftrail.jfr.RowSelection;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.jfr.rows.SampleColumn;
import org.buftrail.profile.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The part of a table that a query asks for.
 *
 * @param columns of the rows, in their order
 * @param limits which rows are asked for; others may come too
 * @param most how many rows of a task are enough
 * @param directories names of columns that directories stand for
 */
record Question(
    TableShape shape,
    StructType columns,
    RowLimits limits,
    DamageMode mode,
    int most,
    List<String> directories)
    implements Serializable {
  Question {
    directories = List.copyOf(directories);
  }

  private boolean has(String column) {
    return columns.getFieldIndex(column).isDefined();
  }

  /** The rows and fields to read. */
  RowSelection selection() {
    Set<SampleColumn> needed = EnumSet.allOf(SampleColumn.class);
    if (!shape.isOfStacks() && !has("stack_id")) {
      needed.remove(SampleColumn.STACK_ID);
    }
    Set<String> kinds = shape == TableShape.SAMPLES ? kinds() : null;
    Set<String> others = shape == TableShape.EVENTS ? limits.events() : Set.of();
    if (shape == TableShape.EVENTS) {
      kinds = Set.of();
    } else if (shape.isOfStacks()) {
      // Events that become no sample have stacks too.
      others = null;
    }
    return new RowSelection(needed, kinds, limits.from(), limits.to(), others);
  }

  /** The kinds of samples that are asked for, also by their events; null for all. */
  private @Nullable Set<String> kinds() {
    Set<String> events = limits.events();
    Set<String> kinds = limits.kinds();
    Set<String> possible = new HashSet<>();
    for (String event : events == null ? Set.<String>of() : events) {
      EventKind kind = Kinds.of(event);
      if (kind == null || mayBeCounted(kind)) {
        return kinds;
      }
      possible.addAll(kind.profiles());
    }
    if (events == null) {
      return kinds;
    }
    if (kinds != null) {
      possible.retainAll(kinds);
    }
    return possible;
  }

  /** Whether samples may be of a kind that only the recording names, such as cache misses. */
  private static boolean mayBeCounted(EventKind kind) {
    for (ProfileType type : kind.profileTypes()) {
      if (type.kind() == Kind.CPU) {
        return true;
      }
    }
    return false;
  }

  /** Whether there may be rows of what processes left when they ended. */
  boolean needsEnds() {
    Set<String> kinds = kinds();
    if (shape == TableShape.EVENTS) {
      return false;
    }
    for (EventKind kind : Kinds.all()) {
      ProfileType live = kind.live();
      if (live != null && (kinds == null || kinds.contains(live.name()))) {
        return true;
      }
      if (kind.isGauge() && (kinds == null || !Collections.disjoint(kinds, kind.profiles()))) {
        return true;
      }
    }
    return false;
  }
}
