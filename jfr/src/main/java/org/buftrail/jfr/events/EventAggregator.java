package org.buftrail.jfr.events;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.buftrail.jfr.constants.ChunkTexts;
import org.buftrail.jfr.constants.Constants;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Value;
import org.buftrail.jfr.schema.Layout;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.TypeDescriptor;
import org.buftrail.jfr.table.RowTable;
import org.jspecify.annotations.Nullable;

/**
 * The events of one type in one chunk, added up by the keys that they hold. What the keys stand for
 * is looked up once for each row, when the chunk's constants have been read.
 *
 * <p>Slots are the key columns, then the other fields that a value or a time is computed from.
 */
public final class EventAggregator {
  public static final int STACK = 0;
  public static final int THREAD = 1;
  public static final int FIRST_ATTRIBUTE = 2;

  public final EventKind kind;
  public final List<Column> columns = new ArrayList<>();
  public final ValueExtractor[] measures;
  public final EventKind.Target[] targets;

  /** How many of the columns are attributes. */
  public final int attributes;

  public final RowTable rows;

  /**
   * What rows have beside their stack: whether it was cut off, then the thread and the attributes.
   * The values are the resolver's.
   */
  public final RowTable contexts;

  /** Room for a key of {@link #contexts}. */
  public final long[] context;

  /** The column of a span's id, behind which the halves of its trace's follow. */
  public final @Nullable Place link;

  /** The column of the method that goes on top of the stack. */
  public final @Nullable Place leaf;

  private final KnownKeys known;
  private final long[] slots;
  private final int[] stringColumns;
  private final int startSlot;
  private final @Nullable Place condition;
  private final Spans spans;
  private final @Nullable MarkSlots mark;
  private final @Nullable MemorySlots memory;
  private @Nullable AllocationLog allocations;
  private int source;
  private final boolean isFree;

  /** The column of the tag of the span that an event lies in. */
  private final @Nullable Place spanTag;

  /** The columns that the elements of {@link #context} are of, but for the first. */
  private final int[] contextColumns;

  /** Where what other events say of an event goes, and how they say it. */
  private final List<Contexts.Field> contextFields;

  private final int firstContext;

  /** The column of the trace's id that another event says, as a text, and of the span's. */
  public final @Nullable Link contextLink;

  /** Two columns that are the texts of a trace's id and a span's. */
  public record Link(int trace, int span) {}

  private final boolean addsUp;
  private final List<String> fields = new ArrayList<>();
  private @Nullable TimeLog times;

  /** Earliest and latest start of an event of the chunk that has a row, in ticks. */
  public long earliest = Long.MAX_VALUE;

  public long latest = Long.MIN_VALUE;

  /** How many events of the chunk are shorter than their fields. */
  public long broken;

  /** How many events of the chunk allocate memory and do not say where. */
  public long withoutAddress;

  /** Where among columns or slots something is that not all types of events have. */
  public record Place(int index) {}

  /** Where an event says which memory it allocates or frees. */
  private record MemorySlots(int address, int size) {}

  /** Where an event that marks a stretch of time says how long that is, and its tag. */
  private record MarkSlots(int duration, int tag, Column column) {}

  /**
   * Prepares for the events of a type.
   *
   * @param spans where stretches of time are collected
   * @param marked whether events are marked with the stretches that they lie in
   * @param saying what other events say of these; empty if they are not marked
   * @param stacks whether events keep their stack traces
   */
  public EventAggregator(
      EventKind kind,
      TypeDescriptor event,
      Metadata metadata,
      boolean compressed,
      Spans spans,
      boolean marked,
      List<Contexts.Field> saying,
      boolean stacks)
      throws DamageException {
    this.kind = kind;
    this.spans = spans;
    columns.add(stacks ? Column.of("stackTrace", "", event, metadata) : Column.absent());
    columns.add(Column.of(threadField(kind, event), "", event, metadata));
    for (Map.Entry<String, String> attribute : kind.attributes().entrySet()) {
      columns.add(Column.of(attribute.getKey(), attribute.getValue(), event, metadata));
    }
    columns.addAll(Column.spanAttributes(event, metadata));
    attributes = columns.size() - FIRST_ATTRIBUTE;
    String frame = kind.frameField();
    if (frame != null) {
      columns.add(Column.of(frame, "", event, metadata));
    }
    List<Column> ids = Column.spanLink(event, metadata);
    link = ids.isEmpty() ? null : new Place(columns.size());
    columns.addAll(ids);
    leaf = leafPlace();
    stringColumns = strings();
    boolean isMarked = marked && !kind.marks() && columns.get(THREAD).type == Column.Type.THREAD;
    spanTag = isMarked ? new Place(columns.size()) : null;
    contextFields = isMarked ? saying : List.of();
    firstContext = columns.size() + 1;
    contextLink = contextLink();
    contextColumns = contextColumns();
    if (isMarked) {
      columns.add(Column.spanTag());
    }
    for (Contexts.Field context : contextFields) {
      columns.add(new Column("", context.key(), Column.Type.STRING, ""));
    }
    // An event that only ends an allocation counts by its address and time alone.
    isFree = kind.memory() != null && kind.memory().isFreed();
    for (Column column : columns) {
      fields.add(isFree || column.type == Column.Type.ABSENT ? "" : column.field);
    }
    List<EventKind.Target> bound = new ArrayList<>();
    measures = bind(event, metadata, bound);
    targets = bound.toArray(new EventKind.Target[0]);
    addsUp = !kind.isGauge() && !hasFractions();
    startSlot = slotOf("startTime");
    EventKind.Memory said = kind.memory();
    memory = said == null ? null : new MemorySlots(slotOf("address"), slotOf(said.size()));
    mark = kind.marks() ? markSlots(Column.of(String.valueOf(frame), "", event, metadata)) : null;
    String flag = kind.condition();
    condition = flag == null || event.field(flag) == null ? null : new Place(slotOf(flag));
    Layout layout = Layout.compile(metadata, event, compressed, Layout.slotsOf(fields));
    known = new KnownKeys(layout, columns.size(), !isMarked && mark == null && hasOwnSlots());
    slots = new long[fields.size()];
    rows = new RowTable(columns.size(), measures.length + 1);
    context = new long[contextColumns.length];
    contexts = new RowTable(context.length, 2);
  }

