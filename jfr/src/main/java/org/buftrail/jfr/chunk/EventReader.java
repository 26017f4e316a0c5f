package org.buftrail.jfr.chunk;

import java.io.IOException;
import java.util.Arrays;
import org.buftrail.jfr.constants.ChunkTexts;
import org.buftrail.jfr.constants.Constants;
import org.buftrail.jfr.constants.LazyConstantPool;
import org.buftrail.jfr.events.AllocationLogs;
import org.buftrail.jfr.events.Column;
import org.buftrail.jfr.events.ContextReader;
import org.buftrail.jfr.events.Contexts;
import org.buftrail.jfr.events.EventAggregator;
import org.buftrail.jfr.events.EventFilter;
import org.buftrail.jfr.events.EventTypes;
import org.buftrail.jfr.events.Spans;
import org.buftrail.jfr.events.TimeRange;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.DamageListener;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.Reference;
import org.buftrail.jfr.table.RowTable;
import org.jspecify.annotations.Nullable;

/**
 * Reads one chunk after the other: finds its types, adds its events up by the keys that they hold,
 * notes where its checkpoints are, then reads those constants that the sums name.
 *
 * <p>Reports damage and reads everything still reachable: the events before the break, those behind
 * the next checkpoint of the chunk's chain, and all checkpoints met.
 */
public final class EventReader {
  private static final int METADATA = 0;

  /** The type of a checkpoint event. */
  public static final int CHECKPOINT = 1;

  /** Bytes of a checkpoint's fields before its pools, at most. */
  private static final int CHECKPOINT_HEADER = 64;

  /** Checkpoints that are remembered of a damaged chunk, at most. */
  private static final int MOST_CHAINED = 1 << 16;

  private final EventFilter selection;
  private final AllocationLogs allocations;
  private final Spans spans = new Spans();
  private final Contexts contexts = new Contexts();
  private TimeRange range = TimeRange.ALL;
  private final ChunkTexts texts;
  private final Constants constants;
  private long[] checkpoints = new long[64];
  private int checkpointCount;
  private long[] remembered = new long[64];
  private int rememberedCount;

  // Checkpoints behind the first damage of a chunk, from the last to the first; -1 of no damage.
  private long[] chain = new long[16];
  private int chainLength;

  private @Nullable Metadata metadata;
  private @Nullable EventTypes types;
  private long end;

  public EventReader(
      ChunkTexts texts, Constants constants, EventFilter selection, AllocationLogs allocations) {
    this.constants = constants;
    this.allocations = allocations;
    this.selection = selection;
    this.texts = texts;
  }

  /** Reads only events of a part of the time from now on. */
  public void range(TimeRange wanted) {
    range = wanted;
  }

  /** Offsets of the events that describe the origin of the chunk. */
  public long[] remembered() {
    return Arrays.copyOf(remembered, rememberedCount);
  }

  /**
   * Finds the types of a chunk.
   *
   * @param chunkEnd offset in the file behind the last byte to read
   * @return the types, or null if the chunk has no metadata
   */
  public @Nullable Metadata open(
      RecordingBuffer buffer, ChunkHeader chunkHeader, long chunkEnd, DamageListener report)
      throws IOException {
    end = chunkEnd;
    spans.clear();
    contexts.clear();
    buffer.compressed = chunkHeader.compressed;
    buffer.hold(chunkHeader.offset, chunkEnd);
    try {
      Metadata found = metadata(buffer, chunkHeader);
      metadata = found;
      DamageException broken = found.damage();
      if (broken != null) {
        report.damaged(
            new DamageException(
                chunkHeader.offset, broken.reason() + ": events of some types cannot be read"));
      }
      return found;
    } catch (DamageException damage) {
      report.damaged(damage);
      return null;
    }
  }

