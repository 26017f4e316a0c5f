package org.buftrail.jfr.chunk;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.buftrail.jfr.constants.ChunkTexts;
import org.buftrail.jfr.constants.Constants;
import org.buftrail.jfr.constants.KeptTexts;
import org.buftrail.jfr.constants.StringPool;
import org.buftrail.jfr.events.AllocationLogs;
import org.buftrail.jfr.events.ContextReader;
import org.buftrail.jfr.events.Contexts;
import org.buftrail.jfr.events.EventFilter;
import org.buftrail.jfr.events.EventTypes;
import org.buftrail.jfr.events.Spans;
import org.buftrail.jfr.events.TimeRange;
import org.buftrail.jfr.file.ChunkFinder;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.DamageListener;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.process.ProcessEvents;
import org.buftrail.jfr.process.ProcessId;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.table.LongIntMap;
import org.jspecify.annotations.Nullable;

/**
 * The spans and contexts of one process that began before the chunk that they are written in, so
 * that what lies in them is in chunks before it. They are looked for once, in all later chunks,
 * when the first chunk of a process is converted that describes spans.
 *
 * <p>Chunks that describe none take no part. Contexts are of the JDK's chunks, in which the key of
 * a thread is the same from chunk to chunk. Spans are of others: async-profiler describes them in
 * every chunk that it writes, also where it adds its chunks to a recording of the JDK, and only in
 * its chunks is the key of a thread the number that the operating system gave it, and the same from
 * chunk to chunk. Ticks are the same within a process too, whereas tags are constants of their
 * chunk, so they are kept as texts.
 */
public final class SpansAhead {
  /** So many spans of a process are kept, in 40 MB at most. */
  public static final int MOST = 1 << 18;

  // Spans that are kept.
  private int count;

  // In place of the number of a kept tag, which is odd.
  private static final long FULL = 0;
  private static final long UNKNOWN = 2;

  private static final Set<String> EVENTS = events();

  private final ChunkTexts texts = new ChunkTexts();
  private final Constants constants = new Constants();
  private final ProcessEvents origin = new ProcessEvents(constants, texts);
  private final EventReader reader;
  private byte[] array = new byte[0];
  // The tags of a chunk by their numbers there, and the numbers of those that are kept.
  private final LongIntMap tags = new LongIntMap();
  private long[] keptTags = new long[64];
  private byte[] text = new byte[64];
  private Spans spans = new Spans();
  private Contexts contexts = new Contexts();
  private KeptTexts kept = new KeptTexts();
  private long lost;

  // The findings for the current process, and the chunk in which another process begins.
  private @Nullable Found found;
  private boolean looked;
  private boolean isSpan;
  private int until;
  private @Nullable ChunkHeader previous;
  private @Nullable ProcessId process;

  /**
   * Spans of a process, which any thread may ask for, and their tags.
   *
   * @param contexts what events say of others of their thread while they last
   * @param texts where the tags are kept
   */
  public record Found(Spans spans, Contexts contexts, KeptTexts texts) {}

  public SpansAhead() {
    reader = new EventReader(texts, constants, EventFilter.nothing(), new AllocationLogs());
    reader.range(TimeRange.NONE);
  }

  private static Set<String> events() {
    Set<String> events = new HashSet<>();
    for (EventKind kind : Kinds.all()) {
      if (kind.marks()) {
        events.add(kind.event());
      }
    }
    return events;
  }

  /** Forgets the process: the next chunk is of another. */
  public void endProcess() {
    previous = null;
    process = null;
    found = null;
    looked = false;
    isSpan = false;
    until = Integer.MAX_VALUE;
  }

  /** Whether a chunk of the process describes spans, so that async-profiler wrote it. */
  public boolean hasLooked() {
    return isSpan;
  }

  /**
   * The spans that the next chunk's events may lie in beside its own; null if there are none.
   *
   * @param finder has found that chunk
   */
  public @Nullable Found of(
      RecordingBuffer buffer,
      ChunkHeader header,
      long end,
      ChunkFinder finder,
      DamageListener report)
      throws IOException {
    ChunkHeader before = previous;
    if (header.index >= until || (before != null && !header.isSameProcess(before))) {
      endProcess();
    }
    previous = header;
    if (!looked && !finder.isAtEnd()) {
      look(buffer, header, end, finder, report);
    }
    return found;
  }

