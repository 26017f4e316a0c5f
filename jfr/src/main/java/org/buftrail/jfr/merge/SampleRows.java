package org.buftrail.jfr.merge;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.buftrail.jfr.events.EventFilter;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.jfr.process.ProcessAttributes;
import org.buftrail.jfr.rows.SampleBatch;
import org.buftrail.jfr.rows.SampleBatchTaker;
import org.buftrail.jfr.rows.SampleColumn;
import org.buftrail.jfr.rows.SampleType;
import org.buftrail.jfr.samples.SampleTaker;
import org.buftrail.profile.Attributes;
import org.buftrail.profile.Kind;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;

/** Hands the samples of a conversion on as rows, chunk by chunk. */
public final class SampleRows implements SampleTaker {
  /** A file of an archive is smaller than that many bits can tell. */
  private static final int FILE_BITS = 44;

  private final RowFilter selection;
  private final RowBounds range;
  private final SampleBatchTaker taker;
  private final long keptBytes;
  private final Map<ProfileType, SampleType> types = new HashMap<>();
  private final Map<ProfileType, String> events = new HashMap<>();
  private SampleBatch batch = new SampleBatch(new Dictionary());
  private @Nullable String event;

  /** How many files have been read of the recording, and where the last chunk of this one began. */
  private long file;

  private long last = Long.MAX_VALUE;

  /**
   * @param selection what is asked for
   * @param range of which part of a recording
   * @param taker gets the rows
   * @param keptBytes a dictionary larger than that is emptied between chunks
   */
  public SampleRows(RowFilter selection, RowBounds range, SampleBatchTaker taker, long keptBytes) {
    this.keptBytes = keptBytes;
    this.selection = selection;
    this.range = range;
    this.taker = taker;
    for (EventKind kind : Kinds.all()) {
      boolean isFree = kind.memory() != null && kind.memory().isFreed();
      for (ProfileType type : kind.profileTypes()) {
        if (!isFree) {
          events.putIfAbsent(type, kind.event());
        }
      }
    }
  }

  /** The part of a recording of which rows come. */
  RowBounds range() {
    return range;
  }

  /** Says what the samples to come point into; answers how many bytes of it are kept at most. */
  long of(Dictionary dictionary) {
    batch = new SampleBatch(dictionary);
    return keptBytes;
  }

  /** Has only that decoded which is asked for. */
  void restrict(EventFilter filter) {
    if (!selection.columns().contains(SampleColumn.STACK_ID)) {
      filter.withoutStacks();
    }
    if (!range.isWhole()) {
      filter.only(range::needs);
    }
    Set<String> others = range.hasChunks() ? selection.others() : Set.of();
    if (others == null || !others.isEmpty()) {
      filter.withOthers(name -> others == null || others.contains(name));
    }
  }

  /** Begins with a recording, which its rows call so. */
  public void begin(String recording) {
    batch.begin(recording);
    file = -1;
    last = Long.MAX_VALUE;
  }

  /**
   * Begins with the next chunk.
   *
   * @param offset where it begins in its file
   */
  void beginChunk(ProcessAttributes origin, long offset) {
    // An archive has several files, each of which begins anew.
    file += offset <= last ? 1 : 0;
    last = offset;
    Attributes resource = new Attributes();
    origin.describe(resource);
    batch.describe(resource.asMap());
  }

  /** Begins with an empty dictionary in the middle of a recording. */
  void renew() {
    batch.renew();
  }

  /** Says which type the samples to come are of. */
  void event(String type) {
    event = type;
  }

  @Override
  public void take(
      ProfileType type,
      int stack,
      int attributes,
      int link,
      long time,
      long first,
      long second,
      long place) {
    // What the process left is of no event.
    if (!(event == null ? range.hasEnds() : range.hasChunks())) {
      return;
    }
    boolean isOther = type.kind() == Kind.EVENT;
    if (!selection.wants(isOther ? null : type.name(), time)) {
      return;
    }
    SampleType known = types.get(type);
    if (known == null) {
      String secondUnit = type.second() == null ? null : type.second().unit();
      known = new SampleType(type.name(), type.first().unit(), secondUnit, isOther);
      types.put(type, known);
    }
    String name = event == null ? events.get(type) : event;
    long id = place == 0 ? 0 : file << FILE_BITS | place;
    batch.add(known, name, id, stack, attributes, link, time, first, second);
    if (batch.isFull()) {
      flush();
    }
  }

  /** Hands on what there is; what follows is of no event, but of what the process left. */
  void endChunk() {
    event = null;
    flush();
  }

  private void flush() {
    if (batch.size() > 0) {
      taker.take(batch);
      batch.clear();
    }
  }
}
