package org.buftrail.spark;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.security.AccessControlException;

/** Local files of a system that fails now and then. */
public final class FailingFileSystem extends RawLocalFileSystem {
  /** Reads at positions fail from there on. */
  static final AtomicLong READABLE = new AtomicLong();

  /** The name of a file that cannot be read. */
  static final String FORBIDDEN = "forbidden.jfr";

  @Override
  public String getScheme() {
    return "failing";
  }

  @Override
  public URI getUri() {
    return URI.create("failing:///");
  }

  @Override
  protected void checkPath(Path path) {
    // Any will do.
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    if (path.getName().equals(FORBIDDEN)) {
      throw new AccessControlException("Permission denied: user=nobody");
    }
    return new FSDataInputStream(new Failing(super.open(path, bufferSize)));
  }

  private static final class Failing extends FSInputStream {
    private final FSDataInputStream file;

    Failing(FSDataInputStream file) {
      this.file = file;
    }

    @Override
    public int read(long position, byte[] target, int offset, int length) throws IOException {
      if (position + length > READABLE.get()) {
        throw new IOException("connection reset");
      }
      return file.read(position, target, offset, length);
    }

    @Override
    public int read() throws IOException {
      return file.read();
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return file.read(target, offset, length);
    }

    @Override
    public void seek(long position) throws IOException {
      file.seek(position);
    }

    @Override
    public long getPos() throws IOException {
      return file.getPos();
    }

    @Override
    public boolean seekToNewSource(long position) {
      return false;
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
