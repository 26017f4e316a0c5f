package org.buftrail.it.leaktests;

import org.buftrail.junit.BufferLeakListener;
import org.testng.annotations.Listeners;
import org.testng.annotations.Test;

/** For TestNG. */
@Listeners(BufferLeakListener.class)
public class NgTests {
  /** Leaks. */
  @Test
  public void leakDirect() {
    Buffers.written(Buffers.direct());
  }

  /** Does not. */
  @Test
  public void cleanDirect() {
    Buffers.written(Buffers.direct()).release();
  }
}
