package org.buftrail.jfr.rows;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of the table {@code samples}, column by column. Texts are put together when they are
 * asked for, once for all rows that have the same. Belongs to one thread.
 */
public final class SampleBatch {
  /** Rows of a batch, at most. */
  public static final int CAPACITY = 2048;

  /** Stands for a second value that is not in the recording. */
  public static final long UNKNOWN = Long.MIN_VALUE;

  private final Dictionary dictionary;
  private final StackIds stackIds;
  private final SampleContexts contexts;
  private final SampleType[] types = new SampleType[CAPACITY];
  private final @Nullable String[] events = new @Nullable String[CAPACITY];
  private final long[] ids = new long[CAPACITY];
  private final int[] stacks = new int[CAPACITY];
  private final int[] attributes = new int[CAPACITY];
  private final int[] links = new int[CAPACITY];
  private final long[] times = new long[CAPACITY];
  private final long[] values = new long[CAPACITY];
  private final long[] seconds = new long[CAPACITY];
  private int size;
  private String recording = "";
  private @Nullable String service;
  private @Nullable String host;
  private long process;

  /**
   * @param dictionary what stacks, attributes and links point into
   */
  public SampleBatch(Dictionary dictionary) {
    this.dictionary = dictionary;
    stackIds = new StackIds(dictionary);
    contexts = new SampleContexts(dictionary);
  }

  /** Begins with a recording, whose dictionary is empty or new. */
  public void begin(String file) {
    size = 0;
    recording = file;
    service = null;
    host = null;
    process = 0;
    stackIds.begin();
    contexts.clear();
  }

  /** Goes on with the recording; its dictionary has been cleared. */
  public void renew() {
    stackIds.renew();
    contexts.renew();
  }

  /**
   * Says which process the rows that follow are of. Belongs before the first of a batch.
   *
   * @param resource attributes as OpenTelemetry names them
   */
  public void describe(Map<String, Object> resource) {
    service = text(resource.get("service.name"));
    host = text(resource.get("host.name"));
    process = resource.get("process.pid") instanceof Number number ? number.longValue() : 0;
    Map<String, String> tags = new TreeMap<>();
    for (Map.Entry<String, Object> attribute : resource.entrySet()) {
      if (isTag(attribute.getKey())) {
        tags.put(attribute.getKey(), String.valueOf(attribute.getValue()));
      }
    }
    contexts.common(tags);
  }

  private static @Nullable String text(@Nullable Object value) {
    return value == null ? null : value.toString();
  }

  /** Whether an attribute of the process tells processes of one service and host apart. */
  private static boolean isTag(String key) {
    return !key.equals("service.name")
        && !key.equals("host.name")
        && !key.equals("host.arch")
        && !key.startsWith("os.")
        && !key.startsWith("process.")
        && !key.startsWith("telemetry.")
        && !key.startsWith("buftrail.");
  }

  /**
   * Adds a row; there must be room for it.
   *
   * @param event the event type, if it is known
   * @param id of the event in the recording; 0 if the row is of no single event
   * @param stack index in the table of stacks
   * @param set index in the table of attribute sets
   * @param link index in the table of links
   * @param time nanoseconds since the epoch
   * @param second passed over if the type has one value; {@link #UNKNOWN} if the recording lacks it
   */
  public void add(
      SampleType type,
      @Nullable String event,
      long id,
      int stack,
      int set,
      int link,
      long time,
      long first,
      long second) {
    types[size] = type;
    events[size] = event;
    ids[size] = id;
    stacks[size] = stack;
    attributes[size] = set;
    links[size] = link;
    times[size] = time;
    values[size] = first;
    seconds[size] = second;
    size++;
  }

  /** Forgets the rows. */
  public void clear() {
    size = 0;
  }

  /** Whether there is no room for another row. */
  public boolean isFull() {
    return size == CAPACITY;
  }

  /** Number of rows. */
  public int size() {
    return size;
  }

  /** The file, of all rows. */
  public String recording() {
    return recording;
  }

  /** The service, of all rows; null if it is not known. */
  public @Nullable String service() {
    return service;
  }

  /** The host, of all rows; null if it is not known. */
  public @Nullable String host() {
    return host;
  }

  /** The process's number, of all rows; 0 if it is not known. */
  public long process() {
    return process;
  }

  /** Name of a row's profile. */
  public String kind(int row) {
    return types[row].kind();
  }

  /** The event type; null if it is not known. */
  public @Nullable String event(int row) {
    return events[row];
  }

  /**
   * The event: rows of one recording with equal ids are of one event. 0 if the row is of no single
   * event, as what is live at the end.
   */
  public long eventId(int row) {
    return ids[row];
  }

  /** Nanoseconds since the epoch. */
  public long time(int row) {
    return times[row];
  }

  /** The first value. */
  public long value(int row) {
    return values[row];
  }

  /** The first value's unit. */
  public String unit(int row) {
    return types[row].unit();
  }

  /**
   * Whether a row is an event as a whole, and belongs to the table {@code events}: its kind is its
   * type, its second value its duration.
   */
  public boolean isOther(int row) {
    return types[row].isOther();
  }

  /** What an event as a whole says, by field. */
  public Map<String, String> fields(int row) {
    return contexts.of(attributes[row]).fields;
  }

  /** Whether there is a second value. */
  public boolean hasSecond(int row) {
    return types[row].secondUnit() != null && seconds[row] != UNKNOWN;
  }

  /** The second value. */
  public long second(int row) {
    return seconds[row];
  }

  /** The second value's unit; null if there is no second value. */
  public @Nullable String secondUnit(int row) {
    return hasSecond(row) ? types[row].secondUnit() : null;
  }

  /** Name of the thread, or its number in brackets; null if neither is known. */
  public @Nullable String thread(int row) {
    return contexts.of(attributes[row]).thread;
  }

  /** State of the thread; null if it is not known. */
  public @Nullable String state(int row) {
    return contexts.of(attributes[row]).state;
  }

  /** The span in hexadecimal digits; null if there is none. */
  public @Nullable String span(int row) {
    int link = links[row];
    return link == 0
        ? contexts.of(attributes[row]).span
        : HexFormat.of().toHexDigits(dictionary.links().span(link));
  }

  /** The trace in hexadecimal digits; null if there is none. */
  public @Nullable String trace(int row) {
    int link = links[row];
    return link == 0
        ? null
        : HexFormat.of().toHexDigits(dictionary.links().traceHigh(link))
            + HexFormat.of().toHexDigits(dictionary.links().traceLow(link));
  }

  /** Whatever else is known, by key. */
  public Map<String, String> tags(int row) {
    return contexts.of(attributes[row]).tags();
  }

  /** What the operator says of the process, by key; of all rows. */
  public Map<String, String> processTags() {
    return contexts.common();
  }

  /** The stack's id; 0 if there is none. */
  public long stackId(int row) {
    return stackIds.id(stacks[row]);
  }

  /**
   * Numbers of the frames of a row's stack, leaf first, for {@link #frame}. A frame keeps its
   * number for many rows, and no other of the recording gets it.
   */
  public int[] frameNumbers(int row) {
    return stackIds.numbers(stacks[row]);
  }

  /** The frame of a number that a row at hand has. */
  public StackFrame frame(int number) {
    return stackIds.frame(number);
  }

  /** The frames of a row's stack, leaf first. */
  public List<StackFrame> frames(int row) {
    return stackIds.frames(stacks[row]);
  }
}