  /**
   * Reads the events of the chunk whose types have been found.
   *
   * @param elsewhere spans of other chunks that mark events of this one, if there are any
   * @param around contexts of other chunks that events of this one lie in, if there are any
   */
  public EventTypes readEvents(
      RecordingBuffer buffer,
      ChunkHeader chunkHeader,
      Metadata described,
      @Nullable Spans elsewhere,
      @Nullable Contexts around,
      DamageListener report)
      throws IOException {
    spans.beside(elsewhere);
    contexts.beside(around);
    boolean isMarked = spans.hasOthers() || contexts.hasOthers();
    EventTypes chunkTypes = types(described, chunkHeader, isMarked);
    sweepAll(buffer, chunkHeader, chunkTypes, report);
    boolean anySpan = spans.arrange();
    if (contexts.arrange() || anySpan) {
      // A span is written when it ends, after what lies in it.
      chunkTypes = types(described, chunkHeader, true);
      sweepAll(buffer, chunkHeader, chunkTypes, DamageListener.NONE);
    }
    allocations.finish();
    chunkTypes.report(chunkHeader, report);
    return chunkTypes;
  }

  /**
   * Collects those spans and contexts that began before the chunk, whose types have been found, and
   * passes over what is not selected. Leaves out broken ones.
   *
   * @param most how many are collected
   */
  public EventTypes readSpans(
      RecordingBuffer buffer, ChunkHeader chunkHeader, Metadata described, int most)
      throws IOException {
    spans.limit(chunkHeader.startTicks, most);
    contexts.limit(chunkHeader.startTicks, most);
    EventTypes chunkTypes = types(described, chunkHeader, false);
    sweepAll(buffer, chunkHeader, chunkTypes, DamageListener.NONE);
    return chunkTypes;
  }

  /** The spans of the chunk. */
  public Spans spans() {
    return spans;
  }

  /** What events of the chunk say of others. */
  public Contexts contexts() {
    return contexts;
  }

  /** Reads those constants of the chunk that its events name. */
  public void readConstants(
      RecordingBuffer buffer, ChunkHeader chunkHeader, EventTypes chunkTypes, DamageListener report)
      throws IOException {
    constants.begin(chunkTypes.metadata(), chunkHeader.compressed);
    for (EventAggregator rows : chunkTypes.rows()) {
      want(rows);
    }
    for (EventAggregator rows : chunkTypes.rows()) {
      readInline(buffer, rows, report);
    }
    for (int i = 0; i < checkpointCount; i++) {
      try {
        constants.index(buffer, checkpoints[i], end);
      } catch (DamageException damage) {
        report.damaged(damage);
      }
    }
    constants.end();
    buffer.confine(end);
  }

  /** Reads what the events hold themselves where others name a constant. */
  private void readInline(RecordingBuffer buffer, EventAggregator rows, DamageListener report)
      throws IOException {
    for (int i = 0; i < rows.columns.size(); i++) {
      Reference reference = rows.columns.get(i).inline;
      for (int row = 0; reference != null && row < rows.rows.size(); row++) {
        try {
          constants.readPlace(buffer, reference.typeId(), rows.rows.key(row, i));
        } catch (DamageException damage) {
          report.damaged(damage);
          return;
        }
      }
    }
  }

  /** The chunk's types, those of the chunk before if they are the same. */
  private EventTypes types(Metadata described, ChunkHeader chunkHeader, boolean marked) {
    EventTypes known = types;
    if (known == null
        || !known.fits(described, chunkHeader.compressed)
        || (marked && !known.isMarked())) {
      known =
          new EventTypes(
              described, chunkHeader.compressed, selection, allocations, spans, marked, contexts);
      types = known;
    }
    return known;
  }

