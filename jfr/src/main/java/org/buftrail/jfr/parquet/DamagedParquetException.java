package org.buftrail.jfr.parquet;

import java.io.IOException;

/** Thrown where a file is no Parquet file of ours, or not a whole one. Says why, without a name. */
public final class DamagedParquetException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Makes one that says why. */
  public DamagedParquetException(String message) {
    super(message);
  }

  /** What is wrong. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
