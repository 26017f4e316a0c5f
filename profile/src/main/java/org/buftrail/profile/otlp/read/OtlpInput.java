package org.buftrail.profile.otlp.read;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.buftrail.profile.otlp.Violations;
import org.buftrail.profile.otlp.json.JsonTranscoder;
import org.buftrail.profile.protobuf.MalformedMessageException;

/** Reads a message in whatever form it comes, and names what it is when it is none. */
public final class OtlpInput {
  private static final int SNIFFED = 16;

  private OtlpInput() {}

  /**
   * Reads a message to the end of the stream.
   *
   * @throws MalformedMessageException if it is not one; its text says what it is, where it is known
   */
  public static RawProfiles read(InputStream source, Violations violations) throws IOException {
    BufferedInputStream input = new BufferedInputStream(source);
    input.mark(SNIFFED);
    byte[] start = input.readNBytes(SNIFFED);
    input.reset();
    if (start.length == 0) {
      throw new MalformedMessageException("is empty; an OTLP profile has at least a dictionary");
    }
    if (startsWith(start, 0x1F, 0x8B)) {
      throw new MalformedMessageException(
          "is compressed with gzip; unpack it first, and mind that a .pb.gz is often a pprof"
              + " profile, which is another format");
    }
    if (startsWith(start, 'F', 'L', 'R', 0)) {
      throw new MalformedMessageException("is a flight recording, not an OTLP profile; convert it");
    }
    if (startsWith(start, 'P', 'K', 3, 4)) {
      throw new MalformedMessageException("is a zip archive, not an OTLP profile; unpack it first");
    }
    InputStream message = isJson(start) ? JsonTranscoder.toProtobuf(input, violations) : input;
    return MessageReader.read(message, violations);
  }

  /**
   * Whether it is JSON: an object, after white space. A protobuf message may begin with the byte of
   * a line feed, so a document that does is not taken for JSON.
   */
  public static boolean isJson(byte[] start) {
    for (byte b : start) {
      if (b == '{') {
        return true;
      }
      if (start[0] == '\n' || (b != ' ' && b != '\t' && b != '\r' && b != '\n')) {
        return false;
      }
    }
    return false;
  }

  /** Whether it begins with these bytes, given as 0 to 255. */
  public static boolean startsWith(byte[] start, int... magic) {
    for (int i = 0; i < magic.length; i++) {
      if (i >= start.length || (start[i] & 0xFF) != magic[i]) {
        return false;
      }
    }
    return true;
  }
}
