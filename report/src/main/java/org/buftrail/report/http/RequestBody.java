package org.buftrail.report.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.charset.StandardCharsets;

/**
 * The body of a request, as it comes: as long as the head says, or in chunks. A client that waits
 * for leave to send it gets that with the first read. Belongs to one thread.
 */
final class RequestBody extends InputStream {
  private static final int PIECE = 16 << 10;

  /** The longest line between chunks, and the most of them behind the last. */
  private static final int LONGEST_LINE = 4 << 10;

  private static final int MOST_TRAILERS = 100;
  private static final byte[] LEAVE =
      "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

  private final ByteChannel channel;
  private final Runnable end;
  private final boolean inChunks;
  private boolean isLeaveWanted;
  private ByteBuffer buffer;

  /** Bytes to come of the body, or of the chunk at hand. */
  private long left;

  private boolean isFirst = true;
  private boolean isAtEnd;

  /**
   * @param early what has come already
   * @param channel one that blocks
   * @param end run when all of it has come
   */
  RequestBody(Request request, ByteBuffer early, ByteChannel channel, Runnable end) {
    this.buffer = early;
    this.channel = channel;
    this.end = end;
    String length = request.header("Content-Length");
    inChunks = request.header("Transfer-Encoding") != null;
    left = inChunks || length == null ? 0 : Long.parseLong(length);
    isLeaveWanted =
        request.takesChunks() && "100-continue".equalsIgnoreCase(request.header("Expect"));
    if (!inChunks && left == 0) {
      finish();
    }
  }

  private void finish() {
    isAtEnd = true;
    end.run();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (left == 0 && !isAtEnd) {
      nextChunk();
    }
    if (isAtEnd) {
      return -1;
    }
    fill();
    int count = (int) Math.min(left, Math.min(length, buffer.remaining()));
    buffer.get(bytes, offset, count);
    left -= count;
    if (left == 0 && !inChunks) {
      finish();
    }
    return count;
  }

  private void nextChunk() throws IOException {
    if (!isFirst && !line().isEmpty()) {
      throw new IOException("a chunk is longer than it says");
    }
    isFirst = false;
    String size = line().split(";", 2)[0].strip();
    if (!size.matches("[0-9A-Fa-f]{1,15}")) {
      throw new IOException("a chunk has no size");
    }
    left = Long.parseLong(size, 16);
    if (left == 0) {
      for (int i = 0; !line().isEmpty(); i++) {
        if (i == MOST_TRAILERS) {
          throw new IOException("too much is behind the last chunk");
        }
      }
      finish();
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    while (line.length() < LONGEST_LINE) {
      fill();
      char next = (char) (buffer.get() & 0xff);
      int last = line.length() - 1;
      if (next == '\n' && last >= 0 && line.charAt(last) == '\r') {
        return line.substring(0, last);
      }
      line.append(next);
    }
    throw new IOException("a line between chunks is too long");
  }

  /** Waits until there is a byte. */
  private void fill() throws IOException {
    if (buffer.hasRemaining()) {
      return;
    }
    if (isLeaveWanted) {
      isLeaveWanted = false;
      ByteBuffer leave = ByteBuffer.wrap(LEAVE);
      while (leave.hasRemaining()) {
        channel.write(leave);
      }
    }
    if (buffer.capacity() < PIECE) {
      buffer = ByteBuffer.allocate(PIECE);
    }
    buffer.clear();
    int count = channel.read(buffer);
    buffer.flip();
    if (count < 0) {
      throw new EOFException("the body ends too early");
    }
  }
}
