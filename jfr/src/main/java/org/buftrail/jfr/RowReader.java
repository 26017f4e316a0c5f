package org.buftrail.jfr;

import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.buftrail.jfr.file.ByteSource;
import org.buftrail.jfr.merge.SampleRows;
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
    this(selection, RowRange.WHOLE, taker);
  }

  /**
   * @param selection what is asked for
   * @param range the part of each recording whose rows are asked for
   * @param taker gets the rows, on the thread that reads
   */
  public RowReader(RowSelection selection, RowRange range, SampleBatchTaker taker) {
    this(selection, range, taker, KEPT_BYTES);
  }

  /**
   * @param keptBytes a dictionary larger than that is emptied between chunks
   */
  RowReader(RowSelection selection, RowRange range, SampleBatchTaker taker, long keptBytes) {
    rows = new SampleRows(selection.filter(), range.bounds(), taker, keptBytes);
    converter = new Converter(selection.options(), rows);
  }

  /**
   * Reads a file.
   *
   * @param recording a file, plain or packed, or a pipe
   * @return what was found, and what could not be read; without profiles
   * @throws RecordingException as {@link #read(String, Recording)} does
   */
  public Conversion read(Path recording) throws RecordingException {
    return read(recording.toString(), Recording.of(recording));
  }

  /**
   * Reads a recording.
   *
   * @param name what its rows call it
   * @param recording of one file, or of several of one JVM
   * @return what was found, and what could not be read; without profiles
   * @throws RecordingException if it is no recording or cannot be read, or one of an archive cannot
   *     be copied for lack of space, or needs a larger heap; rows may have been handed on
   */
  public Conversion read(String name, Recording recording) throws RecordingException {
    rows.begin(name);
    Conversion read;
    try {
      read = converter.convert(recording);
    } catch (RecordingException e) {
      checkSystem();
      throw e;
    }
    checkSystem();
    return read;
  }

  /** What cannot be copied, or has no room, is no damage: another attempt may read it. */
  private void checkSystem() throws RecordingException {
    if (converter.systemFailure() instanceof RecordingException failure) {
      throw failure;
    }
  }

  /**
   * Begins with a recording that is read chunk by chunk, as its caller asks.
   *
   * @param name what its rows call it
   * @param recording a file, plain or packed
   */
  public RowCursor open(String name, Path recording) {
    rows.begin(name);
    return new RowCursor(converter, recording, null);
  }

  /**
   * Begins with a recording that is read chunk by chunk, as its caller asks, from wherever it is.
   *
   * @param name what its rows call it
   * @param recording what damages call it
   * @param channel asked for nothing but its size and for bytes at a position; closed with the
   *     cursor
   */
  public RowCursor open(String name, Path recording, FileChannel channel) {
    rows.begin(name);
    return new RowCursor(converter, recording, ByteSource.ofFile(channel));
  }
}
