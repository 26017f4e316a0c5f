package org.buftrail.jfr;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kind;
import org.buftrail.jfr.kinds.Kinds;
import org.jspecify.annotations.Nullable;

/**
 * The spans of one process that began before the chunk that they are written in, so that what lies
 * in them is in chunks before it. They are looked for once, in all later chunks, when the first
 * chunk of a process is converted that describes spans.
 *
 * <p>Chunks that describe none take no part: async-profiler describes them in every chunk that it
 * writes, also where it adds its chunks to a recording of the JDK, and only in its chunks is the
 * key of a thread the number that the operating system gave it, and the same from chunk to chunk.
 * Ticks are the same within a process too, whereas tags are constants of their chunk, so they are
 * kept as texts.
 */
final class SpansAhead {
  /** So many spans of a process are kept, in 40 MB at most. */
  static final int MOST = 1 << 18;

  // In place of the number of a kept tag, which is odd.
  private static final long FULL = 0;
  private static final long UNKNOWN = 2;

  private final Set<String> events = new HashSet<>();
  private final Constants constants;
  private final ChunkTexts texts;
  private final ChunkTexts theirTexts = new ChunkTexts();
  private final ChunkReader reader;
  private final Spans spans = new Spans();
  private byte[] array = new byte[0];
  // The tags of a chunk by their numbers there, and the numbers of those that are kept.
  private final LongIntMap tags = new LongIntMap(64);
  private long[] keptTags = new long[64];
  private byte[] text = new byte[64];
  private boolean looked;
  private boolean found;
  private long lost;

  /**
   * @param constants are overwritten by those of the chunks that are looked at
   * @param texts where the tags are kept
   */
  SpansAhead(Constants constants, ChunkTexts texts) {
    this.constants = constants;
    this.texts = texts;
    for (EventKind kind : Kinds.all()) {
      if (kind.marks()) {
        events.add(kind.event());
      }
    }
    // Of a kind that no event is of by itself: what marks is selected whatever is asked for.
    Selection nothing = new Selection(Options.DEFAULT.kinds(Set.of(Kind.EVENT)));
    reader = new ChunkReader(theirTexts, constants, nothing, new Pairings());
    reader.range(TimeRange.NONE);
  }

  /** Forgets the spans of a process. */
  void endProcess() {
    if (looked) {
      spans.clear();
      texts.clearKept();
      looked = false;
      found = false;
    }
  }

  /**
   * Looks for the spans of a process, unless that has been done or is of no use.
   *
   * @param header the process' chunk that is about to be converted
   * @param finder has found that chunk
   */
  void look(
      Window window,
      ChunkHeader header,
      Metadata metadata,
      ChunkFinder finder,
      ChunkReader.Report report)
      throws IOException {
    if (looked || finder.isAtEnd() || !describesSpans(metadata)) {
      return;
    }
    looked = true;
    lost = 0;
    spans.limit(Long.MAX_VALUE, MOST);
    ChunkHeader previous = header;
    Window glance = window.glance(array);
    ChunkFinder rest = finder.rest(glance);
    for (ChunkFinder.Chunk chunk = rest.next(); chunk != null; chunk = rest.next()) {
      ChunkHeader next = chunk.header;
      if (next != null) {
        if (!next.isSameProcess(previous)) {
          break;
        }
        previous = next;
        read(glance, next, chunk.end);
      }
    }
    array = glance.bytes;
    reader.spans().clear();
    lost += spans.refused();
    found = spans.arrange();
    if (lost > 0) {
      report.damaged(
          new DamageException(
              header.offset,
              lost + " spans that end in a later chunk are too many: what is in them lacks a tag"));
    }
  }

  /** The spans that events of a chunk may lie in beside its own; null if there are none. */
  @Nullable Spans of(Metadata metadata) {
    return found && describesSpans(metadata) ? spans : null;
  }

  private boolean describesSpans(Metadata metadata) {
    for (String event : events) {
      if (metadata.names().contains(event)) {
        return true;
      }
    }
    return false;
  }

  private void read(Window window, ChunkHeader header, long end) throws IOException {
    // What is damaged is told when the chunk is converted, and not known here.
    Metadata metadata = reader.open(window, header, end, ChunkReader.UNTOLD);
    if (metadata == null || !describesSpans(metadata)) {
      return;
    }
    EventTypes types = reader.readSpans(window, header, metadata, MOST);
    lost += reader.spans().refused();
    if (reader.spans().collected().isEmpty()) {
      return;
    }
    reader.readConstants(window, header, types, ChunkReader.UNTOLD);
    tags.clear();
    for (Spans.Span span : reader.spans().collected()) {
      long kept = kept(span.tag());
      if (kept == FULL) {
        lost++;
      } else if (kept != UNKNOWN) {
        spans.add(span, kept);
      }
    }
  }

  /** What has become of a tag of a chunk. */
  private long kept(long tag) {
    int before = tags.size();
    int index = tags.intern(tag);
    if (index == before) {
      keptTags = index < keptTags.length ? keptTags : Arrays.copyOf(keptTags, keptTags.length * 2);
      keptTags[index] = keep(tag);
    }
    return keptTags[index];
  }

  private long keep(long tag) {
    if (!ChunkTexts.isConstant(tag)) {
      int length = theirTexts.length(tag);
      text = text.length < length ? new byte[length] : text;
      theirTexts.copy(tag, text);
      return texts.keep(text, 0, length);
    }
    TextPool strings = constants.strings;
    int index = strings.indexOf(ChunkTexts.constant(tag));
    index = index >= 0 && strings.isAlias(index) ? strings.indexOf(strings.alias(index)) : index;
    return index < 0 || strings.isAlias(index)
        ? UNKNOWN
        : texts.keep(strings.bytes(), strings.start(index), strings.length(index));
  }
}
