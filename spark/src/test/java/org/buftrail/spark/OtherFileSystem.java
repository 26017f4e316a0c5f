package org.buftrail.spark;

import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Local files that look as if they were elsewhere. */
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
  protected void checkPath(Path path) {
    // Any will do.
  }
}
