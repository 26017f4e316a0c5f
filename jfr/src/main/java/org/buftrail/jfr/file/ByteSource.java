package org.buftrail.jfr.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;

/** The bytes of a recording. Several threads may read them at once, each where it likes. */
public abstract class ByteSource implements Closeable {
  /** How many bytes there are. */
  public abstract long size() throws IOException;

  /**
   * Reads some bytes.
   *
   * @param target filled from its position, not always to its limit
   * @return how many bytes were read; negative where there are no more
   */
  public abstract int read(ByteBuffer target, long position) throws IOException;

  /** Whether it has not been closed. */
  public boolean isOpen() {
    return true;
  }

  /** Lets go of the bytes; does nothing where they belong to the caller. */
  @Override
  public void close() throws IOException {}

  /** A file, which is closed with the source. */
  public static ByteSource ofFile(FileChannel file) {
    return new Channel(file, true);
  }

  /** What lies between position and limit; neither is moved. */
  public static ByteSource of(ByteBuffer bytes) {
    return new Memory(bytes.slice());
  }

  /** All of a channel, which the caller closes. */
  public static ByteSource of(SeekableByteChannel channel) {
    return new Channel(channel, false);
  }

  /** The bytes from the first to the last. */
  public InputStream stream() {
    return new Stream(this);
  }

  private static final class Memory extends ByteSource {
    private final ByteBuffer bytes;

    Memory(ByteBuffer bytes) {
      this.bytes = bytes;
    }

    @Override
    public long size() {
      return bytes.limit();
    }

    @Override
    public int read(ByteBuffer target, long position) {
      if (position >= bytes.limit()) {
        return -1;
      }
      ByteBuffer from = bytes.duplicate().position((int) position);
      int count = Math.min(from.remaining(), target.remaining());
      target.put(from.limit(from.position() + count));
      return count;
    }
  }

  private static final class Channel extends ByteSource {
    private final SeekableByteChannel channel;
    private final boolean isOwn;

    Channel(SeekableByteChannel channel, boolean isOwn) {
      this.channel = channel;
      this.isOwn = isOwn;
    }

    @Override
    public long size() throws IOException {
      return channel.size();
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      if (channel instanceof FileChannel file) {
        return file.read(target, position);
      }
      synchronized (this) {
        return channel.position(position).read(target);
      }
    }

    @Override
    public boolean isOpen() {
      return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
      if (isOwn) {
        channel.close();
      }
    }
  }

  private static final class Stream extends InputStream {
    private final ByteSource source;
    private long position;

    Stream(ByteSource source) {
      this.source = source;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = source.read(ByteBuffer.wrap(target, offset, length), position);
      position += Math.max(0, count);
      return count;
    }
  }
}
