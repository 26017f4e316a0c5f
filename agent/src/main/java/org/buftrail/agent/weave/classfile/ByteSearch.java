package org.buftrail.agent.weave.classfile;

/**
 * Finds bytes in a class file, where names stand as they are.
 *
 * <p>Each class that loads is searched several times, so most bytes are passed by: where the byte
 * under the end of what is wanted is none of its bytes, nothing that covers it can match.
 */
public final class ByteSearch {
  private ByteSearch() {}

  /** Whether {@code bytes} have {@code wanted}, which is not empty, in them. */
  public static boolean contains(byte[] bytes, byte[] wanted) {
    long wantedBits = bits(wanted);
    int last = wanted.length - 1;
    for (int i = 0; i < bytes.length - last; ) {
      byte end = bytes[i + last];
      if ((wantedBits & bit(end)) == 0) {
        i += wanted.length;
      } else if (end == wanted[last] && matchesAt(bytes, i, wanted)) {
        return true;
      } else {
        i++;
      }
    }
    return false;
  }

  /** Which of the 64 values that the last six bits of a byte can have there are. */
  private static long bits(byte[] bytes) {
    long bits = 0;
    for (byte each : bytes) {
      bits |= bit(each);
    }
    return bits;
  }

  private static long bit(byte each) {
    return 1L << (each & 63);
  }

  private static boolean matchesAt(byte[] bytes, int at, byte[] wanted) {
    for (int i = 0; i < wanted.length; i++) {
      if (bytes[at + i] != wanted[i]) {
        return false;
      }
    }
    return true;
  }
}
