package org.buftrail.jfr.parquet;

import java.io.IOException;

/** Thrown where a Parquet file has our columns, and another program wrote it. Says which. */
public final class OtherWriterException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Makes one that says who. */
  OtherWriterException(String writer) {
    super(writer);
  }

  /** The program that wrote it, by its own word. */
  public String writer() {
    return String.valueOf(getMessage());
  }
}
