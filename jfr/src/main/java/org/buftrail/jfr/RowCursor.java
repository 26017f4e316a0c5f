package org.buftrail.jfr;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.buftrail.jfr.file.ByteSource;
import org.buftrail.jfr.input.Input;
import org.buftrail.jfr.input.Source;
import org.jspecify.annotations.Nullable;

/**
 * A recording whose rows are asked for chunk by chunk. Belongs to one thread; one at a time of a
 * {@link RowReader}.
 */
public final class RowCursor implements Closeable {
  private final Converter converter;
  private final Path file;
  private @Nullable Input input;
  private @Nullable ByteSource bytes;
  private @Nullable Conversion conversion;
  private boolean isOpened;
  private boolean isDone;

  /**
   * @param bytes the recording; null to open the file
   */
  RowCursor(Converter converter, Path file, @Nullable ByteSource bytes) {
    this.converter = converter;
    this.file = file;
    this.bytes = bytes;
    isOpened = bytes != null;
    converter.begin();
  }

  /**
   * Reads another chunk, whose rows the reader's taker gets, or what a process left, which may be
   * no rows.
   *
   * @return whether there may be more; false once all has been read
   * @throws RecordingException if it is no recording, or is packed as none
   * @throws IOException if the system cannot read it, or not now: another attempt may succeed
   */
  public boolean next() throws IOException {
    if (isDone) {
      return false;
    }
    try {
      boolean isMore = converter.pipeline().readChunk() || hasOpened();
      IOException failure = converter.systemFailure();
      if (failure != null) {
        isDone = true;
        throw failure;
      }
      if (isMore) {
        return true;
      }
      isDone = true;
      conversion = converter.finish();
      return false;
    } catch (Converter.Interrupted e) {
      isDone = true;
      IOException failure = converter.systemFailure();
      throw failure == null ? e.failure : failure;
    }
  }

  /** Opens what comes next; an archive may hold several recordings. */
  private boolean hasOpened() {
    try {
      ByteSource given = bytes;
      if (given != null) {
        bytes = null;
        converter.pipeline().open(file, given);
        return true;
      }
      if (!isOpened) {
        isOpened = true;
        input = converter.open(Source.file(file));
      }
      Input opened = input;
      while (opened != null && opened.hasNext()) {
        if (hasOpened(opened)) {
          return true;
        }
      }
    } catch (IOException e) {
      converter.pipeline().fail(file, e);
    }
    return false;
  }

  private boolean hasOpened(Input opened) {
    try {
      converter.pipeline().open(file, opened.next());
      return true;
    } catch (IOException e) {
      converter.pipeline().fail(file, e);
      return false;
    }
  }

  /** What could not be read, once {@link #next} has answered false. */
  public List<Damage> damages() {
    return Objects.requireNonNull(conversion, "not read to its end").damages();
  }

  @Override
  public void close() throws IOException {
    converter.pipeline().abandon();
    Input opened = input;
    ByteSource given = bytes;
    input = null;
    bytes = null;
    if (given != null) {
      given.close();
    }
    if (opened != null) {
      opened.close();
    }
  }
}
