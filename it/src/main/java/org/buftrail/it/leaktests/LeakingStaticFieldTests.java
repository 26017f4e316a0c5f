package org.buftrail.it.leaktests;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.Test;

/**
 * A class that forgets what a static field of its own keeps: the class is to blame, and none of its
 * tests.
 */
public class LeakingStaticFieldTests extends StaticFieldBase {
  private static final Holder OWN = new Holder();

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
}
