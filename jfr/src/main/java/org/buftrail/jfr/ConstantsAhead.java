package org.buftrail.jfr;

import java.io.IOException;
import java.util.Arrays;
import org.buftrail.jfr.kinds.EventKind;
import org.jspecify.annotations.Nullable;

/**
 * Reads the constants of a chunk, and makes stacks of all its stack traces, without waiting for its
 * events: by another thread if there is a processor for it.
 *
 * <p>That pays where events name nearly all of them, and is possible where the chunk is in memory
 * as a whole and its checkpoints are chained from its header. They are found in that chain here and
 * among the events there: if the two do not agree, or anything is damaged, nothing counts that was
 * read ahead.
 */
final class ConstantsAhead {
  /** Fewer bytes beside the checkpoints are not worth a second thread. */
  private static final int LEAST_SHARED = 1 << 17;

  private final boolean parallel = Runtime.getRuntime().availableProcessors() > 1;
  private final Selection selection;
  private final Constants constants;
  private final Names names;
  private final StackTraces stackTraces;
  private long[] checkpoints = new long[16];
  private int count;
  private long checkpointBytes;
  private @Nullable Metadata declared;

  private @Nullable OfferedWork reading;

  /**
   * Whether stack traces are decoded when they are met, since nobody can help: the other thread, if
   * there is one, is busy with the events for most of the time, or would come too late.
   */
  private boolean decodesWhenMet;

  private boolean damaged;
  private @Nullable Throwable failure;

  ConstantsAhead(Selection selection, Constants constants, Names names, StackTraces stackTraces) {
    this.selection = selection;
    this.constants = constants;
    this.names = names;
    this.stackTraces = stackTraces;
  }

  /**
   * Begins to read the constants of a chunk, if that is possible. Until {@link #finish} or {@link
   * #stop}, they and the dictionary are not the caller's.
   *
   * @param window on the chunk; stays the caller's
   * @param end where the chunk ends
   * @return whether it has begun
   */
  boolean begin(Window window, ChunkHeader header, long end, Metadata metadata) throws IOException {
    long length = end - header.offset;
    if (!selection.isAll()
        || !header.isFinished()
        || length > Window.CAPACITY
        || !holds(window, header.offset, (int) length)
        || !follow(window, header, end)) {
      return false;
    }
    try {
      if (namesBuildIds(metadata)) {
        return false;
      }
      declarePools(metadata);
    } catch (DamageException damage) {
      return false;
    }
    damaged = false;
    failure = null;
    Window twin = window.twin(header.offset, end, null);
    long eventBytes = length - checkpointBytes;
    if (parallel && eventBytes >= LEAST_SHARED) {
      decodesWhenMet = eventBytes >= checkpointBytes;
      reading = new OfferedWork(() -> read(twin, metadata, end, false));
    } else {
      decodesWhenMet = !parallel || checkpointBytes < StackPipeline.LEAST_SHARED;
      read(twin, metadata, end, true);
    }
    return true;
  }

  /**
   * Helps to read, and waits until all is read.
   *
   * @param met where checkpoints are among the events
   * @return whether the constants are read; if not, nothing is
   */
  boolean finish(Window window, long[] met) {
    OfferedWork started = reading;
    if (started != null && !started.runIfNobodyHas()) {
      stackTraces.help(window, started);
    }
    stop();
    // A name may be missing from what no event names, which would be nobody's concern.
    return !damaged
        && !names.isAnyMissing()
        && Arrays.equals(met, 0, met.length, checkpoints, 0, count);
  }

  /** Waits for the other thread, if it has begun; fails as it did. */
  void stop() {
    OfferedWork started = reading;
    reading = null;
    if (started != null) {
      started.stop();
    }
    Throwable cause = failure;
    failure = null;
    if (cause instanceof Error error) {
      throw error;
    } else if (cause instanceof RuntimeException exception) {
      throw exception;
    }
  }

  private static boolean holds(Window window, long offset, int length) throws IOException {
    window.seek(offset);
    return window.ensure(length);
  }

  /** Finds the checkpoints by their chain, which goes from the last to the first. */
  private boolean follow(Window window, ChunkHeader header, long end) {
    count = 0;
    checkpointBytes = 0;
    long at = header.offset + header.checkpoint;
    long before = end;
    while (at >= header.offset + ChunkHeader.LENGTH && at < before) {
      window.seek(at);
      int size = window.i4();
      // What lies in two checkpoints would be read as often as somebody likes, and what lies behind
      // the chunk would be read into the array that is shared.
      if (size <= 0 || size > before - at) {
        return false;
      }
      add(at);
      checkpointBytes += size;
      before = at;
      if (window.i8() != ChunkReader.CHECKPOINT) {
        return false;
      }
      window.i8();
      window.i8();
      long distance = window.i8();
      if (window.remaining() < 0) {
        return false;
      }
      if (distance == 0) {
        reverse();
        return true;
      }
      at += distance;
    }
    return false;
  }

  private void add(long at) {
    if (count == checkpoints.length) {
      checkpoints = Arrays.copyOf(checkpoints, count * 2);
    }
    checkpoints[count++] = at;
  }

  private void reverse() {
    for (int i = 0, k = count - 1; i < k; i++, k--) {
      long first = checkpoints[i];
      checkpoints[i] = checkpoints[k];
      checkpoints[k] = first;
    }
  }

  /** Whether libraries have build ids, which events tell and frames need. */
  private static boolean namesBuildIds(Metadata metadata) throws DamageException {
    TypeDescriptor library = metadata.type("jdk.NativeLibrary");
    return library != null && Origin.tells(library);
  }

  /** Says which texts are to be kept, which is known only once events are met. */
  private void declarePools(Metadata metadata) throws DamageException {
    if (declared == metadata) {
      return;
    }
    for (String name : metadata.names()) {
      EventKind kind = selection.kind(name);
      TypeDescriptor type = kind == null ? null : metadata.type(name);
      if (kind != null && type != null) {
        for (String field : kind.attributes().keySet()) {
          declarePool(field, type, metadata);
        }
        String frame = kind.frameField();
        if (frame != null) {
          declarePool(frame, type, metadata);
        }
      }
    }
    declared = metadata;
  }

  private void declarePool(String field, TypeDescriptor type, Metadata metadata)
      throws DamageException {
    Column column = Column.of(field, "", type, metadata);
    if (column.type == Column.Type.TEXT) {
      constants.texts(column.pool);
    }
  }

  private void read(Window window, Metadata metadata, long end, boolean forks) {
    try {
      constants.begin(metadata, window.compressed);
      constants.stacks.wantAll();
      constants.threads.wantAll();
      if (decodesWhenMet) {
        stackTraces.decodeWhenMet(window, metadata);
      } else {
        Window third = forks ? window.twin(checkpoints[0], end, null) : null;
        stackTraces.decodeElsewhere(window, metadata, checkpointBytes, third);
      }
      for (int i = 0; i < count; i++) {
        constants.index(window, checkpoints[i], end);
      }
      names.begin();
      stackTraces.resolve(window, metadata, forks);
    } catch (DamageException | IOException e) {
      // Is met again, and told, when the constants are read in their turn.
      damaged = true;
    } catch (RuntimeException | Error e) {
      failure = e;
    } finally {
      stackTraces.stop();
    }
  }
}
