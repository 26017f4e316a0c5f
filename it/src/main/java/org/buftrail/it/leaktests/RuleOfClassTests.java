package org.buftrail.it.leaktests;

import org.buftrail.junit.BufferLeakRule;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;

/** For JUnit 4; what the class allocates is never released. */
public class RuleOfClassTests {
  /** Of the class. */
  @ClassRule public static final BufferLeakRule OF_CLASS = new BufferLeakRule();

  /** Has a buffer for all tests. */
  @BeforeClass
  public static void allocate() {
    Buffers.written(Buffers.direct());
  }

  /** Does nothing. */
  @Test
  public void cleanNothing() {}
}
