package org.buftrail.fuzz;

import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Recording;
import org.buftrail.jfr.RecordingException;

/** Whatever the bytes, a recording is read to its end, or it is one line why not. */
public final class ReaderTarget {
  private ReaderTarget() {}

  /** Called by Jazzer. */
  public static void fuzzerTestOneInput(byte[] bytes) {
    try {
      Conversion found = Recording.of(Scratch.of(bytes)).inspect();
      if (!found.profiles().profiles().isEmpty()) {
        throw new IllegalStateException("inspecting makes profiles");
      }
    } catch (RecordingException e) {
      if (String.valueOf(e.getMessage()).indexOf('\n') >= 0) {
        throw new IllegalStateException("more than one line", e);
      }
    }
  }
}
