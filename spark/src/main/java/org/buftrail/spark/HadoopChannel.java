package org.buftrail.spark;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.apache.hadoop.fs.FSDataInputStream;

/** A file of any Hadoop file system, read at positions; nothing else is offered. */
final class HadoopChannel extends FileChannel {
  private final FSDataInputStream stream;
  private final long size;

  HadoopChannel(FSDataInputStream stream, long size) {
    this.stream = stream;
    this.size = size;
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    int wanted = (int) Math.min(target.remaining(), size - position);
    if (wanted <= 0) {
      return target.hasRemaining() ? -1 : 0;
    }
    byte[] bytes = target.hasArray() ? target.array() : new byte[wanted];
    int offset = target.hasArray() ? target.arrayOffset() + target.position() : 0;
    int count = stream.read(position, bytes, offset, wanted);
    if (count > 0 && target.hasArray()) {
      target.position(target.position() + count);
    } else if (count > 0) {
      target.put(bytes, 0, count);
    }
    return count;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  protected void implCloseChannel() throws IOException {
    stream.close();
  }

  @Override
  public int read(ByteBuffer target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int write(ByteBuffer source) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int write(ByteBuffer source, long position) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long position() {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileChannel position(long position) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileChannel truncate(long length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void force(boolean metaData) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long length) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock lock(long position, long length, boolean shared) {
    throw new UnsupportedOperationException();
  }

  @Override
  public FileLock tryLock(long position, long length, boolean shared) {
    throw new UnsupportedOperationException();
  }
}
