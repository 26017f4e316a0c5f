package org.buftrail.jfr.merge;

import java.nio.file.Path;

/**
 * A part of a recording that could not be read.
 *
 * @param file the recording
 * @param chunk the chunk's position in the file, from 0; {@value #WHOLE_FILE} for the file as a
 *     whole
 * @param offset position in the file, in bytes
 * @param cause what is wrong there, in a few words
 */
public record Fault(Path file, int chunk, long offset, String cause) {
  /** The chunk of a fault that is not one chunk's. */
  public static final int WHOLE_FILE = -1;
}
