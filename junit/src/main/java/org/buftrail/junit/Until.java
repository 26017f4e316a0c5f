package org.buftrail.junit;

/** Until when what a test or a class allocates may stay open. */
public enum Until {
  /** Until the test and its {@code @AfterEach} methods have ended. */
  TEST,
  /** Until the class and its {@code @AfterAll} methods have ended. */
  CLASS,
  /** Until all tests of the run have ended. */
  RUN,
  /** Never checked. */
  FOREVER
}
