package org.buftrail.jfr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/** A file of a disk that cannot be read from some place on. */
final class FailingChannel extends FileChannel {
  private final FileChannel file;
  private final long readable;
  private long bytes;

  FailingChannel(FileChannel file, long readable) {
    this.file = file;
    this.readable = readable;
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    if (position >= readable) {
      throw new IOException("Input/output error");
    }
    int limit = target.limit();
    target.limit((int) Math.min(limit, target.position() + readable - position));
    try {
      int count = file.read(target, position);
      bytes += Math.max(0, count);
      return count;
    } finally {
      target.limit(limit);
    }
  }

  /** How many bytes have been read, those that were read twice counted twice. */
  long bytes() {
    return bytes;
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  protected void implCloseChannel() throws IOException {
    file.close();
  }

  private static UnsupportedOperationException unused() {
    return new UnsupportedOperationException("recordings are read by position alone");
  }

  @Override
  public int read(ByteBuffer target) {
    throw unused();
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) {
    throw unused();
  }

  @Override
  public int write(ByteBuffer source) {
    throw unused();
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) {
    throw unused();
  }

  @Override
  public long position() {
    throw unused();
  }

  @Override
  public FileChannel position(long position) {
    throw unused();
  }

  @Override
  public FileChannel truncate(long size) {
    throw unused();
  }

  @Override
  public void force(boolean metadata) {
    throw unused();
  }

  @Override
  public long transferTo(long position, long count, WritableByteChannel target) {
    throw unused();
  }

  @Override
  public long transferFrom(ReadableByteChannel source, long position, long count) {
    throw unused();
  }

  @Override
  public int write(ByteBuffer source, long position) {
    throw unused();
  }

  @Override
  public MappedByteBuffer map(MapMode mode, long position, long size) {
    throw unused();
  }

  @Override
  public FileLock lock(long position, long size, boolean shared) {
    throw unused();
  }

  @Override
  public FileLock tryLock(long position, long size, boolean shared) {
    throw unused();
  }
}
