package org.buftrail.spark;

import java.util.Locale;

/** What becomes of recordings that are damaged, none, or gone; named as in Spark's own sources. */
enum DamageMode {
  /** A row that names the recording and says what is wrong, beside those that could be read. */
  PERMISSIVE,
  /** A warning in the log. */
  DROPMALFORMED,
  /** The query fails. */
  FAILFAST;

  static DamageMode of(String name) {
    try {
      return valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "option mode: \"" + name + "\" is none of PERMISSIVE, DROPMALFORMED, FAILFAST", e);
    }
  }
}
