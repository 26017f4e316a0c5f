package org.buftrail.jfr.samples;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;
import org.buftrail.jfr.chunk.ChunkResult;
import org.buftrail.jfr.constants.Constants;
import org.buftrail.jfr.events.AttributeKeys;
import org.buftrail.jfr.events.Column;
import org.buftrail.jfr.events.EventAggregator;
import org.buftrail.jfr.events.TimeLog;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.jfr.table.LongIntMap;
import org.buftrail.jfr.table.RowTable;
import org.buftrail.profile.Kind;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;

/**
 * Turns the rows of a chunk into samples: keys of constants into stacks, attribute sets and links
 * of the dictionary.
 */
public final class SampleResolver {
  private static final String STATE = "state";

  /** Hexadecimal digits of a span's id, and half of those of a trace's. */
  private static final int ID = 16;

  private static final String RUNNING = "STATE_DEFAULT";

  /** Stack, attribute set, link, and whether async-profiler saw the thread off the processor. */
  public static final int IDENTITY = 4;

  // Values of EventAggregator.contexts.
  private static final int ATTRIBUTES = 0;
  private static final int OFF_CPU = 1;

  private final Dictionary dictionary;
  private final SymbolResolver names;
  private final StackTraces stackTraces;
  private final Map<ProfileType, ProfileBuilder> sums;
  private Constants constants = new Constants();
  private int running;
  private int truncated;
  private final PathStacks paths;
  private final int[] single = new int[1];
  private int[] identities = new int[IDENTITY * 64];
  private int[] members = new int[16];
  private int memberCount;
  private @Nullable StackFilter filter;
  private boolean threadFrames;
  private @Nullable ProfileType counted;
  private boolean onCpuOnly;
  private long missingStacks;
  private long namedStacks;
  private @Nullable ChunkHeader chunkHeader;

  /**
   * @param sums the samples of those profile types that are wanted
   */
  public SampleResolver(
      Dictionary dictionary,
      SymbolResolver names,
      StackTraces stackTraces,
      Map<ProfileType, ProfileBuilder> sums) {
    this.dictionary = dictionary;
    this.names = names;
    this.stackTraces = stackTraces;
    this.sums = sums;
    this.paths = new PathStacks(dictionary);
    clear();
  }

  /** How many of the events that were added last name a stack trace that the chunk lacks. */
  public long missingStacks() {
    return missingStacks;
  }

  /** How many of the events that were added last name a stack trace. */
  public long namedStacks() {
    return namedStacks;
  }

  /** Changes stacks, and leaves samples out, as options say. */
  public void filter(boolean threads, @Nullable Pattern include, @Nullable Pattern exclude) {
    threadFrames = threads;
    if (include != null || exclude != null) {
      filter = new StackFilter(dictionary, include, exclude);
    }
  }

  /**
   * Says what async-profiler's samples of execution count from now on.
   *
   * @param type where they go; null if they are of time
   */
  public void count(@Nullable ProfileType type) {
    counted = type;
  }

  /** Says whether async-profiler samples only threads on a processor from now on. */
  public void onCpuOnly(boolean only) {
    onCpuOnly = only;
  }

  /** Whether samples of a stack are wanted. */
  public boolean accepts(int wanted) {
    StackFilter stacks = filter;
    return stacks == null || stacks.accepts(wanted);
  }

  /** Begins with an empty dictionary. */
  public void clear() {
    paths.clear();
    running = dictionary.strings().intern(RUNNING);
    truncated = dictionary.attributes().intern(AttributeKeys.TRUNCATED, true);
  }

  /** Begins with the next chunk. */
  public void begin(ChunkResult chunk) {
    constants = chunk.constants;
  }

  /** Adds the rows of one event type to the samples. */
  public void add(EventAggregator rows, ChunkHeader header) {
    chunkHeader = header;
    missingStacks = 0;
    namedStacks = 0;
    int count = rows.rows.size();
    if (identities.length < IDENTITY * count) {
      identities = new int[Math.multiplyExact(IDENTITY, count + count / 2)];
    }
    label(rows);
    for (int row = 0; row < count; row++) {
      identify(rows, row, IDENTITY * row);
    }
    TimeLog times = rows.times();
    long time = rows.earliest == Long.MAX_VALUE ? header.startNanos : header.nanos(rows.latest);
    if (times == null) {
      for (int row = 0; row < count; row++) {
        put(rows, header, row, -1, time);
      }
    } else {
      for (int event = 0; event < times.size(); event++) {
        put(rows, header, times.row(event), event, header.nanos(times.ticks(event)));
      }
    }
  }