  /** Some writers name the thread as another event does. */
  private static String threadField(EventKind kind, TypeDescriptor event) {
    String declared = kind.thread();
    if (declared == null || event.field(declared) != null) {
      return declared == null ? "" : declared;
    }
    return declared.equals("sampledThread") ? "eventThread" : "sampledThread";
  }

  /**
   * Binds the values of all targets that the event type has what they need for.
   *
   * @param bound is given these targets
   */
  private ValueExtractor[] bind(
      TypeDescriptor event, Metadata metadata, List<EventKind.Target> bound) {
    List<ValueExtractor> found = new ArrayList<>();
    for (EventKind.Target target : kind.targets()) {
      ValueExtractor first = bind(target.first(), event, metadata);
      if (first == null) {
        continue;
      }
      bound.add(target);
      found.add(first);
      Value second = target.second();
      if (second != null) {
        found.add(ValueExtractor.bind(second, event, metadata, fields));
      }
    }
    return found.toArray(new ValueExtractor[0]);
  }

  private @Nullable ValueExtractor bind(Value value, TypeDescriptor event, Metadata metadata) {
    return value.isNamed()
        ? NamedValueExtractor.bind(value, event, metadata, fields)
        : ValueExtractor.bind(value, event, metadata, fields);
  }

  /** Whether nothing is computed from what is a key too. */
  private boolean hasOwnSlots() {
    int keys = columns.size();
    boolean isOwn = condition == null || condition.index >= keys;
    if (memory != null) {
      isOwn &= memory.address >= keys && memory.size >= keys;
    }
    for (ValueExtractor measure : measures) {
      isOwn &= !measure.reads(keys);
    }
    return isOwn && startSlot >= keys;
  }

  private boolean hasFractions() {
    for (ValueExtractor measure : measures) {
      if (measure.hasFractions()) {
        return true;
      }
    }
    return false;
  }

  private @Nullable Place leafPlace() {
    if (kind.frame().from() == EventKind.Frame.From.LEAF) {
      for (int i = FIRST_ATTRIBUTE; i < columns.size(); i++) {
        Column column = columns.get(i);
        if (column.field.equals(kind.frame().name()) && column.type == Column.Type.METHOD) {
          return new Place(i);
        }
      }
    }
    return null;
  }

  private int[] contextColumns() {
    int own = FIRST_ATTRIBUTE + attributes;
    int[] found = new int[own + (spanTag == null ? 0 : 1) + contextFields.size()];
    for (int i = 0; i < own; i++) {
      found[i] = i;
    }
    int count = own;
    if (spanTag != null) {
      found[count++] = spanTag.index;
    }
    Link link = contextLink;
    for (int i = 0; i < contextFields.size(); i++) {
      int column = firstContext + i;
      if (link == null || (column != link.trace && column != link.span)) {
        found[count++] = column;
      }
    }
    return Arrays.copyOf(found, count);
  }

  private @Nullable Link contextLink() {
    for (int trace = 0; trace < contextFields.size(); trace++) {
      for (int span = 0; span < contextFields.size(); span++) {
        Contexts.Field first = contextFields.get(trace);
        Contexts.Field second = contextFields.get(span);
        if (first.event().equals(second.event())
            && first.name().equals(ContextReader.TRACE)
            && second.name().equals(ContextReader.SPAN)) {
          return new Link(firstContext + trace, firstContext + span);
        }
      }
    }
    return null;
  }

  private MarkSlots markSlots(Column tag) {
    return new MarkSlots(slotOf("duration"), slotOf(tag.field), tag);
  }

  private int slotOf(String field) {
    return Layout.slotOf(field, fields);
  }

