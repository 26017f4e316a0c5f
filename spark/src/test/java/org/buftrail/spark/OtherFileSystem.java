package org.buftrail.spark;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files that look as if they were elsewhere, where nothing is replaced, as in S3. */
public final class OtherFileSystem extends RawLocalFileSystem {
  @Override
  public String getScheme() {
    return "other";
  }

  @Override
  public URI getUri() {
    return URI.create("other:///");
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    if (exists(to)) {
      throw new FileAlreadyExistsException(to + " exists");
    }
    return super.rename(from, to);
  }

  @Override
  protected void checkPath(Path path) {
    // Any will do.
  }
}
