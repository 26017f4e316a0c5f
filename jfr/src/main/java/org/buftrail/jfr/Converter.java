package org.buftrail.jfr;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.zip.ZipException;
import org.buftrail.jfr.file.ByteSource;
import org.buftrail.jfr.file.DamageListener;
import org.buftrail.jfr.file.UnreadableException;
import org.buftrail.jfr.input.Input;
import org.buftrail.jfr.input.Source;
import org.buftrail.jfr.merge.ChunkPipeline;
import org.buftrail.jfr.merge.Fault;
import org.buftrail.jfr.merge.Merged;
import org.buftrail.jfr.merge.NamedEvent;
import org.buftrail.jfr.merge.SampleRows;
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
  private final ChunkPipeline pipeline;
  private final long mostUnpacked;
  private @Nullable LongConsumer progress;
  private @Nullable IOException systemFailure;

  /** What could not be read in the conversion at hand. */
  private final List<RecordingException> failures = new ArrayList<>();

  /**
   * @param options what to convert, and how
   */
  public Converter(Options options) {
    this(options, null);
  }

  /**
   * @param rows takes the samples, which then are in no profile; null to keep them
   */
  Converter(Options options, @Nullable SampleRows rows) {
    pipeline = new ChunkPipeline(options.values, new Notes(), rows);
    mostUnpacked = options.values.mostUnpacked;
  }

  /**
   * Lets threads of an executor decode chunks, of one recording and of several, while this one
   * merges those before them. The profiles are the same to the byte as without. An executor that is
   * busy or refuses costs time, nothing else: what no thread has begun when its turn comes is
   * decoded by the caller. Threads that carry an interrupt may be lent; one that is interrupted
   * while it decodes ends the recording at hand, as with the caller.
   *
   * <p>To convert many recordings each to profiles of its own, give each thread a converter without
   * workers instead.
   *
   * @param executor where chunks are decoded; it is not shut down
   * @param workers how many chunks are in memory at a time, which bounds what is needed: some 64 MB
   *     each where chunks are of the usual size; 1 for none beside the caller
   */
  public Converter workers(Executor executor, int workers) {
    if (workers < 1) {
      throw new IllegalArgumentException(workers + " workers");
    }
    pipeline.workers(workers == 1 ? null : executor, workers);
    return this;
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
   * Converts files into one set of profiles, as {@link #convert(Recording)} does.
   *
   * @param files in the order of their time, plain or packed, or pipes
   * @throws RecordingException if no file is a recording that can be read
   */
  public Conversion convert(List<Path> files) throws RecordingException {
    return convert(Recording.of(files.toArray(new Path[0])));
  }

  /**
   * Converts recordings into one set of profiles. One of several that is no recording, or cannot be
   * read, does not stop the others: it is among the damages.
   *
   * @return the profiles, with whatever part of the recordings could be read; valid until the next
   *     call
   * @throws RecordingException if nothing is a recording that can be read: what is wrong with the
   *     first, and with each other one as a suppressed exception
   */
  public Conversion convert(Recording recording) throws RecordingException {
    begin();
    try {
      for (Source named : recording.sources()) {
        try {
          for (Source each : named.expand()) {
            convert(each);
          }
        } catch (UnreadableException e) {
          pipeline.fail(named.name(), e);
        }
      }
      return finish();
    } catch (Interrupted e) {
      throw e.failure;
    } finally {
      pipeline.abandon();
    }
  }

  /** Forgets all that was converted. */
  void begin() {
    pipeline.begin();
    failures.clear();
    systemFailure = null;
  }

  /** Puts everything together, as {@link #convert} does. */
  Conversion finish() throws RecordingException {
    Merged merged = pipeline.finish();
    if (!pipeline.hasRecording() && !failures.isEmpty()) {
      RecordingException first = failures.remove(0);
      failures.forEach(first::addSuppressed);
      throw first;
    }
    List<Damage> damages = new ArrayList<>();
    for (Fault fault : merged.faults()) {
      damages.add(Damage.of(fault));
    }
    Map<Options.Event, String> unmet = new LinkedHashMap<>();
    for (Map.Entry<NamedEvent, String> entry : merged.unmet().entrySet()) {
      NamedEvent event = entry.getKey();
      unmet.put(new Options.Event(event.name(), event.field(), event.unit()), entry.getValue());
    }
    Stats stats = new Stats(merged.tally());
    return new Conversion(merged.profiles(), stats, damages, merged.notes(), unmet);
  }

  /** The first failure that is not a recording's fault; null if there was none. */
  @Nullable IOException systemFailure() {
    return systemFailure;
  }

  /** Whether the fault is in the file, so that every attempt to read it fails alike. */
  private static boolean isOfContent(IOException e) {
    return (e instanceof UnreadableException failure && failure.isOfRecording())
        || e instanceof ZipException
        || e instanceof EOFException;
  }

  /** Where chunks are decoded. */
  ChunkPipeline pipeline() {
    return pipeline;
  }

  /** Opens a recording; what is wrong with it is reported when its turn comes. */
  Input open(Source recording) throws IOException {
    return recording.open(new FileReport(recording.name()), mostUnpacked);
  }

  /** Ends a conversion. */
  static final class Interrupted extends RuntimeException {
    private static final long serialVersionUID = 1L;
    final RecordingException failure;

    Interrupted(RecordingException failure) {
      super(failure);
      this.failure = failure;
    }
  }

  /** Facts about the chunks that are under way. */
  private final class Notes implements ChunkPipeline.Steps {
    @Override
    public void merged(long bytes) {
      LongConsumer listener = progress;
      if (listener != null) {
        listener.accept(bytes);
      }
    }

    @Override
    public void failed(Path file, IOException failure) {
      note(file, failure);
    }
  }

  /** Takes what is wrong with a file. Not a lambda: the first takes a twentieth of a short run. */
  private final class FileReport implements Consumer<String> {
    private final Path file;

    FileReport(Path file) {
      this.file = file;
    }

    @Override
    public void accept(String cause) {
      pipeline.report(file, cause);
    }
  }

  private void convert(Source recording) {
    try (Input input = open(recording)) {
      while (input.hasNext()) {
        read(recording.name(), input);
      }
    } catch (IOException e) {
      pipeline.fail(recording.name(), e);
    }
  }

  private void read(Path recording, Input input) {
    ByteSource bytes;
    try {
      bytes = input.next();
    } catch (IOException e) {
      pipeline.fail(recording, e);
      return;
    }
    pipeline.read(recording, bytes);
  }

  /** Notes that a file cannot be read, which ends the conversion if the caller is interrupted. */
  private void note(Path file, IOException e) {
    RecordingException failure =
        e instanceof UnreadableException known
            ? new RecordingException(known)
            : new RecordingException(file, "cannot be read: " + Input.cause(e));
    if (systemFailure == null && !isOfContent(e)) {
      systemFailure = e instanceof UnreadableException ? failure : e;
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new Interrupted(failure);
    }
    if (failures.size() < DamageListener.MOST) {
      failures.add(failure);
    }
    pipeline.damaged(Path.of(failure.file()), failure.reason());
  }
}