  private int[] strings() {
    int[] found = new int[columns.size()];
    int count = 0;
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).type == Column.Type.STRING) {
        found[count++] = i;
      }
    }
    return Arrays.copyOf(found, count);
  }

  /** The column that an element of {@link #context} is of, but for the first. */
  public int contextColumn(int element) {
    return contextColumns[element];
  }

  /** Whether the events may have stack traces. */
  public boolean hasStacks() {
    return columns.get(STACK).type == Column.Type.STACK;
  }

  /** Keeps the time and the values of every event from now on. */
  public void logTimes() {
    times = new TimeLog(measures.length);
  }

  /**
   * Tells which memory is allocated and freed from now on.
   *
   * @param number tells these rows from those of other types that tell the same
   */
  public void log(AllocationLog log, int number) {
    allocations = log;
    source = number;
  }

  /** The number that {@link #log} gave. */
  public int source() {
    return source;
  }

  /** The receiver of allocations and frees, if there is one. */
  public @Nullable AllocationLog allocations() {
    return allocations;
  }

  /** The times and values of single events, or null if they are only added up. */
  public @Nullable TimeLog times() {
    return times;
  }

  /**
   * Adds the event whose fields begin at the buffer's position.
   *
   * @param end position in the buffer behind the event
   * @return whether it was added: not if it is outside the time range, or broken
   */
  public boolean add(
      RecordingBuffer buffer, int end, ChunkTexts texts, TimeRange range, ChunkHeader header) {
    int row = known.read(buffer, slots);
    if (buffer.position > end) {
      broken++;
      return false;
    }
    long start = slots[startSlot];
    if (mark != null) {
      spans.add(slots[THREAD], start, slots[mark.duration], tag(mark, buffer, texts));
    }
    if (condition != null && slots[condition.index] == 0) {
      return false;
    }
    boolean isOutside = !range.isAll() && !range.contains(header.nanos(start));
    if (isOutside || isFree) {
      // Whatever it is, what was allocated there before is no longer live.
      if (allocations != null && memory != null) {
        allocations.freed(slots[memory.address], start);
      }
      return !isOutside;
    }
    earliest = Math.min(earliest, start);
    latest = Math.max(latest, start);
    if (row == KnownKeys.UNKNOWN) {
      row = row(buffer, texts, start);
    }
    rows.increment(row, measures.length);
    // Netty's pooled allocator records before it knows the address.
    if (allocations != null && memory != null) {
      if (slots[memory.address] != 0) {
        allocations.allocated(slots[memory.address], start, slots[memory.size], source, row);
      } else {
        withoutAddress++;
      }
    }
    TimeLog events = times;
    if (events != null) {
      events.add(row, start, buffer.offset() + end - buffer.position);
    }
    for (int i = 0; i < measures.length; i++) {
      long amount = measures[i].amount(slots);
      if (addsUp) {
        rows.add(row, i, amount);
      } else {
        combine(row, i, amount);
      }
      if (events != null) {
        events.value(i, amount);
      }
    }
    return true;
  }

  /** The row of the event whose keys have been read. */
  private int row(RecordingBuffer buffer, ChunkTexts texts, long start) {
    for (int column : stringColumns) {
      slots[column] = texts.intern(buffer, slots[column]);
    }
    if (spanTag != null) {
      slots[spanTag.index] = spans.tagAt(slots[THREAD], start);
    }
    for (int i = 0; i < contextFields.size(); i++) {
      slots[firstContext + i] = contextFields.get(i).values().tagAt(slots[THREAD], start);
    }
    int row = rows.row(slots);
    known.remember(row);
    return row;
  }

  private void combine(int row, int measure, long amount) {
    boolean replaces = kind.isGauge();
    long sum = replaces ? amount : measures[measure].sum(rows.value(row, measure), amount);
    rows.set(row, measure, sum);
  }

  /** The tag of the span that has been read, as a number of the chunk's texts; 0 for none. */
  private long tag(MarkSlots span, RecordingBuffer buffer, ChunkTexts texts) {
    long tag = slots[span.tag];
    return switch (span.column.type) {
      case STRING -> texts.intern(buffer, tag);
      case TEXT -> span.column.pool.equals(Constants.STRING) ? ChunkTexts.ofConstant(tag) : 0;
      default -> 0;
    };
  }

  /** How many events there are. */
  public long count() {
    long count = 0;
    for (int row = 0; row < rows.size(); row++) {
      count += events(row);
    }
    return count;
  }

  /** How many events a row is of. */
  public long events(int row) {
    return rows.value(row, measures.length);
  }

  /** Forgets the chunk's events and keeps the memory. */
  public void clear() {
    rows.clear();
    known.clear();
    contexts.clear();
    for (ValueExtractor measure : measures) {
      measure.clear();
    }
    broken = 0;
    withoutAddress = 0;
    earliest = Long.MAX_VALUE;
    latest = Long.MIN_VALUE;
    TimeLog log = times;
    if (log != null) {
      log.clear();
    }
  }
}
