package org.buftrail.junit;

/** What threads may still do by themselves, the least first. */
enum Activity {
  /** Nothing: each waits for another. */
  NONE,
  /** Some wait for a time or for something from outside of the JVM, for whom is not known. */
  ELSEWHERE,
  /** The same, for the work that was asked about. */
  LATER,
  /** Some run, or would if there was a processor for them. */
  NOW
}
