package org.buftrail.jfr.packing;

import java.io.IOException;

/** Bytes that are not as Zstandard writes them. */
final class ZstdException extends IOException {
  private static final long serialVersionUID = 1L;

  ZstdException(String what) {
    super("Zstandard frame is damaged: " + what);
  }
}
