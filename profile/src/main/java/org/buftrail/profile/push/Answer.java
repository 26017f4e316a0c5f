package org.buftrail.profile.push;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a request: status and headers, then the body as far as it is of use. Whatever the
 * receiver sends, what is kept of it is bounded, and an answer that is cut short is an error.
 * Belongs to one thread.
 */
final class Answer {
  /** The most that is read of a body. */
  static final int MAX_BODY = 1 << 16;

  private static final int MAX_HEAD = 1 << 16;

  /** Answers such as {@code 100 Continue} that may come before the one that counts. */
  private static final int MAX_INFORMATIONAL = 10;

  private final InputStream in;
  private final int status;
  private final Map<String, String> headers;

  private Answer(InputStream in, int status, Map<String, String> headers) {
    this.in = in;
    this.status = status;
    this.headers = headers;
  }

  /**
   * Reads up to the empty line of the answer that counts.
   *
   * @param in buffered
   * @throws IOException if it ends before, has no end, or is not HTTP
   */
  static Answer read(InputStream in) throws IOException {
    for (int i = 0; i <= MAX_INFORMATIONAL; i++) {
      Answer answer = readHead(in);
      if (answer.status >= 200) {
        return answer;
      }
    }
    throw new IOException("the receiver goes on to say that it will answer, and does not");
  }

  private static Answer readHead(InputStream in) throws IOException {
    int[] left = {MAX_HEAD};
    String first = line(in, left);
    if (!first.matches("HTTP/1\\.[01] [1-9][0-9][0-9]( .*)?")) {
      throw new IOException("the answer is not HTTP");
    }
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (String line = line(in, left); !line.isEmpty(); line = line(in, left)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.putIfAbsent(line.substring(0, colon), line.substring(colon + 1).trim());
      }
    }
    return new Answer(in, Integer.parseInt(first.substring(9, 12)), headers);
  }

  /** A line without its end. */
  private static String line(InputStream in, int[] left) throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("before the answer");
      }
      if (--left[0] < 0) {
        throw new IOException("the head of the answer is too long");
      }
      if (next == '\n') {
        int end = line.length();
        boolean cr = end > 0 && line.charAt(end - 1) == '\r';
        return cr ? line.substring(0, end - 1) : line.toString();
      }
      line.append((char) next);
    }
  }

  int status() {
    return status;
  }

  /** The first value of a header, or null. */
  @Nullable String header(String name) {
    return headers.get(name);
  }

  /**
   * The body, or its first 64 KiB.
   *
   * @throws IOException if it is cut short
   */
  byte[] body() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    String length = header("Content-Length");
    if (status == 204 || status == 304) {
      return new byte[0];
    }
    if (header("Transfer-Encoding") != null) {
      readChunks(body);
    } else if (length == null) {
      take(body, Long.MAX_VALUE);
    } else if (!length.matches("[0-9]{1,18}")) {
      throw new IOException("the length of the answer is no number");
    } else if (!take(body, Long.parseLong(length))) {
      throw new EOFException("after " + body.size() + " of " + length + " bytes of the answer");
    }
    return body.toByteArray();
  }

  private void readChunks(ByteArrayOutputStream body) throws IOException {
    while (body.size() < MAX_BODY) {
      int[] left = {MAX_HEAD};
      String line = line(in, left);
      String size = line.split("[; \t]", 2)[0];
      if (!size.matches("[0-9a-fA-F]{1,15}")) {
        throw new IOException("a chunk of the answer has no length");
      }
      long bytes = Long.parseLong(size, 16);
      if (bytes == 0) {
        return;
      }
      if (!take(body, bytes)) {
        throw new EOFException("within a chunk of the answer");
      }
      if (body.size() < MAX_BODY && !line(in, left).isEmpty()) {
        throw new IOException("a chunk of the answer is longer than it says");
      }
    }
  }

  /** Adds so many bytes, as far as there is room; false if the answer ends before that. */
  private boolean take(ByteArrayOutputStream body, long bytes) throws IOException {
    byte[] buffer = new byte[8 << 10];
    long left = Math.min(bytes, MAX_BODY - body.size());
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        return false;
      }
      body.write(buffer, 0, read);
      left -= read;
    }
    return true;
  }
}
