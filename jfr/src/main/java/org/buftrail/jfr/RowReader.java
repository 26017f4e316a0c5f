package org.buftrail.jfr;

import java.nio.file.Path;
import java.util.List;
import org.buftrail.jfr.rows.SampleBatchTaker;

/**
 * Reads recordings as rows of the table {@code samples}: one for each value that {@link Converter}
 * adds up with time stamps, so that sums are the same. Rows are handed on chunk by chunk; what was
 * live in a process, and values of which the last counts, come when the process ends.
 *
 * <p>Memory is bounded by what is distinct in a chunk, and by what is live in the process. May be
 * used again, by one thread at a time, and keeps its memory.
 */
public final class RowReader {
  private static final long KEPT_BYTES = 16 << 20;

  private final SampleRows rows;
  private final Converter converter;

  /**
   * @param selection what is asked for
   * @param taker gets the rows, on the thread that reads
   */
  public RowReader(RowSelection selection, SampleBatchTaker taker) {
    this(selection, taker, KEPT_BYTES);
  }

  /**
   * @param keptBytes a dictionary larger than that is emptied between chunks
   */
  RowReader(RowSelection selection, SampleBatchTaker taker, long keptBytes) {
    rows = new SampleRows(selection, taker, keptBytes);
    converter = new Converter(selection.options(), rows);
  }

  /**
   * Reads a recording.
   *
   * @param recording a file as {@link Converter#convert} takes it
   * @return what was found, and what could not be read; without profiles
   * @throws RecordingException if it is no recording or cannot be read; rows may have been handed
   *     on
   */
  public Conversion read(Path recording) throws RecordingException {
    rows.begin(recording.toString());
    return converter.convert(List.of(recording));
  }
}
