package org.buftrail.it.leaktests;

import static org.junit.Assert.assertNotNull;

import io.netty.buffer.ByteBuf;
import org.buftrail.junit.BufferLeakRule;
import org.junit.Rule;
import org.junit.Test;

/** For JUnit 4; what an instance allocates before its rule is never released, and the run's. */
public class RuleAloneTests {
  private final ByteBuf ofInstance = Buffers.written(Buffers.direct());

  /** Of each test. */
  @Rule(order = Integer.MIN_VALUE)
  public final BufferLeakRule leaks = new BufferLeakRule();

  /** Does not leak. */
  @Test
  public void cleanFirst() {
    assertNotNull(ofInstance);
  }
}
