package org.buftrail.jfr.rows;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * The columns of the table {@code samples}, in their order. The table {@code stacks} has one row
 * for each {@link #STACK_ID}.
 */
public enum SampleColumn {
  /** The file, as it was named. */
  RECORDING,
  /** {@code service.name} of the process. */
  SERVICE,
  /** {@code host.name} of the process. */
  HOST,
  /** The process's number on its host. */
  PROCESS,
  /** Name of the profile that the sample is of, such as {@code cpu}. */
  KIND,
  /** The event type. */
  EVENT,
  /** Nanoseconds since the epoch. */
  TIME,
  /** The first value. */
  VALUE,
  /** The first value's unit. */
  UNIT,
  /** The second value, if the profile has one. */
  SECOND_VALUE,
  /** The second value's unit. */
  SECOND_UNIT,
  /** Name of the thread. */
  THREAD,
  /** State of the thread. */
  STATE,
  /** The span that the thread worked for, in hexadecimal digits. */
  SPAN,
  /** The span's trace, in hexadecimal digits. */
  TRACE,
  /** Whatever else is known of the sample, and what the operator said of the process. */
  TAGS,
  /** The stack: equal frames have equal ids, in whichever recording. */
  STACK_ID,
  /** The event that the row is of: with the recording it is the same in {@code events}. */
  EVENT_ID;

  /** All columns. */
  public static final Set<SampleColumn> ALL =
      Collections.unmodifiableSet(EnumSet.allOf(SampleColumn.class));

  /** The column's name in tables. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
