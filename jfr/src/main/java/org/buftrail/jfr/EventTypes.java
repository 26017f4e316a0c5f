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
  private final List<EventRows> rows = new ArrayList<>();
  private final List<DamageException> damages = new ArrayList<>();

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

    long count;
    long bytes;
    long converted;

    Entry(long id, @Nullable TypeDescriptor type, @Nullable EventRows rows) {
      this.id = id;
      this.name = type == null ? "(type " + id + ")" : type.name;
      this.described = type != null;
      this.rows = rows;
      this.remembered = type != null && OriginEvents.tells(type);
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

  /** Types of which the description is broken. */
  List<DamageException> damages() {
    return damages;
  }

  /** All event types that have been met. */
  List<Entry> entries() {
    return entries;
  }

  /** All types whose events are added up. */
  List<EventRows> rows() {
    return rows;
  }

  /** Forgets the events and keeps the types. */
  void clear() {
    for (Entry entry : entries) {
      entry.count = 0;
      entry.bytes = 0;
      entry.converted = 0;
    }
    for (EventRows eventRows : rows) {
      eventRows.clear();
    }
  }

  private @Nullable EventRows bind(EventKind kind, TypeDescriptor type) {
    try {
      return new EventRows(kind, type, metadata, compressed, spans, marked);
    } catch (DamageException damage) {
      damages.add(damage);
      return null;
    }
  }

  private @Nullable TypeDescriptor type(long id) {
    try {
      return metadata.type(id);
    } catch (DamageException damage) {
      damages.add(damage);
      return null;
    }
  }

  private Entry define(long id) {
    TypeDescriptor type = type(id);
    EventKind kind = type == null ? null : selection.kind(type.name);
    EventRows eventRows = null;
    if (type != null && kind != null) {
      eventRows = bind(kind, type);
    }
    if (kind != null && eventRows != null) {
      // Of events that are one state together, the time says which are the last.
      if (selection.timestamps() || kind.isNewest()) {
        eventRows.logTimes();
      }
      ProfileType live = kind.live();
      if (live != null) {
        eventRows.log(allocations.of(live, kind.family()), rows.size());
      }
      rows.add(eventRows);
    }
    Entry entry = new Entry(id, type, eventRows);
    entries.add(entry);
    return entry;
  }
}
