package org.buftrail.jfr.dataset;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.CRC32;

/**
 * The content of a recording, whatever its name.
 *
 * @param id half of a hash of its bytes, in hexadecimal digits, which identifies it
 * @param length in bytes
 * @param sum of its bytes, which takes a tenth of the time of the hash
 */
public record Content(String id, long length, long sum) {
  private static final int PIECE = 1 << 16;

  /** The content of a file. */
  public static Content of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return of(in);
    }
  }

  /** The content of a stream, which is read to its end. */
  public static Content of(InputStream in) throws IOException {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      CRC32 crc = new CRC32();
      byte[] piece = new byte[PIECE];
      long length = 0;
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        digest.update(piece, 0, count);
        crc.update(piece, 0, count);
        length += count;
      }
      String id = HexFormat.of().formatHex(digest.digest(), 0, 16);
      return new Content(id, length, crc.getValue());
    } catch (NoSuchAlgorithmException e) {
      throw new IOException("this JVM has no SHA-256", e);
    }
  }

  /** Whether a file still has it: a change by accident is seen. */
  public boolean isStillOf(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return isStillOf(in);
    }
  }

  /** Whether a stream still has it; reads it to its end. */
  public boolean isStillOf(InputStream in) throws IOException {
    CRC32 crc = new CRC32();
    byte[] piece = new byte[PIECE];
    long found = 0;
    for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
      crc.update(piece, 0, count);
      found += count;
    }
    return found == length && crc.getValue() == sum;
  }
}
