package org.buftrail.jfr.events;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.DamageListener;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.schema.Layout;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.TypeDescriptor;
import org.buftrail.jfr.table.LongIntMap;
import org.buftrail.profile.text.Amounts;
import org.jspecify.annotations.Nullable;

/** The event types of one chunk by id, with what is to be done with the events of each. */
public final class EventTypes {
  private static final int DIRECT = 4096;

  private final Metadata metadata;
  private final boolean compressed;
  private final EventFilter selection;
  private final AllocationLogs allocations;
  private final Spans spans;
  private final boolean marked;
  private final Contexts contexts;
  private final List<Contexts.Field> fields;
  private final @Nullable Entry[] direct = new @Nullable Entry[DIRECT];
  private final LongIntMap others = new LongIntMap();
  private final List<Entry> otherEntries = new ArrayList<>();
  private int sources;

  // The types of the current chunk, in the order in which they were met.
  private final List<Entry> met = new ArrayList<>();
  private final List<EventAggregator> rows = new ArrayList<>();

  public static final class Entry {
    public final long id;
    public final String name;

    /** Where its events are added up; null if they are not converted. */
    public final @Nullable EventAggregator rows;

    /** Where those that are converted are rows of their own too; null if they are none. */
    public final @Nullable EventAggregator whole;

    /** Whether the chunk describes the type. */
    public final boolean described;

    /** Whether single events are read again when the chunk's constants are known. */
    public final boolean remembered;

    /** Reads what its events say of others; null if they say nothing. */
    public final @Nullable ContextReader context;

    /** The fault of its description, if there is one. */
    public final @Nullable DamageException damage;

    public long count;
    public long bytes;
    public long converted;

    public Entry(
        long id,
        @Nullable TypeDescriptor type,
        @Nullable EventAggregator rows,
        @Nullable EventAggregator whole,
        @Nullable ContextReader context,
        @Nullable DamageException damage) {
      this.context = context;
      this.damage = damage;
      this.id = id;
      this.name = type == null ? "(type " + id + ")" : type.name;
      this.described = type != null;
      this.rows = rows;
      this.whole = whole;
      this.remembered = type != null && ProcessEventTypes.contain(type);
    }
  }

  /**
   * @param marked whether events are marked with the spans that they lie in
   */
  public EventTypes(
      Metadata metadata,
      boolean compressed,
      EventFilter selection,
      AllocationLogs allocations,
      Spans spans,
      boolean marked,
      Contexts contexts) {
    this.contexts = contexts;
    this.fields = marked ? contexts.fields() : List.of();
    this.metadata = metadata;
    this.compressed = compressed;
    this.selection = selection;
    this.allocations = allocations;
    this.spans = spans;
    this.marked = marked;
  }

  /** Whether these are the types of a chunk with such metadata. */
  public boolean fits(Metadata other, boolean otherCompressed) {
    return metadata == other && compressed == otherCompressed;
  }

  /** Whether events are marked with the spans and all contexts that they lie in. */
  public boolean isMarked() {
    return marked && fields.size() == contexts.fields().size();
  }

  /** The types themselves. */
  public Metadata metadata() {
    return metadata;
  }

  /** The layout of a type of the chunk, with some of its fields in the first slots. */
  public Layout layout(TypeDescriptor type, String... wanted) throws DamageException {
    return Layout.compile(metadata, type, compressed, Layout.slotsOf(wanted));
  }

  /** The entry of an event type; made at the first event of the type. */
  public Entry entry(long id) {
    if (id >= 0 && id < DIRECT) {
      Entry known = direct[(int) id];
      if (known == null) {
        known = define(id);
        direct[(int) id] = known;
      }
      return known;
    }
    int known = others.get(id);
    if (known < 0) {
      Entry made = define(id);
      known = others.intern(id);
      otherEntries.add(made);
    }
    return otherEntries.get(known);
  }

  /** Notes an event of a type. */
  public void count(Entry entry, int size) {
    if (entry.count == 0) {
      met.add(entry);
      if (entry.rows != null) {
        rows.add(entry.rows);
      }
      if (entry.whole != null) {
        rows.add(entry.whole);
      }
    }
    entry.count++;
    entry.bytes += size;
  }

  /** All event types that have been met in the chunk. */
  public List<Entry> entries() {
    return met;
  }

  /** Those of them whose events are added up. */
  public List<EventAggregator> rows() {
    return rows;
  }

  /** How many numbers have been given to types that tell what is allocated. */
  public int sources() {
    return sources;
  }

  /** Forgets the events and keeps the types. */
  public void clear() {
    for (Entry entry : met) {
      entry.count = 0;
      entry.bytes = 0;
      entry.converted = 0;
      if (entry.rows != null) {
        entry.rows.clear();
      }
      if (entry.whole != null) {
        entry.whole.clear();
      }
    }
    met.clear();
    rows.clear();
  }

  /** Reports what is wrong with the types that have been met, and with their events. */
  public void report(ChunkHeader chunkHeader, DamageListener report) {
    for (Entry entry : entries()) {
      if (entry.damage != null) {
        report.damaged(entry.damage);
      }
    }
    for (Entry entry : entries()) {
      EventAggregator each = entry.rows;
      if (each != null && each.broken > 0) {
        report.damaged(
            new DamageException(
                chunkHeader.offset,
                each.kind.event()
                    + ": "
                    + Amounts.counted(
                        each.broken,
                        "event is shorter than its fields",
                        "events are shorter than their fields")));
      }
    }
    long strange = 0;
    for (Entry entry : entries()) {
      strange += entry.described ? 0 : entry.count;
    }
    if (strange > 0) {
      report.damaged(
          new DamageException(
              chunkHeader.offset,
              Amounts.counted(strange, "event is of a type that is", "events are of types that are")
                  + " not described"));
    }
  }

  private Entry define(long id) {
    TypeDescriptor type = null;
    EventAggregator eventRows = null;
    EventAggregator whole = null;
    ContextReader context = null;
    DamageException broken = null;
    try {
      type = metadata.type(id);
      EventKind kind = type == null ? null : selection.kind(type.name);
      EventKind other = type == null ? null : selection.whole(type, metadata);
      eventRows = type == null || kind == null ? null : bind(kind, type);
      whole = type == null || other == null ? null : bind(other, type);
      if (eventRows == null) {
        eventRows = whole;
        whole = null;
      }
      context = type == null ? null : ContextReader.of(type, metadata, compressed, contexts);
    } catch (DamageException damage) {
      broken = damage;
    }
    return new Entry(id, type, eventRows, whole, context, broken);
  }

  private EventAggregator bind(EventKind kind, TypeDescriptor type) throws DamageException {
    EventAggregator bound =
        new EventAggregator(
            kind, type, metadata, compressed, spans, marked, fields, selection.stacks());
    // Among events that form one state, the time says which are the last.
    if (selection.timestamps() || kind.isState()) {
      bound.logTimes();
    }
    EventKind.Memory memory = kind.memory();
    if (memory != null) {
      bound.log(allocations.of(memory.live(), memory.family()), sources++);
    }
    return bound;
  }
}
