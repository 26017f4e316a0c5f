package org.junit.internal;

/** Has the name of JUnit 4's own, which is not there. */
public class AssumptionViolatedException extends RuntimeException {
  private static final long serialVersionUID = 1;
}
