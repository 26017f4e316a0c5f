package org.buftrail.fuzz;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.buftrail.jfr.packing.Lz4FrameInputStream;
import org.buftrail.jfr.packing.ZstdFrameInputStream;

/** Whatever the bytes, unpacking ends, in bytes or in an exception that says what is wrong. */
public final class PackingTarget {
  private static final int MOST = 64 << 20;

  private PackingTarget() {}

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] bytes) {
    unpack(new ZstdFrameInputStream(new ByteArrayInputStream(bytes)));
    unpack(new Lz4FrameInputStream(new ByteArrayInputStream(bytes)));
  }

  private static void unpack(InputStream packed) {
    try (packed) {
      packed.skipNBytes(MOST);
    } catch (IOException e) {
      if (e.getMessage() == null && !(e instanceof EOFException)) {
        throw new IllegalStateException("nothing is said", e);
      }
    }
  }
}