  private void look(
      RecordingBuffer buffer,
      ChunkHeader header,
      long end,
      ChunkFinder finder,
      DamageListener report)
      throws IOException {
    RecordingBuffer glance = buffer.glance(array);
    Metadata metadata = reader.open(glance, header, end, DamageListener.NONE);
    if (metadata != null && describes(metadata)) {
      looked = true;
      isSpan = describesSpans(metadata);
      lost = 0;
      spans = new Spans();
      contexts = new Contexts();
      count = 0;
      kept = new KeptTexts();
      process = readProcess(glance, reader.readSpans(glance, header, metadata, 0));
      try {
        collectRest(glance, header, finder.rest(glance));
      } catch (ClosedChannelException e) {
        throw e;
      } catch (IOException e) {
        // Unreadable chunks are reported when their turn comes, since earlier ones can be read.
      }
      reader.spans().clear();
      reader.contexts().clear();
      boolean anySpan = spans.arrange();
      found = contexts.arrange() || anySpan ? new Found(spans, contexts, kept) : null;
      if (lost > 0) {
        report.damaged(
            new DamageException(
                header.offset,
                lost
                    + " spans that end in a later chunk are too many: what is in them lacks a"
                    + " tag"));
      }
    }
    array = glance.bytes;
  }

  private void collectRest(RecordingBuffer glance, ChunkHeader header, ChunkFinder rest)
      throws IOException {
    ChunkHeader before = header;
    for (ChunkFinder.Chunk chunk = rest.next(); chunk != null; chunk = rest.next()) {
      ChunkHeader next = chunk.header;
      if (next != null) {
        if (!next.isSameProcess(before) || !collect(glance, next, chunk.end)) {
          until = next.index;
          return;
        }
        before = next;
      }
    }
  }

  /** Whether a chunk's types are such as async-profiler's, of which one is a span. */
  public static boolean describesSpans(Metadata metadata) {
    for (String event : EVENTS) {
      if (metadata.names().contains(event)) {
        return true;
      }
    }
    return false;
  }

  /** Takes the spans of a chunk; answers false, and takes none, if it is of another process. */
  private boolean collect(RecordingBuffer buffer, ChunkHeader header, long end) throws IOException {
    // Damage is reported when the chunk is converted, and unknown here.
    texts.clear(null);
    Metadata metadata = reader.open(buffer, header, end, DamageListener.NONE);
    if (metadata == null || !describes(metadata)) {
      return true;
    }
    isSpan |= describesSpans(metadata);
    EventTypes types = reader.readSpans(buffer, header, metadata, MOST);
    ProcessId id = readProcess(buffer, types);
    if (!ProcessId.maySame(process, id)) {
      return false;
    }
    process = process == null ? id : process;
    reader.readConstants(buffer, header, types, DamageListener.NONE);
    tags.clear();
    keep(reader.spans(), spans);
    for (Contexts.Field field : reader.contexts().fields()) {
      Contexts.Field own = contexts.field(field.event(), field.name());
      if (own != null) {
        keep(field.values(), own.values());
      }
    }
    return true;
  }

  private void keep(Spans from, Spans to) {
    lost += from.refused();
    for (Spans.Span span : from.collected()) {
      long number = count == MOST ? FULL : kept(span.tag());
      if (number == FULL) {
        lost++;
      } else if (number != UNKNOWN) {
        to.add(span, number);
        count++;
      }
    }
  }

  private static boolean describes(Metadata metadata) {
    return describesSpans(metadata) || ContextReader.isAny(metadata);
  }

  private @Nullable ProcessId readProcess(RecordingBuffer buffer, EventTypes types)
      throws IOException {
    origin.clear();
    try {
      origin.read(buffer, types, reader.remembered());
    } catch (DamageException damage) {
      // Is told when the chunk is converted.
      return origin.process();
    }
    return origin.process();
  }

  /** The fate of a tag of a chunk. */
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
      int length = texts.length(tag);
      text = text.length < length ? new byte[length] : text;
      texts.copy(tag, text);
      return kept.keep(text, 0, length);
    }
    StringPool strings = constants.strings;
    int index = strings.indexOf(ChunkTexts.constant(tag));
    if (index < 0 || strings.isMissing(index)) {
      return UNKNOWN;
    }
    StringPool holder = strings.holder(index);
    int target = strings.target(index);
    return kept.keep(holder.bytes(), holder.start(target), holder.length(target));
  }
}
