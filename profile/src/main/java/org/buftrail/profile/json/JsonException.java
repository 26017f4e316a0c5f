package org.buftrail.profile.json;

import java.io.IOException;

/** Text that is not JSON, or not what is expected there; the message says where and what was. */
public final class JsonException extends IOException {
  private static final long serialVersionUID = 1;

  private final int line;
  private final int column;

  JsonException(int line, int column, String problem) {
    super("line " + line + ", column " + column + ": " + problem);
    this.line = line;
    this.column = column;
  }

  private JsonException(String file, JsonException fault) {
    super(file + ": " + fault.getMessage(), fault);
    this.line = fault.line;
    this.column = fault.column;
  }

  /** The same fault, in a file. */
  public JsonException in(String file) {
    return new JsonException(file, this);
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
