package org.buftrail.jfr;

import java.nio.file.Path;

/**
 * A part of a recording that could not be read. Immutable.
 *
 * @param file the recording
 * @param chunk the chunk's position in the file, from 0
 * @param offset position in the file, in bytes
 * @param cause what is wrong there, in a few words
 */
public record Damage(Path file, int chunk, long offset, String cause) {
  @Override
  public String toString() {
    return file + ": chunk " + chunk + " at byte " + offset + ": " + cause;
  }
}
