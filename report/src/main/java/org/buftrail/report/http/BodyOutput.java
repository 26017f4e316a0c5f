package org.buftrail.report.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;

/**
 * Sends a body piece by piece: in chunks, or as it is where the end of the connection is its end.
 * To close it ends nothing; a body is at its end only when {@link #finish} was called. Belongs to
 * one thread.
 */
final class BodyOutput extends OutputStream {
  private static final int PIECE = 8 << 10;
  private static final byte[] LINE = {'\r', '\n'};

  private final WritableByteChannel channel;
  private final boolean inChunks;
  private final ByteBuffer piece = ByteBuffer.allocate(PIECE);

  /**
   * @param channel one that blocks
   */
  BodyOutput(WritableByteChannel channel, boolean inChunks) {
    this.channel = channel;
    this.inChunks = inChunks;
  }

  @Override
  public void write(int b) throws IOException {
    if (!piece.hasRemaining()) {
      send();
    }
    piece.put((byte) b);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    for (int done = 0; done < length; ) {
      if (!piece.hasRemaining()) {
        send();
      }
      int next = Math.min(length - done, piece.remaining());
      piece.put(bytes, offset + done, next);
      done += next;
    }
  }

  /** Pieces are sent when they are full. */
  @Override
  public void flush() {}

  /** Sends the rest and, in chunks, the mark of the end. */
  void finish() throws IOException {
    send();
    if (inChunks) {
      all(ByteBuffer.wrap("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
    }
  }

  private void send() throws IOException {
    piece.flip();
    if (piece.hasRemaining()) {
      if (inChunks) {
        String size = Integer.toHexString(piece.remaining()) + "\r\n";
        all(ByteBuffer.wrap(size.getBytes(StandardCharsets.US_ASCII)));
      }
      all(piece);
      if (inChunks) {
        all(ByteBuffer.wrap(LINE));
      }
    }
    piece.clear();
  }

  private void all(ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