  /** Reads events up to the end of the chunk. */
  private void sweep(RecordingBuffer buffer, ChunkHeader chunkHeader, EventTypes chunkTypes)
      throws IOException, DamageException {
    while (true) {
      if (buffer.remaining() < ChunkHeader.EVENT && !hasEvent(buffer)) {
        return;
      }
      int start = buffer.position;
      int size = buffer.i4();
      long type = buffer.i8();
      if (size < buffer.position - start
          || size > end - buffer.offset() + buffer.position - start) {
        buffer.position = start;
        throw new DamageException(buffer.offset(), "an event of " + size + " bytes");
      }
      if (type == CHECKPOINT) {
        addCheckpoint(buffer.offset() - (buffer.position - start));
      } else if (type != METADATA) {
        EventTypes.Entry entry = chunkTypes.entry(type);
        chunkTypes.count(entry, size);
        if (entry.remembered) {
          remember(buffer.offset() - (buffer.position - start));
        }
        if (entry.context != null) {
          start = readContext(buffer, start, size, entry, entry.context);
        }
        if (entry.rows != null) {
          start = convert(buffer, start, size, entry, entry.rows, chunkHeader);
        }
      }
      int next = start + size;
      if (next >= 0 && next <= buffer.limit) {
        buffer.position = next;
      } else {
        buffer.position = start;
        buffer.seek(buffer.offset() + size);
      }
    }
  }

  /** Makes the start of an event decodable; false at the end of the chunk. */
  private boolean hasEvent(RecordingBuffer buffer) throws IOException, DamageException {
    long left = end - buffer.offset();
    if (left > 0) {
      buffer.require((int) Math.min(ChunkHeader.EVENT, left), "the chunk");
    }
    return left > 0;
  }

  /** Collects what an event says of others; answers its position, which may move. */
  private int readContext(
      RecordingBuffer buffer, int start, int size, EventTypes.Entry entry, ContextReader context)
      throws IOException, DamageException {
    entry.converted += entry.rows == null ? 1 : 0;
    if (contexts.isArranged()) {
      return start;
    }
    int fields = buffer.position - start;
    buffer.position = start;
    buffer.require(size, "an event");
    int at = buffer.position;
    buffer.position = at + fields;
    context.read(buffer, at + size, texts);
    buffer.position = at + fields;
    return at;
  }

  /** Adds an event; answers its position, which moves when the buffer slides. */
  private int convert(
      RecordingBuffer buffer,
      int start,
      int size,
      EventTypes.Entry entry,
      EventAggregator rows,
      ChunkHeader chunkHeader)
      throws IOException, DamageException {
    int at = start;
    if (buffer.limit - start < size) {
      int fields = buffer.position - start;
      buffer.position = start;
      buffer.require(size, "an event");
      at = buffer.position;
      buffer.position += fields;
    }
    int first = buffer.position;
    if (rows.add(buffer, at + size, texts, range, chunkHeader)) {
      entry.converted++;
    }
    EventAggregator whole = entry.whole;
    if (whole != null) {
      buffer.position = first;
      whole.add(buffer, at + size, texts, range, chunkHeader);
    }
    return at;
  }

  private void sweepAll(
      RecordingBuffer buffer, ChunkHeader chunkHeader, EventTypes chunkTypes, DamageListener report)
      throws IOException {
    checkpointCount = 0;
    rememberedCount = 0;
    chainLength = -1;
    allocations.clear();
    chunkTypes.clear();
    long from = chunkHeader.offset + ChunkHeader.LENGTH;
    while (from >= 0 && from < end) {
      buffer.seek(from);
      try {
        sweep(buffer, chunkHeader, chunkTypes);
        return;
      } catch (DamageException damage) {
        report.damaged(damage);
        from = checkpointAfter(buffer, Math.max(from, damage.offset()), chunkHeader);
      }
    }
  }

  /** The first checkpoint behind an offset that the chunk's chain leads to, or -1. */
  private long checkpointAfter(RecordingBuffer buffer, long offset, ChunkHeader chunkHeader)
      throws IOException {
    if (chainLength < 0) {
      followChain(buffer, offset, chunkHeader);
    }
    while (chainLength > 0 && chain[chainLength - 1] <= offset) {
      chainLength--;
    }
    return chainLength > 0 ? chain[chainLength - 1] : -1;
  }

