package org.buftrail.jfr;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.ProfileType;
import org.jspecify.annotations.Nullable;

/** The event types of one chunk by id, with what is to be done with the events of each. */
final class EventTypes {
  private static final int DIRECT = 4096;

  private final Metadata metadata;
  private final boolean compressed;
  private final Selection selection;
  private final AllocationLogs allocations;
  private final Spans spans;
  private final boolean marked;
  private final @Nullable Entry[] direct = new @Nullable Entry[DIRECT];
  private final LongIntMap others = new LongIntMap(64);
  private final List<Entry> entries = new ArrayList<>();
  private int sources;

  // Of the chunk at hand, in the order in which they were met.
  private final List<Entry> met = new ArrayList<>();
  private final List<EventRows> rows = new ArrayList<>();

  /** One event type. */
  static final class Entry {
    final long id;
    final String name;

    /** Where its events are added up; null if they are not converted. */
    final @Nullable EventRows rows;

    /** Whether the chunk describes the type. */
    final boolean described;

    /** Whether single events are read again when the chunk's constants are known. */
    final boolean remembered;

    /** What is wrong with its description, if anything is. */
    final @Nullable DamageException damage;

    long count;
    long bytes;
    long converted;

    Entry(
        long id,
        @Nullable TypeDescriptor type,
        @Nullable EventRows rows,
        @Nullable DamageException damage) {
      this.damage = damage;
      this.id = id;
      this.name = type == null ? "(type " + id + ")" : type.name;
      this.described = type != null;
      this.rows = rows;
      this.remembered = type != null && OriginTypes.contain(type);
    }
  }

  /**
   * @param marked whether events are marked with the spans that they lie in
   */
  EventTypes(
      Metadata metadata,
      boolean compressed,
      Selection selection,
      AllocationLogs allocations,
      Spans spans,
      boolean marked) {
    this.metadata = metadata;
    this.compressed = compressed;
    this.selection = selection;
    this.allocations = allocations;
    this.spans = spans;
    this.marked = marked;
  }

  /** Whether these are the types of a chunk with such metadata. */
  boolean fits(Metadata other, boolean otherCompressed) {
    return metadata == other && compressed == otherCompressed;
  }

  /** Whether events are marked with the spans that they lie in. */
  boolean isMarked() {
    return marked;
  }

  /** The types themselves. */
  Metadata metadata() {
    return metadata;
  }

  /** The layout of a type of the chunk, with some of its fields in the first slots. */
  Layout layout(TypeDescriptor type, String... wanted) throws DamageException {
    return Layout.compile(metadata, type, compressed, Layout.slotsOf(wanted));
  }

  /** The entry of an event type; made at the first event of the type. */
  Entry entry(long id) {
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
      known = entries.size();
      define(id);
      others.put(id, known);
    }
    return entries.get(known);
  }

  /** Notes an event of a type. */
  void count(Entry entry, int size) {
    if (entry.count == 0) {
      met.add(entry);
      if (entry.rows != null) {
        rows.add(entry.rows);
      }
    }
    entry.count++;
    entry.bytes += size;
  }

  /** All event types that have been met in the chunk. */
  List<Entry> entries() {
    return met;
  }

  /** Those of them whose events are added up. */
  List<EventRows> rows() {
    return rows;
  }

  /** How many numbers have been given to types that tell what is allocated. */
  int sources() {
    return sources;
  }

  /** Forgets the events and keeps the types. */
  void clear() {
    for (Entry entry : met) {
      entry.count = 0;
      entry.bytes = 0;
      entry.converted = 0;
      if (entry.rows != null) {
        entry.rows.clear();
      }
    }
    met.clear();
    rows.clear();
  }

  private Entry define(long id) {
    TypeDescriptor type = null;
    EventRows eventRows = null;
    DamageException broken = null;
    try {
      type = metadata.type(id);
      EventKind kind = type == null ? null : selection.kind(type.name);
      eventRows = type == null || kind == null ? null : bind(kind, type);
    } catch (DamageException damage) {
      broken = damage;
    }
    Entry entry = new Entry(id, type, eventRows, broken);
    entries.add(entry);
    return entry;
  }

  private EventRows bind(EventKind kind, TypeDescriptor type) throws DamageException {
    EventRows bound = new EventRows(kind, type, metadata, compressed, spans, marked);
    // Of events that are one state together, the time says which are the last.
    if (selection.timestamps() || kind.isNewest()) {
      bound.logTimes();
    }
    ProfileType live = kind.live();
    if (live != null) {
      bound.log(allocations.of(live, kind.family()), sources++);
    }
    return bound;
  }
}
