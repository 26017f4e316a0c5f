package org.buftrail.agent.weave;

/** Finds bytes in a class file, where names stand as they are. */
public final class ByteSearch {
  private ByteSearch() {}

  /** Whether {@code bytes} have {@code wanted} in them. */
  public static boolean contains(byte[] bytes, byte[] wanted) {
    byte first = wanted[0];
    for (int i = 0; i <= bytes.length - wanted.length; i++) {
      if (bytes[i] == first && matchesAt(bytes, i, wanted)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matchesAt(byte[] bytes, int at, byte[] wanted) {
    for (int i = 1; i < wanted.length; i++) {
      if (bytes[at + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }
}