  /** Notes the checkpoints behind an offset, from the last to the first; of very many some. */
  private void followChain(RecordingBuffer buffer, long offset, ChunkHeader chunkHeader)
      throws IOException {
    chainLength = 0;
    int stride = 1;
    int met = 0;
    long at = chunkHeader.offset + chunkHeader.checkpoint;
    while (at > offset && at < end) {
      buffer.seek(at);
      if (!buffer.ensure((int) Math.min(CHECKPOINT_HEADER, end - at))) {
        return;
      }
      buffer.i4();
      if (buffer.i8() != CHECKPOINT) {
        return;
      }
      if (chainLength == MOST_CHAINED) {
        for (int i = 0; i < chainLength / 2; i++) {
          chain[i] = chain[2 * i];
        }
        chainLength /= 2;
        stride *= 2;
      }
      if (met++ % stride == 0) {
        chain = chainLength < chain.length ? chain : Arrays.copyOf(chain, chainLength * 2);
        chain[chainLength++] = at;
      }
      buffer.i8();
      buffer.i8();
      long delta = buffer.i8();
      if (delta >= 0) {
        return;
      }
      at += delta;
    }
  }

  private Metadata metadata(RecordingBuffer buffer, ChunkHeader chunkHeader)
      throws IOException, DamageException {
    long stated = chunkHeader.offset + chunkHeader.metadata;
    if (chunkHeader.metadata >= ChunkHeader.LENGTH && stated > 0 && isMetadata(buffer, stated)) {
      return parseMetadata(buffer, stated);
    }
    long found = -1;
    long at = chunkHeader.offset + ChunkHeader.LENGTH;
    while (at < end) {
      buffer.seek(at);
      if (!buffer.ensure((int) Math.min(ChunkHeader.EVENT, end - at))) {
        break;
      }
      int size = buffer.i4();
      found = buffer.i8() == METADATA && size > 0 && size <= end - at ? at : found;
      if (size <= 0) {
        break;
      }
      at += size;
    }
    if (found < 0) {
      throw new DamageException(
          Math.min(end, Math.max(stated, chunkHeader.offset)),
          "the chunk's metadata is missing, so none of its events can be read");
    }
    return parseMetadata(buffer, found);
  }

  private boolean isMetadata(RecordingBuffer buffer, long at) throws IOException {
    if (at >= end) {
      return false;
    }
    buffer.seek(at);
    if (!buffer.ensure((int) Math.min(ChunkHeader.EVENT, end - at))) {
      return false;
    }
    int size = buffer.i4();
    return buffer.i8() == METADATA && size > 0 && size <= end - at;
  }

  private Metadata parseMetadata(RecordingBuffer buffer, long at)
      throws IOException, DamageException {
    buffer.seek(at);
    buffer.require((int) Math.min(ChunkHeader.EVENT, end - at), "the metadata");
    int start = buffer.position;
    int size = buffer.i4();
    buffer.position = start;
    buffer.require(size, "the metadata");
    int eventEnd = buffer.position + size;
    buffer.i4();
    buffer.i8();
    buffer.i8();
    buffer.i8();
    buffer.i8();
    try {
      return Metadata.parse(buffer, eventEnd, metadata);
    } catch (DamageException damage) {
      throw new DamageException(at, damage.reason());
    }
  }

  private void want(EventAggregator rows) {
    RowTable table = rows.rows;
    for (int i = 0; i < rows.columns.size(); i++) {
      Column.Type type = rows.columns.get(i).type;
      LazyConstantPool pool =
          type == Column.Type.STACK
              ? constants.stacks
              : type == Column.Type.THREAD ? constants.threads : null;
      if (pool != null) {
        for (int row = 0; row < table.size(); row++) {
          pool.want(table.key(row, i));
        }
      } else if (type == Column.Type.TEXT) {
        constants.texts(rows.columns.get(i).pool);
      }
    }
  }

  private void addCheckpoint(long at) {
    if (checkpointCount == checkpoints.length) {
      checkpoints = Arrays.copyOf(checkpoints, checkpointCount * 2);
    }
    checkpoints[checkpointCount++] = at;
  }

  private void remember(long at) {
    if (rememberedCount == remembered.length) {
      remembered = Arrays.copyOf(remembered, rememberedCount * 2);
    }
    remembered[rememberedCount++] = at;
  }
}