  /** Stack, attribute set, link and one more int for each of the rows that were added last. */
  public int[] identities(int rows) {
    return Arrays.copyOf(identities, IDENTITY * rows);
  }

  private void label(EventAggregator rows) {
    int measure = 0;
    for (EventKind.Target target : rows.targets) {
      boolean paired = target.second() != null;
      ProfileBuilder profile = sums.get(target.profile());
      if (profile != null) {
        profile.unit(rows.measures[measure].label());
        if (paired) {
          profile.second(!rows.measures[measure + 1].isMissing());
        }
      }
      measure += paired ? 2 : 1;
    }
  }

  /** Adds a row's sums, or one of its events, to the profiles that it goes to. */
  private void put(EventAggregator rows, ChunkHeader header, int row, int event, long time) {
    int at = IDENTITY * row;
    if (!accepts(identities[at])) {
      return;
    }
    boolean offCpu = identities[at + 3] != 0;
    int measure = 0;
    for (EventKind.Target target : rows.targets) {
      ProfileBuilder profile = sums.get(profile(rows.kind, target, offCpu));
      boolean paired = target.second() != null;
      if (profile != null) {
        long first = value(rows, header, row, event, measure);
        long second = paired ? value(rows, header, row, event, measure + 1) : 0;
        TimeLog times = rows.times();
        long place = event < 0 || times == null ? 0 : times.place(event);
        if (rows.kind.isGauge()) {
          if (rows.kind.isState()) {
            profile.last().onlyNewest();
          }
          profile
              .last()
              .put(identities[at], identities[at + 1], identities[at + 2], time, first, second);
        } else {
          profile.put(
              identities[at], identities[at + 1], identities[at + 2], time, first, second, place);
        }
      }
      measure += paired ? 2 : 1;
    }
  }

  private static long value(
      EventAggregator rows, ChunkHeader header, int row, int event, int measure) {
    TimeLog times = rows.times();
    long amount =
        event < 0 || times == null ? rows.rows.value(row, measure) : times.value(event, measure);
    return rows.measures[measure].convert(amount, header);
  }

  private ProfileType profile(EventKind kind, EventKind.Target target, boolean offCpu) {
    ProfileType wall = kind.offCpu();
    if (wall == null || target.profile().kind() == Kind.EVENT) {
      return target.profile();
    }
    ProfileType other = offCpu ? wall : counted;
    return other == null ? target.profile() : other;
  }

  /** Puts together what tells the samples of a row from others, from a place on. */
  private void identify(EventAggregator rows, int row, int at) {
    int trace = stackTrace(rows, row);
    int stack = trace == 0 ? 0 : StackTraces.stack(trace);
    if (rows.leaf != null) {
      stack = withLeaf(stack, rows.rows.key(row, rows.leaf.index()));
    }
    int context = context(rows, row, StackTraces.isTruncated(trace));
    stack = stackOfFrame(rows, row, stack);
    identities[at + 1] = (int) rows.contexts.value(context, ATTRIBUTES);
    identities[at + 2] = link(rows, row);
    identities[at + 3] = (int) rows.contexts.value(context, OFF_CPU);
    identities[at] =
        threadFrames ? withThread(stack, rows.rows.key(row, EventAggregator.THREAD)) : stack;
  }

  /** What the stack trace of a row was resolved to; 0 if it has none. */
  private int stackTrace(EventAggregator rows, int row) {
    long key = rows.rows.key(row, EventAggregator.STACK);
    if (key == 0) {
      return 0;
    }
    int index = constants.stacks.indexOf(key);
    int resolved = index < 0 ? 0 : constants.stacks.resolved(index);
    long events = rows.events(row);
    namedStacks += events;
    missingStacks += resolved == 0 ? events : 0;
    return resolved;
  }

