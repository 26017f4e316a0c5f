package org.buftrail.jfr;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
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
   * Converts recordings into one set of profiles.
   *
   * @param recordings files in the order of their time, plain or packed (gzip, LZ4, Zstandard,
   *     zip), directories with such files, {@code -} for standard input, or pipes
   * @return the profiles, with whatever part of the recordings could be read; valid until the next
   *     call
   * @throws RecordingException if a file is not a recording or cannot be read
   */
  public Conversion convert(List<Path> recordings) throws RecordingException {
    converter.begin(progress);
    for (Path named : recordings) {
      for (Path recording : Recording.files(named)) {
        try {
          convertFile(recording);
        } catch (RecordingException e) {
          throw e;
        } catch (IOException e) {
          throw new RecordingException(recording, 0, "cannot be read: " + Input.cause(e));
        } catch (UncheckedIOException e) {
          throw new RecordingException(recording, 0, "cannot be read: " + e.getMessage());
        }
      }
    }
    return converter.finish();
  }

  private void convertFile(Path recording) throws IOException {
    try (Input input = Input.open(recording)) {
      for (Path file : input.files()) {
        try (FileChannel channel = input.channel(file)) {
          Window opened = new Window(channel, spent);
          converter.convert(recording, opened);
          spent = opened;
        }
      }
      String damage = input.damage();
      if (damage != null) {
        converter.report(recording, damage);
      }
    }
  }
}
