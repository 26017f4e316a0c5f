package org.buftrail.profile.input;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.buftrail.profile.otlp.read.OtlpInput;

/** The first bytes of a file, unpacked if they are packed with gzip. Immutable. */
public final class InputStart {
  /** How many bytes are looked at, at most. */
  public static final int LENGTH = 1 << 16;

  private final byte[] bytes;
  private final boolean whole;

  private InputStart(byte[] bytes, boolean whole) {
    this.bytes = bytes;
    this.whole = whole;
  }

  /**
   * Looks at a file.
   *
   * @param file a regular one, since what was looked at is gone from a pipe
   * @throws IOException if it cannot be read
   */
  public static InputStart of(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return of(in);
    }
  }

  /**
   * Looks at what comes, which is taken from the stream.
   *
   * @throws IOException if it cannot be read
   */
  public static InputStart of(InputStream in) throws IOException {
    byte[] start = in.readNBytes(LENGTH);
    return isGzip(start) ? unpacked(start) : new InputStart(start, start.length < LENGTH);
  }

  private static InputStart unpacked(byte[] packed) {
    byte[] bytes = new byte[LENGTH];
    int length = 0;
    boolean whole = false;
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      while (length < LENGTH && !whole) {
        int count = in.read(bytes, length, LENGTH - length);
        whole = count < 0;
        length += Math.max(0, count);
      }
    } catch (IOException e) {
      // It ends here because no more was looked at, or because it is damaged, which is said later.
    }
    return new InputStart(Arrays.copyOf(bytes, length), whole);
  }

  private static boolean isGzip(byte[] start) {
    return OtlpInput.startsWith(start, 0x1F, 0x8B);
  }

  /** The file's bytes, unpacked if it is packed with gzip; not closed with the given stream. */
  static InputStream open(InputStream file) throws IOException {
    file.mark(2);
    byte[] start = file.readNBytes(2);
    file.reset();
    return isGzip(start) ? new UnpackedInput(file) : file;
  }

  /** The first {@value #LENGTH} bytes, or all if there are fewer. */
  byte[] bytes() {
    return bytes.clone();
  }

  /** Whether there are no more bytes. */
  boolean isWhole() {
    return whole;
  }

  /** Whether it begins with these bytes, given as 0 to 255. */
  public boolean startsWith(int... magic) {
    return OtlpInput.startsWith(bytes, magic);
  }

  /** Whether it is JSON: an object, after white space. */
  public boolean isJson() {
    return OtlpInput.isJson(bytes);
  }

  /** Whether a text of ASCII is in it. */
  public boolean contains(String text) {
    return new String(bytes, StandardCharsets.ISO_8859_1).contains(text);
  }
}
