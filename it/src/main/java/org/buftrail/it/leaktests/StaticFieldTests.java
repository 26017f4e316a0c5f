package org.buftrail.it.leaktests;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * Tests whose class keeps buffers in static fields. No test is to blame, whichever comes first, and
 * although it makes others on the same path.
 */
public class StaticFieldTests extends StaticFieldBase {
  private static final Holder OWN = new Holder();

  @AfterAll
  static void releaseOwn() {
    OWN.release();
  }

  @Test
  void cleanFirst() {
    assertNotNull(OWN);
    new Holder().release();
  }

  @Test
  void cleanSecond() {
    assertNotNull(EVERYBODYS);
    new Holder().release();
  }

  /** A test that is the first to ask for the field of another class. */
  @Nested
  class CleanNested {
    @Test
    void cleanThird() {
      assertNotNull(Fixtures.SHARED);
      new Holder().release();
    }
  }

  /** A class that keeps a buffer for all tests. */
  static final class Fixtures {
    static final Holder SHARED = new Holder();

    private Fixtures() {}
  }
}
