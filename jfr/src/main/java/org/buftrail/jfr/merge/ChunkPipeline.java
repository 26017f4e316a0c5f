package org.buftrail.jfr.merge;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import org.buftrail.jfr.chunk.ChunkDecoder;
import org.buftrail.jfr.chunk.ChunkResult;
import org.buftrail.jfr.chunk.SpansAhead;
import org.buftrail.jfr.events.EventFilter;
import org.buftrail.jfr.events.TimeRange;
import org.buftrail.jfr.file.ByteSource;
import org.buftrail.jfr.file.ChunkFinder;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.jfr.file.UnreadableException;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.jspecify.annotations.Nullable;

/**
 * Has the chunks of recordings decoded, and merges them in the order of the files.
 *
 * <p>All that changes the outcome is a step, and steps are taken in order by the caller's thread.
 * So what comes out does not depend on who decodes. Each chunk has a decoder to itself until it is
 * merged, and there are as many decoders as workers: that bounds the memory. A chunk that no worker
 * has begun when its turn comes is decoded by the caller, so nobody waits for a busy executor.
 */
public final class ChunkPipeline {
  private final Choices choices;
  private final EventFilter selection;
  private final ChunkMerger merger;
  private final Steps steps;
  private final Queue<Step> waiting = new ArrayDeque<>();
  private final Deque<Slot> idle = new ArrayDeque<>();
  private final List<OpenRecording> open = new ArrayList<>();
  private final RowBounds range;
  private @Nullable SpansAhead spansAhead;
  private @Nullable ChunkDecoder passing;
  private @Nullable OpenRecording current;
  private byte[] headers = new byte[0];
  private @Nullable Executor executor;
  private int workers = 1;
  private int inFlight;
  private boolean hasRecording;

  /** Receives what the caller has to know, in the order of the files. */
  public interface Steps {
    /** Another chunk has been merged, and so many bytes in all. */
    void merged(long bytes);

    /** A file cannot be read, or not to its end. */
    void failed(Path file, IOException failure);
  }

  /** A part of the work that must come in order. */
  private abstract static class Step {
    final Path file;

    Step(Path file) {
      this.file = file;
    }

    /** Whether it need not be waited for. */
    boolean isReady() {
      return true;
    }

    abstract void take();
  }

  /** A decoder with the part of a recording that it has in memory. */
  private static final class Slot {
    final ChunkDecoder decoder;
    @Nullable RecordingBuffer buffer;
    @Nullable OpenRecording source;

    Slot(EventFilter selection) {
      decoder = new ChunkDecoder(selection);
    }

    RecordingBuffer window(OpenRecording from) throws IOException {
      RecordingBuffer known = buffer;
      if (known == null || source != from) {
        known = new RecordingBuffer(from.bytes, known);
        buffer = known;
        source = from;
      }
      return known;
    }
  }

  /** Decodes a chunk, on any thread, and merges it on the caller's. */
  private final class ChunkStep extends Step implements Callable<ChunkResult>, Runnable {
    private final OpenRecording source;
    private final ChunkFinder.Chunk chunk;
    private final ChunkHeader header;
    private final SpansAhead.@Nullable Found ahead;
    private final Slot slot;
    private final FutureTask<ChunkResult> task = new FutureTask<>(this);

    ChunkStep(
        OpenRecording source,
        ChunkFinder.Chunk chunk,
        ChunkHeader header,
        SpansAhead.@Nullable Found ahead,
        Slot slot) {
      super(source.file);
      this.source = source;
      this.chunk = chunk;
      this.header = header;
      this.ahead = ahead;
      this.slot = slot;
    }

    @Override
    public ChunkResult call() throws IOException {
      return slot.decoder.decode(slot.window(source), header, chunk.end, source.range, ahead);
    }

