package org.buftrail.jfr.chunk;

import java.io.IOException;
import org.buftrail.jfr.events.ContextReader;
import org.buftrail.jfr.events.Contexts;
import org.buftrail.jfr.events.EventFilter;
import org.buftrail.jfr.events.EventTypes;
import org.buftrail.jfr.events.Spans;
import org.buftrail.jfr.events.TimeRange;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.jfr.schema.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one chunk after the other, each by itself: the same bytes give the same result, whatever
 * was decoded before. What it has grown to is kept. Belongs to one thread at a time.
 */
public final class ChunkDecoder {
  private final ChunkResult result = new ChunkResult();
  private final EventReader reader;

  public ChunkDecoder(EventFilter selection) {
    reader = new EventReader(result.texts, result.constants, selection, result.allocations);
  }

  /**
   * Decodes a chunk.
   *
   * @param end offset in the file behind its last byte
   * @param range what is wanted of the recording
   * @param ahead spans and contexts of the process that are written in later chunks, if there are
   *     any
   * @return valid until the next chunk is decoded
   */
  public ChunkResult decode(
      RecordingBuffer buffer,
      ChunkHeader header,
      long end,
      TimeRange range,
      SpansAhead.@Nullable Found ahead)
      throws IOException {
    result.begin(header, ahead == null ? null : ahead.texts());
    reader.range(range);
    Metadata metadata = reader.open(buffer, header, end, result);
    if (metadata == null) {
      return result;
    }
    Spans elsewhere = ahead != null && SpansAhead.describesSpans(metadata) ? ahead.spans() : null;
    Contexts around = ahead != null && ContextReader.isAny(metadata) ? ahead.contexts() : null;
    EventTypes types = reader.readEvents(buffer, header, metadata, elsewhere, around, result);
    result.types(types);
    reader.readConstants(buffer, header, types, result);
    DamageException broken = result.constants.stackDamage();
    if (broken != null) {
      result.damaged(broken);
    }
    try {
      result.origin.read(buffer, types, reader.remembered());
    } catch (DamageException damage) {
      result.damaged(damage);
    }
    try {
      result.threads.read(buffer, metadata, result.constants, result.texts);
    } catch (DamageException damage) {
      result.damaged(damage);
    }
    return result;
  }
}
