package org.buftrail.it.leaktests;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A server and clients of the class: which test leaks can be told only while one alone runs. */
class LeakingSharedServerTests {
  private static @Nullable Wire wire;

  @BeforeAll
  static void start() {
    wire = new Wire();
  }

  private static Wire wire() {
    return Objects.requireNonNull(wire);
  }

  @AfterAll
  static void stop() {
    wire().close();
  }

  @Test
  void cleanAsks() {
    wire().ask(Wire.RELEASED, true);
  }

  @Test
  void aloneAsksWhatLeaks() {
    wire().ask(Wire.KEPT, true);
  }

  @Test
  void cleanAsksAgain() {
    wire().ask(Wire.RELEASED, true);
  }
}
