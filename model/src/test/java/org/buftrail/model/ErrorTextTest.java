package org.buftrail.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Errors whose class is the application's, and does not do what errors do. */
class ErrorTextTest {
  /** Says whatever it is asked for, or throws. */
  private static final class Hostile extends RuntimeException {
    private final transient Runnable deed;

    Hostile(Runnable deed) {
      this.deed = deed;
    }

    @Override
    public String getMessage() {
      deed.run();
      return "a\r\nb".repeat(100);
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      deed.run();
      return super.getStackTrace();
    }
  }

  private static void fail() {
    throw new AssertionError("not for you");
  }

  private static void nothing() {}

  @Test
  void itIsOneLineOfBoundedLength() {
    String text = ErrorText.of(new Hostile(ErrorTextTest::nothing));
    assertThat(text)
        .startsWith(Hostile.class.getName() + ": a  ba  b")
        .endsWith("...")
        .hasSize(303)
        .doesNotContain("\n", "\r");
    assertThat(ErrorText.of(new Error())).isEqualTo("java.lang.Error");
  }

  @Test
  void whatIsNoLongerThanTheBoundIsToldInFull() {
    String full = "java.lang.Error: ";
    String fits = "x".repeat(300 - full.length());
    assertThat(ErrorText.of(new Error(fits))).isEqualTo(full + fits);
    assertThat(ErrorText.of(new Error(fits + "y"))).isEqualTo(full + fits + "...");
  }

  @Test
  void aMessageThatCannotBeMadeIsLeftOut() {
    assertThat(ErrorText.of(new Hostile(ErrorTextTest::fail))).isEqualTo(Hostile.class.getName());
  }
}
