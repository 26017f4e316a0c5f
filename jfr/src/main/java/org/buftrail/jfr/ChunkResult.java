package org.buftrail.jfr;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a chunk holds: its events added up, and those constants that they name. Nothing in it refers
 * to another chunk or to a dictionary, so chunks can be decoded in any order, side by side. It is
 * the memory of its decoder, which decodes the next chunk into it.
 */
final class ChunkResult implements DamageListener {
  final ChunkTexts texts = new ChunkTexts();
  final Constants constants = new Constants();
  final AllocationLogs allocations = new AllocationLogs();
  final ThreadTable threads = new ThreadTable();
  final OriginEvents origin = new OriginEvents(constants, texts);

  private final List<DamageException> damages = new ArrayList<>();
  private @Nullable ChunkHeader header;
  private @Nullable EventTypes types;

  /** Forgets the last chunk. */
  void begin(ChunkHeader next, @Nullable KeptTexts kept) {
    header = next;
    types = null;
    damages.clear();
    texts.clear(kept);
    threads.clear();
    origin.clear();
  }

  /** The chunk's header. */
  ChunkHeader header() {
    if (header == null) {
      throw new IllegalStateException("no chunk has been decoded");
    }
    return header;
  }

  /** Sets the types with the events. */
  void types(EventTypes chunkTypes) {
    types = chunkTypes;
  }

  /** The event types, with the events added up; null if the chunk has no metadata. */
  @Nullable EventTypes types() {
    return types;
  }

  @Override
  public void damaged(DamageException damage) {
    if (damages.size() < DamageListener.MOST) {
      damages.add(damage);
    }
  }

  /** What is wrong with the chunk. */
  List<DamageException> damages() {
    return damages;
  }
}
