package org.buftrail.jfr.samples;

/**
 * Makes equal the names of classes that a JVM numbers: lambdas, hidden classes, proxies. What
 * follows the last {@code /} or {@code .} before a digit, and a hexadecimal address after {@code
 * +}, is cut from the class's part of a name.
 */
public final class NameRules {
  /** Changes a name in place and answers its new length. */
  public int apply(byte[] name, int length) {
    int method = lastDot(name, length);
    int from = 0;
    int to = 0;
    while (from < method) {
      if (beginsNumber(name, from, method)) {
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

  private static boolean beginsNumber(byte[] name, int at, int end) {
    byte b = name[at];
    boolean separator = b == '/' || b == '.' || b == '+';
    return separator && at + 1 < end && name[at + 1] >= '0' && name[at + 1] <= '9';
  }

  private static boolean isPartOfNumber(byte b) {
    return (b >= '0' && b <= '9') || (b >= 'a' && b <= 'f') || (b >= 'A' && b <= 'F') || b == 'x';
  }
}
