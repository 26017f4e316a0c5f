package org.buftrail.jfr;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decodes some of a chunk's stack traces to numbers of frames. Needs nothing of the dictionary, so
 * two threads decode with one of these each, and one of them gives the frames their locations
 * afterwards.
 */
final class StackDecoder {
  private static final int METHOD = 0;
  private static final int LINE = 1;
  private static final int BYTECODE_INDEX = 2;
  private static final int TYPE = 3;
  private static final String[] FRAME_FIELDS = {"method", "lineNumber", "bytecodeIndex", "type"};

  final FrameTable frames = new FrameTable();

  /** What the frames have become, for who locates them; and how many of them have been located. */
  int[] locations = new int[256];

  int located;

  private final long[] flags = new long[1];
  private final long[] slots = new long[FRAME_FIELDS.length];
  private int[] numbers = new int[1024];
  private int[] ends = new int[64];
  private boolean[] truncated = new boolean[64];
  private int first;
  private int count;
  private @Nullable DamageException damage;
  private @Nullable IOException failure;

  /** A stack trace is some fields, the array of frames, and perhaps more fields. */
  static final class Layouts {
    private final Layout head;
    private final Layout frame;
    private final Layout tail;

    /** Whether frames are what every JVM writes: four varints. */
    private final boolean plain;

    private Layouts(Layout head, Layout frame, Layout tail, boolean plain) {
      this.head = head;
      this.frame = frame;
      this.tail = tail;
      this.plain = plain;
    }

    /** The layouts of a chunk's stack traces, or null if it has none. */
    static @Nullable Layouts compile(Metadata types, boolean compressed) throws DamageException {
      TypeDescriptor trace = types.type("jdk.types.StackTrace");
      FieldDescriptor frames = trace == null ? null : trace.field("frames");
      TypeDescriptor frame = frames == null ? null : types.type(frames.typeId);
      if (trace == null || frames == null || !frames.array || frame == null) {
        return null;
      }
      int at = trace.fields.indexOf(frames);
      Layout.Slots flag = Layout.slotsOf("truncated");
      return new Layouts(
          Layout.compile(types, trace.part(0, at), compressed, flag),
          Layout.compile(types, frame, compressed, Layout.slotsOf(FRAME_FIELDS)),
          Layout.compile(types, trace.part(at + 1, trace.fields.size()), compressed, flag),
          compressed && isPlain(frame, types));
    }

    private static boolean isPlain(TypeDescriptor frame, Metadata types) {
      if (frame.fields.size() != FRAME_FIELDS.length) {
        return false;
      }
      for (int i = 0; i < FRAME_FIELDS.length; i++) {
        FieldDescriptor field = frame.fields.get(i);
        boolean integer = field.constantPool || "int".equals(types.name(field.typeId));
        if (!field.name.equals(FRAME_FIELDS[i]) || field.array || !integer) {
          return false;
        }
      }
      return true;
    }
  }

  /** Forgets the frames of the last chunk. */
  void begin() {
    frames.clear();
    located = 0;
  }

  /** Decodes stack traces, given by their rank among the found; stops where one is damaged. */
  void decode(Window window, Layouts layouts, WantedPool traces, int from, int to) {
    if (frames.isLarge()) {
      begin();
    }
    first = from;
    count = 0;
    damage = null;
    failure = null;
    if (ends.length <= to - from) {
      ends = new int[to - from + 1];
      truncated = new boolean[to - from];
    }
    try {
      for (int i = from; i < to; i++) {
        int index = traces.inOrder(i);
        window.seek(traces.offset(index));
        window.require(traces.length(index), "a stack trace");
        read(window, layouts, window.position + traces.length(index));
      }
    } catch (DamageException e) {
      damage = e;
    } catch (IOException e) {
      failure = e;
    }
  }

  private void read(Window window, Layouts layouts, int end) throws DamageException {
    flags[0] = 0;
    layouts.head.read(window, flags);
    int depth = window.i4();
    if (depth < 0 || depth > end - window.position) {
      throw new DamageException(window.offset(), "a stack trace of " + depth + " frames");
    }
    int from = ends[count];
    if (numbers.length - from < depth) {
      numbers = Arrays.copyOf(numbers, Math.max(from + depth, numbers.length * 2));
    }
    if (layouts.plain) {
      frames.read(window, numbers, from, depth);
    } else {
      readFrames(window, layouts.frame, from, depth);
    }
    layouts.tail.read(window, flags);
    if (window.position > end) {
      throw new DamageException(window.offset(), "a stack trace that goes on past its end");
    }
    truncated[count] = flags[0] != 0;
    count++;
    ends[count] = from + depth;
  }

  private void readFrames(Window window, Layout layout, int from, int depth) {
    for (int i = 0; i < depth; i++) {
      Arrays.fill(slots, 0);
      layout.read(window, slots);
      numbers[from + i] =
          frames.add(slots[METHOD], (int) slots[LINE], (int) slots[BYTECODE_INDEX], slots[TYPE]);
    }
  }

  /** How many stack traces have been decoded. */
  int count() {
    return count;
  }

  /** The rank of a decoded stack trace among the found. */
  int rank(int trace) {
    return first + trace;
  }

  /** Number of frames of a decoded stack trace. */
  int depth(int trace) {
    return ends[trace + 1] - ends[trace];
  }

  /** Whether the JVM cut a stack trace off. */
  boolean isTruncated(int trace) {
    return truncated[trace];
  }

  /** Puts the locations of a stack trace's frames into an array. */
  void locate(int trace, int[] target) {
    int[] all = locations;
    int from = ends[trace];
    int depth = ends[trace + 1] - from;
    for (int i = 0; i < depth; i++) {
      target[i] = all[numbers[from + i]];
    }
  }

  /** Throws what stopped decoding, if anything did. */
  void check() throws IOException, DamageException {
    if (damage != null) {
      throw damage;
    }
    if (failure != null) {
      throw failure;
    }
  }
}
