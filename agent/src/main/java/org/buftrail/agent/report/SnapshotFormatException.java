package org.buftrail.agent.report;

import java.io.IOException;
import java.nio.file.Path;

/** Text that is not a snapshot; the message says where and what was expected. */
public final class SnapshotFormatException extends IOException {
  private static final long serialVersionUID = 1;

  private final int line;
  private final int column;

  SnapshotFormatException(int line, int column, String problem) {
    super("line " + line + ", column " + column + ": " + problem);
    this.line = line;
    this.column = column;
  }

  /** The same fault, in a file. */
  SnapshotFormatException(Path file, SnapshotFormatException fault) {
    super(file + ": " + fault.getMessage(), fault);
    this.line = fault.line;
    this.column = fault.column;
  }

  /** The line of the fault, from 1. */
  public int line() {
    return line;
  }

  /** The column of the fault in UTF-16 units, from 1. */
  public int column() {
    return column;
  }
}
