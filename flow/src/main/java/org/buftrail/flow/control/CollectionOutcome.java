package org.buftrail.flow.control;

/** What became of a collection that was asked for. */
public enum CollectionOutcome {
  /** It has ended, and what it proved is counted. */
  ENDED,

  /** The JVM was told not to collect on request, or cannot. */
  REFUSED,

  /** It had not ended in time. */
  UNDER_WAY
}
