package org.buftrail.jfr;

import java.nio.file.Path;
import org.buftrail.jfr.merge.Fault;

/**
 * A part of a recording, or one of several, that could not be read. Immutable.
 *
 * @param file the recording
 * @param chunk the chunk's position in the file, from 0; {@value #WHOLE_FILE} for the file as a
 *     whole
 * @param offset position in the file, in bytes
 * @param cause what is wrong there, in a few words
 */
public record Damage(Path file, int chunk, long offset, String cause) {
  /** The chunk of a damage that is not one chunk's. */
  public static final int WHOLE_FILE = Fault.WHOLE_FILE;

  static Damage of(Fault fault) {
    return new Damage(fault.file(), fault.chunk(), fault.offset(), fault.cause());
  }

  /** Chunk, offset and cause, without the file. */
  public String text() {
    return chunk == WHOLE_FILE ? cause : "chunk " + chunk + " at byte " + offset + ": " + cause;
  }

  @Override
  public String toString() {
    return file + ": " + text();
  }
}
