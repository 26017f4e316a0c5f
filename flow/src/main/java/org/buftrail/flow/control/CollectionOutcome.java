package org.buftrail.flow.control;

/** What became of a collection that was asked for. */
public enum CollectionOutcome {
  /** The collection has ended, and what it proved is counted. */
  ENDED,

  /** The JVM does not collect on request, by an option or at all. */
  REFUSED,

  /** The collection had not ended in time. */
  UNDER_WAY
}
