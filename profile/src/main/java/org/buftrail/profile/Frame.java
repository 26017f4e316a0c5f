package org.buftrail.profile;

import java.util.Objects;

/** A frame of a stack, as far as it is known. Immutable. */
public final class Frame {
  private final String name;
  private final String file;
  private final long line;
  private final String type;

  Frame(String name, String file, long line, String type) {
    this.name = name;
    this.file = file;
    this.line = line;
    this.type = type;
  }

  /**
   * The method or function, such as {@code java.util.HashMap.get}; where only an address is known,
   * the binary and the address in it.
   */
  public String name() {
    return name;
  }

  /** Its source file; empty where that is not known. */
  public String file() {
    return file;
  }

  /** The line in that file; 0 where that is not known. */
  public long line() {
    return line;
  }

  /** {@code jvm}, {@code native}, {@code kernel} and so on; empty where that is not known. */
  public String type() {
    return type;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Frame
        && ((Frame) other).name.equals(name)
        && ((Frame) other).file.equals(file)
        && ((Frame) other).line == line
        && ((Frame) other).type.equals(type);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, line);
  }

  /** The name, and the line if it is known. */
  @Override
  public String toString() {
    return line == 0 ? name : name + ':' + line;
  }
}
