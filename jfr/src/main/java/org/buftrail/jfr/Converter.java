package org.buftrail.jfr;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Converts recordings to profiles: one for each kind of event, over one dictionary.
 *
 * <p>Reads every recording chunk by chunk, once but for async-profiler's spans, which are looked
 * for in later chunks. Memory grows with what is distinct in the recordings, not with their length.
 * May be used again, by one thread at a time; it keeps its memory, so conversions after the first
 * allocate little, and each makes the profiles of the one before void.
 */
public final class Converter {
  private final RecordingConverter converter;
  private @Nullable Window spent;
  private @Nullable LongConsumer progress;

  /** What could not be read in the conversion at hand. */
  private final List<RecordingException> failures = new ArrayList<>();

  /**
   * @param options what to convert, and how
   */
  public Converter(Options options) {
    converter = new RecordingConverter(options);
  }

  /**
   * Tells someone how far a conversion is.
   *
   * @param listener is given, after each chunk, how many bytes of the recordings have been read
   */
  public Converter progress(LongConsumer listener) {
    progress = listener;
    return this;
  }

  /**
   * Converts recordings into one set of profiles. One of several that is no recording, or cannot be
   * read, does not stop the others: it is among the damages.
   *
   * @param recordings files in the order of their time, plain or packed (gzip, LZ4, Zstandard,
   *     zip), directories with such files, globs, {@code -} for standard input, or pipes
   * @return the profiles, with whatever part of the recordings could be read; valid until the next
   *     call
   * @throws RecordingException if no file is a recording that can be read: what is wrong with the
   *     first, and with each other one as a suppressed exception
   */
  public Conversion convert(List<Path> recordings) throws RecordingException {
    converter.begin(progress);
    failures.clear();
    for (Path named : recordings) {
      try {
        for (Path recording : Recording.files(named)) {
          convert(recording);
        }
      } catch (RecordingException e) {
        note(named, e);
      }
    }
    if (!converter.hasRecording() && !failures.isEmpty()) {
      RecordingException first = failures.remove(0);
      failures.forEach(first::addSuppressed);
      throw first;
    }
    return converter.finish();
  }

  /** Takes what is wrong with a file. Not a lambda: the first takes a twentieth of a short run. */
  private final class FileReport implements Consumer<String> {
    private final Path file;

    FileReport(Path file) {
      this.file = file;
    }

    @Override
    public void accept(String cause) {
      converter.report(file, cause);
    }
  }

  private void convert(Path recording) throws RecordingException {
    try (Input input = Input.open(recording, new FileReport(recording))) {
      while (input.hasNext()) {
        try (FileChannel channel = input.next()) {
          Window opened = new Window(channel, spent);
          converter.convert(recording, opened);
          spent = opened;
        } catch (IOException e) {
          note(recording, e);
        }
      }
    } catch (IOException e) {
      note(recording, e);
    }
  }

  /** Notes that a file cannot be read, which ends the conversion if the caller is interrupted. */
  private void note(Path file, IOException e) throws RecordingException {
    RecordingException failure =
        e instanceof RecordingException known
            ? known
            : new RecordingException(file, "cannot be read: " + Input.cause(e));
    if (Thread.currentThread().isInterrupted()) {
      throw failure;
    }
    if (failures.size() < RecordingConverter.MOST_DAMAGES) {
      failures.add(failure);
    }
    converter.report(Path.of(failure.file()), failure.reason());
  }
}
