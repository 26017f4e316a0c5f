package org.buftrail.benchmarks.run;

import java.lang.reflect.Method;
import org.buftrail.benchmarks.Expected;

/** Finds what a benchmark says of itself. */
final class Expectations {
  private Expectations() {}

  /**
   * What one operation does.
   *
   * @param benchmark full name, class and method
   */
  static Expected of(String benchmark) {
    int dot = benchmark.lastIndexOf('.');
    try {
      for (Method method : Class.forName(benchmark.substring(0, dot)).getMethods()) {
        Expected expected = method.getAnnotation(Expected.class);
        if (expected != null && method.getName().equals(benchmark.substring(dot + 1))) {
          return expected;
        }
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
    throw new IllegalStateException(benchmark + " has no @Expected");
  }
}
