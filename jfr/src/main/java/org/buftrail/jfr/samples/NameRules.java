package org.buftrail.jfr.samples;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Makes equal the names of classes that a JVM numbers: lambdas, hidden classes, proxies. What
 * follows the last {@code /} or {@code .} before a digit, a hexadecimal address after {@code +},
 * and the number of a lambda of JDK 17 are cut from the class's part of a name.
 */
public final class NameRules {
  private static final byte[] LAMBDA = "$$Lambda$".getBytes(StandardCharsets.US_ASCII);

  /** Changes a name in place and answers its new length. */
  public int apply(byte[] name, int length) {
    int method = lastDot(name, length);
    int from = 0;
    int to = 0;
    while (from < method) {
      if (isNumbered(name, from, method)) {
        do {
          from++;
        } while (from < method && isDigit(name[from]));
      } else if (beginsNumber(name, from, method)) {
        do {
          from++;
        } while (from < method && isPartOfNumber(name[from]));
      } else {
        name[to++] = name[from++];
      }
    }
    System.arraycopy(name, method, name, to, length - method);
    return to + length - method;
  }

  private static int lastDot(byte[] name, int length) {
    for (int i = length - 1; i > 0; i--) {
      if (name[i] == '.') {
        return i;
      }
    }
    return length;
  }

  /** Whether the {@code $} before a lambda's number is here. */
  private static boolean isNumbered(byte[] name, int at, int end) {
    int start = at + 1 - LAMBDA.length;
    return start > 0
        && at + 1 < end
        && isDigit(name[at + 1])
        && Arrays.equals(name, start, at + 1, LAMBDA, 0, LAMBDA.length);
  }

  private static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private static boolean beginsNumber(byte[] name, int at, int end) {
    byte b = name[at];
    boolean separator = b == '/' || b == '.' || b == '+';
    return separator && at + 1 < end && isDigit(name[at + 1]);
  }

  private static boolean isPartOfNumber(byte b) {
    return isDigit(b) || (b >= 'a' && b <= 'f') || (b >= 'A' && b <= 'F') || b == 'x';
  }
}