  private int link(EventAggregator rows, int row) {
    int own = rows.link == null ? 0 : link(rows.rows, row, rows.link.index());
    if (own != 0) {
      return own;
    }
    EventAggregator.Link context = rows.contextLink;
    if (context == null || rows.rows.key(row, context.trace()) == 0) {
      return 0;
    }
    String trace = dictionary.strings().get(names.text(rows.rows.key(row, context.trace())));
    String span = dictionary.strings().get(names.text(rows.rows.key(row, context.span())));
    if (trace.length() != 2 * ID || span.length() != ID) {
      return 0;
    }
    try {
      long high = HexFormat.fromHexDigitsToLong(trace, 0, ID);
      long low = HexFormat.fromHexDigitsToLong(trace, ID, 2 * ID);
      return dictionary.links().intern(high, low, HexFormat.fromHexDigitsToLong(span));
    } catch (IllegalArgumentException e) {
      return 0;
    }
  }

  private int link(RowTable rows, int row, int column) {
    long span = rows.key(row, column);
    long high = rows.key(row, column + 1);
    long low = rows.key(row, column + 2);
    return span == 0 || (high | low) == 0 ? 0 : dictionary.links().intern(high, low, span);
  }

  /** The context of a row; defined once for all rows that have the same. */
  private int context(EventAggregator rows, int row, boolean cut) {
    RowTable contexts = rows.contexts;
    long[] key = rows.context;
    key[0] = cut ? 1 : 0;
    for (int i = EventAggregator.THREAD; i < key.length; i++) {
      key[i] = rows.rows.key(row, rows.contextColumn(i));
    }
    int before = contexts.size();
    int context = contexts.row(key);
    if (context == before) {
      contexts.set(context, ATTRIBUTES, attributes(rows, key));
      contexts.set(context, OFF_CPU, isOffCpu(rows, key) ? 1 : 0);
    }
    return context;
  }

  private int attributes(EventAggregator rows, long[] key) {
    memberCount = 0;
    if (key[0] != 0) {
      addMember(truncated);
    }
    addThread(key[EventAggregator.THREAD], rows.columns.get(EventAggregator.THREAD).type);
    for (int i = EventAggregator.FIRST_ATTRIBUTE; i < key.length; i++) {
      addAttribute(rows.columns.get(rows.contextColumn(i)), key[i]);
    }
    return dictionary.attributeSets().intern(members, 0, memberCount);
  }

  /** Whether async-profiler says that the thread was in another state than running. */
  private boolean isOffCpu(EventAggregator rows, long[] key) {
    if (rows.kind.offCpu() == null || onCpuOnly || !stackTraces.isAsyncProfiler()) {
      return false;
    }
    for (int i = EventAggregator.FIRST_ATTRIBUTE; i < key.length; i++) {
      Column column = rows.columns.get(rows.contextColumn(i));
      if (column.field.equals(STATE) && column.isText() && text(column, key[i]) != running) {
        return true;
      }
    }
    return false;
  }

  private void addThread(long key, Column.Type type) {
    int index = type == Column.Type.THREAD ? constants.threads.indexOf(key) : LongIntMap.NONE;
    int set = index < 0 ? 0 : constants.threads.resolved(index);
    if (set != 0) {
      for (int i = 0; i < dictionary.attributeSets().length(set); i++) {
        addMember(dictionary.attributeSets().attribute(set, i));
      }
    }
  }

  /** A stack with the method on top of it that the stack trace begins below. */
  private int withLeaf(int stack, long method) {
    if (method == 0) {
      return stack;
    }
    int depth = dictionary.stacks().depth(stack);
    int[] frames = new int[depth + 1];
    dictionary.stacks().copy(stack, frames);
    System.arraycopy(frames, 0, frames, 1, depth);
    int function = names.function(constants.methods.indexOf(method));
    frames[0] = location(function);
    return dictionary.stacks().intern(frames, 0, depth + 1);
  }

  private int location(int function) {
    return dictionary.locations().intern(function, 0, dictionary.frameType("jvm"));
  }

