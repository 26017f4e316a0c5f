package org.buftrail.profile;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file that is opened when its first byte is wanted, so that many take one descriptor. */
final class LazyFile extends InputStream {
  private final Path path;
  private @Nullable InputStream open;

  LazyFile(Path path) {
    this.path = path;
  }

  private InputStream opened() throws IOException {
    InputStream stream = open;
    if (stream == null) {
      stream = Files.newInputStream(path);
      open = stream;
    }
    return stream;
  }

  @Override
  public int read() throws IOException {
    return opened().read();
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    return opened().read(target, offset, length);
  }

  @Override
  public void close() throws IOException {
    InputStream stream = open;
    if (stream != null) {
      stream.close();
    }
  }
}
