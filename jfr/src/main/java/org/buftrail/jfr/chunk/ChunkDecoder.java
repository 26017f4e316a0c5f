package org.buftrail.jfr.chunk;

import java.io.IOException;
import org.buftrail.jfr.events.EventTypes;
import org.buftrail.jfr.events.Selection;
import org.buftrail.jfr.events.Spans;
import org.buftrail.jfr.events.TimeRange;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.Window;
import org.buftrail.jfr.schema.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * Decodes one chunk after the other, each by itself: the same bytes give the same result, whatever
 * was decoded before. What it has grown to is kept. Belongs to one thread at a time.
 */
public final class ChunkDecoder {
  private final ChunkResult result = new ChunkResult();
  private final ChunkReader reader;

  public ChunkDecoder(Selection selection) {
    reader = new ChunkReader(result.texts, result.constants, selection, result.allocations);
  }

  /**
   * Decodes a chunk.
   *
   * @param end offset in the file behind its last byte
   * @param range what is wanted of the recording
   * @param ahead spans of the process that are written in later chunks, if there are any
   * @return valid until the next chunk is decoded
   */
  public ChunkResult decode(
      Window window,
      ChunkHeader header,
      long end,
      TimeRange range,
      SpansAhead.@Nullable Found ahead)
      throws IOException {
    result.begin(header, ahead == null ? null : ahead.texts());
    reader.range(range);
    Metadata metadata = reader.open(window, header, end, result);
    if (metadata == null) {
      return result;
    }
    Spans elsewhere = ahead != null && SpansAhead.describesSpans(metadata) ? ahead.spans() : null;
    EventTypes types = reader.readEvents(window, header, metadata, elsewhere, result);
    result.types(types);
    reader.readConstants(window, header, types, result);
    DamageException broken = result.constants.stackDamage();
    if (broken != null) {
      result.damaged(broken);
    }
    try {
      result.origin.read(window, types, reader.remembered());
    } catch (DamageException damage) {
      result.damaged(damage);
    }
    try {
      result.threads.read(window, metadata, result.constants.threads, result.texts);
    } catch (DamageException damage) {
      result.damaged(damage);
    }
    return result;
  }
}