  private int withThread(int stack, long threadKey) {
    int index = constants.threads.indexOf(threadKey);
    if (index < 0 || constants.threads.resolved(index) == 0) {
      return stack;
    }
    String name = threadName(threadKey);
    int depth = dictionary.stacks().depth(stack);
    int[] frames = new int[depth + 1];
    dictionary.stacks().copy(stack, frames);
    int function = dictionary.functions().intern(threadFrame(name, threadKey));
    frames[depth] = location(function);
    return dictionary.stacks().intern(frames, 0, depth + 1);
  }

  /** The name of a thread; empty if it has none. */
  private String threadName(long key) {
    int index = constants.threads.indexOf(key);
    int set = index < 0 ? 0 : constants.threads.resolved(index);
    String name = "";
    for (int i = 0; i < dictionary.attributeSets().length(set); i++) {
      int attribute = dictionary.attributeSets().attribute(set, i);
      boolean isId =
          dictionary.attributes().key(attribute)
              == dictionary.strings().intern(AttributeKeys.THREAD_ID);
      name = isId ? name : dictionary.attributes().text(attribute);
    }
    return name;
  }

  /** As {@code jfrconv} has it: the number is the recording's own, not Java's. */
  private static String threadFrame(String name, long key) {
    if (name.isEmpty()) {
      return "[tid=" + key + "]";
    }
    return name.startsWith("[tid=") ? name : "[" + name + " tid=" + key + "]";
  }

  private void addAttribute(Column column, long value) {
    switch (column.type) {
      case NUMBER -> addMember(dictionary.attributes().intern(column.key, value, ""));
      case REAL ->
          addMember(dictionary.attributes().intern(column.key, Double.longBitsToDouble(value), ""));
      case TICKS -> {
        long nanos = chunkHeader == null ? value : chunkHeader.span(value);
        addMember(dictionary.attributes().intern(column.key, nanos, ""));
      }
      case OPTIONAL_NUMBER -> {
        if (value != 0) {
          addMember(dictionary.attributes().intern(column.key, value, ""));
        }
      }
      case ID -> {
        if (value != 0) {
          String digits = HexFormat.of().toHexDigits(value);
          addMember(dictionary.attributes().intern(column.key, digits));
        }
      }
      case BOOLEAN -> addMember(dictionary.attributes().intern(column.key, value != 0));
      case THREAD -> {
        String name = threadName(value);
        if (!name.isEmpty()) {
          addMember(dictionary.attributes().intern(column.key, name));
        }
      }
      default -> {
        int text = text(column, value);
        if (text != 0) {
          int key = dictionary.strings().intern(column.key);
          addMember(dictionary.attributes().internString(key, text));
        }
      }
    }
  }

  /** The stack of a row whose frames are not those of its stack trace; else the one given. */
  private int stackOfFrame(EventAggregator rows, int row, int stack) {
    if (rows.kind.frameField() != null) {
      int next = EventAggregator.FIRST_ATTRIBUTE + rows.attributes;
      return stackOf(rows.columns.get(next), rows.rows.key(row, next), rows.kind);
    } else if (rows.kind.frame().from() == EventKind.Frame.From.NAME && !rows.hasStacks()) {
      return stackOf(dictionary.functions().intern(rows.kind.frame().name()));
    }
    return stack;
  }

  private int stackOf(Column column, long value, EventKind kind) {
    if (kind.frame().from() == EventKind.Frame.From.PATH) {
      return paths.stack(text(column, value));
    }
    return stackOf(
        column.type == Column.Type.METHOD
            ? names.function(constants.methods.indexOf(value))
            : dictionary.functions().intern(text(column, value), 0, 0, 0));
  }

  private int stackOf(int function) {
    single[0] = location(function);
    return dictionary.stacks().intern(single, 0, 1);
  }

  private int text(Column column, long value) {
    return switch (column.type) {
      case OLD_OBJECT -> names.oldObjectClass(value);
      case CLASS -> value == 0 ? 0 : names.className(value);
      case METHOD -> value == 0 ? 0 : names.methodName(value);
      case TEXT -> names.text(constants.texts(column.pool), value);
      case STRING -> names.text(value);
      default -> 0;
    };
  }

  private void addMember(int attribute) {
    if (memberCount == members.length) {
      members = Arrays.copyOf(members, memberCount * 2);
    }
    members[memberCount++] = attribute;
  }
}
