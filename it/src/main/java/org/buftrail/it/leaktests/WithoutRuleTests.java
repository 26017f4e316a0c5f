package org.buftrail.it.leaktests;

import org.junit.Test;

/** For JUnit 4, and does not name the extension. */
public class WithoutRuleTests {
  /** Leaks. */
  @Test
  public void leakDirect() {
    Buffers.written(Buffers.direct());
  }
}
