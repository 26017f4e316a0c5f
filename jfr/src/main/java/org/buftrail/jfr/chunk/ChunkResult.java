package org.buftrail.jfr.chunk;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.jfr.constants.ChunkTexts;
import org.buftrail.jfr.constants.Constants;
import org.buftrail.jfr.constants.KeptTexts;
import org.buftrail.jfr.constants.ThreadTable;
import org.buftrail.jfr.events.AllocationLogs;
import org.buftrail.jfr.events.EventTypes;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.DamageListener;
import org.buftrail.jfr.process.ProcessEvents;
import org.jspecify.annotations.Nullable;

/**
 * What a chunk holds: its events added up, and those constants that they name. Nothing in it refers
 * to another chunk or to a dictionary, so chunks can be decoded in any order, side by side. It is
 * the memory of its decoder, which decodes the next chunk into it.
 */
public final class ChunkResult implements DamageListener {
  public final ChunkTexts texts = new ChunkTexts();
  public final Constants constants = new Constants();
  public final AllocationLogs allocations = new AllocationLogs();
  public final ThreadTable threads = new ThreadTable();
  public final ProcessEvents origin = new ProcessEvents(constants, texts);

  private final List<DamageException> damages = new ArrayList<>();
  private @Nullable ChunkHeader header;
  private @Nullable EventTypes types;

  /** Forgets the last chunk. */
  public void begin(ChunkHeader next, @Nullable KeptTexts kept) {
    header = next;
    types = null;
    damages.clear();
    texts.clear(kept);
    threads.clear();
    origin.clear();
  }

  public ChunkHeader header() {
    if (header == null) {
      throw new IllegalStateException("no chunk has been decoded");
    }
    return header;
  }

  /** Sets the types with the events. */
  public void types(EventTypes chunkTypes) {
    types = chunkTypes;
  }

  /** The event types, with the events added up; null if the chunk has no metadata. */
  public @Nullable EventTypes types() {
    return types;
  }

  @Override
  public void damaged(DamageException damage) {
    if (damages.size() < DamageListener.MOST) {
      damages.add(damage);
    }
  }

  /** The faults of the chunk. */
  public List<DamageException> damages() {
    return damages;
  }
}