    /** Runs on a thread of the executor, which may carry an interrupt that is none of ours. */
    @Override
    public void run() {
      boolean interrupted = Thread.interrupted();
      task.run();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    boolean isReady() {
      return task.isDone();
    }

    @Override
    void take() {
      try {
        // Unless a worker has begun it.
        task.run();
        ChunkResult result = task.get();
        if (!source.failed) {
          merger.add(file, chunk, result, source.range.isAll());
          steps.merged(merger.bytes());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        fail(source, new ClosedByInterruptException());
      } catch (ExecutionException e) {
        fail(source, cause(e));
      }
      inFlight--;
      idle.add(slot);
    }
  }

  private static IOException cause(ExecutionException e) {
    Throwable cause = e.getCause();
    if (cause instanceof IOException failure) {
      return failure;
    } else if (cause instanceof Error error) {
      throw error;
    }
    throw cause instanceof RuntimeException failure ? failure : new IllegalStateException(cause);
  }

  /** Tells what is wrong with a file or a stretch of it. */
  private final class ReportStep extends Step {
    private final int chunk;
    private final List<DamageException> damages;

    ReportStep(Path file, int chunk, List<DamageException> damages) {
      super(file);
      this.chunk = chunk;
      this.damages = damages;
    }

    @Override
    void take() {
      for (DamageException damage : damages) {
        merger.report(file, chunk, damage);
      }
    }
  }

  /** Tells that a file, or what is left of it, cannot be read. */
  private final class FailStep extends Step {
    private final @Nullable OpenRecording source;
    private final IOException failure;

    FailStep(Path file, @Nullable OpenRecording source, IOException failure) {
      super(file);
      this.source = source;
      this.failure = failure;
    }

    @Override
    void take() {
      if (source == null) {
        steps.failed(file, failure);
      } else {
        fail(source, failure);
      }
    }
  }

  /** Closes a recording of which all chunks have been merged. */
  private final class EndStep extends Step {
    private final OpenRecording source;

    EndStep(OpenRecording source) {
      super(source.file);
      this.source = source;
    }

    @Override
    void take() {
      merger.endProcess();
      open.remove(source);
      try {
        source.bytes.close();
      } catch (IOException e) {
        steps.failed(file, e);
      }
    }
  }

  /**
   * @param choices what to convert, and how
   * @param steps is told how far it is
   * @param rows takes the samples, which then are in no profile; null to keep them
   */
  public ChunkPipeline(Choices choices, Steps steps, @Nullable SampleRows rows) {
    this.choices = choices;
    this.steps = steps;
    range = rows == null ? RowBounds.WHOLE : rows.range();
    selection = new EventFilter(choices.kinds, named(choices), choices.timestamps);
    if (rows != null) {
      rows.restrict(selection);
    }
    merger = new ChunkMerger(choices, selection, rows);
  }

  /** What becomes of events that are asked for by name. */
  private static Map<String, EventKind> named(Choices choices) {
    Map<String, EventKind> kinds = new LinkedHashMap<>();
    for (NamedEvent event : choices.events) {
      EventKind base = kinds.getOrDefault(event.name(), Kinds.of(event.name()));
      kinds.put(event.name(), Kinds.custom(base, event.name(), event.field(), event.unit()));
    }
    return kinds;
  }

  /**
   * Decodes on threads of an executor from now on.
   *
   * @param threads null for the caller's alone
   * @param count how many chunks are in memory at a time
   */
  public void workers(@Nullable Executor threads, int count) {
    executor = threads;
    workers = count;
  }

  /** Forgets all that was converted, and what is under way if it was not finished. */
  public void begin() {
    abandon();
    merger.begin();
    hasRecording = false;
  }

  /** Whether any of the files was a recording. */
  public boolean hasRecording() {
    return hasRecording;
  }

  /** Merges all that is under way and puts everything together. */
  public Merged finish() {
    drain(-1);
    return merger.finish();
  }

  /** Drops what is under way. What workers still decode is of no use to anybody. */
  public void abandon() {
    for (OpenRecording source : open) {
      source.drop();
    }
    open.clear();
    current = null;
    waiting.clear();
    inFlight = 0;
  }

  /** Tells, when its turn comes, what is wrong with a file. */
  public void report(Path file, String cause) {
    add(new ReportStep(file, Fault.WHOLE_FILE, List.of(new DamageException(0, cause))));
  }

  /** Tells at once what is wrong with a file. */
  public void damaged(Path file, String cause) {
    merger.report(file, cause);
  }

  /** Tells, when its turn comes, that a file cannot be read. */
  public void fail(Path file, IOException failure) {
    add(new FailStep(file, null, failure));
  }

  /** Converts a recording, as far as it can be read, and closes it when that is done. */
  public void read(Path file, ByteSource bytes) {
    open(file, bytes);
    while (readChunk()) {
      // Each chunk is a step of its own.
    }
  }

  /** Begins with a recording, which is closed when its last chunk has been merged. */
  public void open(Path file, ByteSource bytes) {
    OpenRecording source = new OpenRecording(file, bytes);
    open.add(source);
    current = source;
  }

  /** Has the next chunk converted; false if the recording at hand has ended, or there is none. */
  public boolean readChunk() {
    OpenRecording source = current;
    if (source == null) {
      return false;
    }
    boolean isMore = false;
    try {
      isMore = find(source);
    } catch (IOException e) {
      add(new FailStep(source.file, source, e));
    }
    if (!isMore) {
      current = null;
      add(new EndStep(source));
    }
    return isMore;
  }

  /** Finds the next chunk and has it converted, or passed over; false if there is none. */
  private boolean find(OpenRecording source) throws IOException {
    ChunkFinder finder = source.finder;
    RecordingBuffer buffer = source.buffer;
    if (finder == null || buffer == null) {
      // Not a decoder's: what is held behind a chunk would be there for damaged numbers to run
      // into.
      buffer = new RecordingBuffer(source.bytes, null).glance(headers);
      finder = look(source, buffer);
      source.finder = finder;
      source.buffer = buffer;
    }
    ChunkFinder.Chunk chunk = source.failed || finder.offset() >= range.to() ? null : finder.next();
    if (chunk == null) {
      headers = buffer.bytes;
      return false;
    }
    ChunkHeader header = chunk.header;
    if (header == null) {
      report(source, chunk);
    } else {
      if (spansAhead == null && !finder.isAtEnd()) {
        spansAhead = new SpansAhead();
      }
      SpansAhead.Found ahead =
          spansAhead == null ? null : spansAhead.of(buffer, header, chunk.end, finder, chunk);
      if (header.offset < range.from()) {
        pass(source, chunk, header);
      } else {
        report(source, chunk);
        decode(new ChunkStep(source, chunk, header, ahead, slot()));
      }
    }
    buffer.confine(buffer.size());
    return true;
  }

  private void report(OpenRecording source, ChunkFinder.Chunk chunk) {
    if (chunk.start >= range.from()) {
      add(new ReportStep(source.file, chunk.index, chunk.damages));
    }
  }

  /**
   * Takes from a chunk before the range what it says of the process. The JDK says all of that in
   * each of its chunks, async-profiler only what is new.
   */
  private void pass(OpenRecording source, ChunkFinder.Chunk chunk, ChunkHeader header)
      throws IOException {
    if (chunk.index == 0 || (spansAhead != null && spansAhead.hasLooked())) {
      RecordingBuffer own = new RecordingBuffer(source.bytes, source.passed);
      source.passed = own;
      if (passing == null) {
        passing = new ChunkDecoder(EventFilter.nothing());
      }
      merger.pass(passing.decode(own, header, chunk.end, TimeRange.NONE, null));
    }
  }

  private ChunkFinder look(OpenRecording source, RecordingBuffer buffer) throws IOException {
    ChunkFinder finder = new ChunkFinder(buffer);
    if (!finder.isRecording()) {
      // A device may say that it has no bytes.
      boolean isFile = !Files.exists(source.file) || Files.isRegularFile(source.file);
      throw new UnreadableException(
          source.file, isFile && buffer.size() == 0 ? "is empty" : "not a flight recording");
    }
    String earlier = ChunkHeader.earlierWriter(buffer);
    if (earlier != null) {
      throw new UnreadableException(
          source.file, "a recording of " + earlier + ", which JDK Mission Control reads");
    }
    hasRecording = true;
    source.range = range(new ChunkFinder(buffer));
    if (spansAhead != null) {
      spansAhead.endProcess();
    }
    return finder;
  }

  private Slot slot() {
    Slot slot = idle.peek();
    if (slot == null) {
      slot = new Slot(selection);
      idle.add(slot);
    }
    return slot;
  }

  private void decode(ChunkStep step) {
    idle.remove(step.slot);
    inFlight++;
    Executor threads = executor;
    if (threads != null) {
      try {
        threads.execute(step);
      } catch (RejectedExecutionException e) {
        // It is decoded when its turn comes; the executor may take the next.
      }
    }
    add(step);
  }

  private void add(Step step) {
    waiting.add(step);
    drain(workers - 1);
  }

  /** Takes steps until at most some chunks are under way, and as many more as are ready. */
  private void drain(int most) {
    for (Step step = waiting.peek(); step != null; step = waiting.peek()) {
      if (inFlight <= most && !step.isReady()) {
        return;
      }
      waiting.remove();
      step.take();
    }
  }

  private void fail(OpenRecording source, IOException failure) {
    if (!source.failed) {
      source.failed = true;
      merger.breakOff();
      steps.failed(source.file, failure);
    }
  }

  /** The selected range of a recording; a relative one needs a look at all chunks. */
  private TimeRange range(ChunkFinder finder) throws IOException {
    long first = Long.MAX_VALUE;
    long last = Long.MIN_VALUE;
    if (choices.fromMillis != 0 || choices.toMillis != 0) {
      for (ChunkFinder.Chunk chunk = finder.next(); chunk != null; chunk = finder.next()) {
        ChunkHeader header = chunk.header;
        if (header != null) {
          first = Math.min(first, header.startNanos);
          last = Math.max(last, header.startNanos + header.durationNanos);
        }
      }
    }
    return new TimeRange(
        Math.max(choices.from, TimeRange.absolute(choices.fromMillis, first, last, Long.MIN_VALUE)),
        Math.min(choices.to, TimeRange.absolute(choices.toMillis, first, last, Long.MAX_VALUE)));
  }
}
