package org.buftrail.flow.scope;

/** Libraries that run code of a test to see what it throws, or to have it fail. Stateless. */
public final class TestFrameworks {
  private static final String[] PACKAGES = {
    "org.junit.",
    "org.assertj.",
    "org.hamcrest.",
    "org.testng.",
    "com.google.common.truth.",
    "io.kotest.",
    "kotlin.test.",
    "org.awaitility.",
    "reactor.test.",
  };

  private TestFrameworks() {}

  public static boolean have(String className) {
    for (String each : PACKAGES) {
      if (className.startsWith(each)) {
        return true;
      }
    }
    return false;
  }
}
