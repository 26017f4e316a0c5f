package org.buftrail.jfr;

import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decodes batches of a chunk's stack traces to numbers of frames. Needs nothing of the dictionary,
 * so two threads decode with one of these each, and one of them gives the frames their locations
 * afterwards.
 */
final class StackDecoder {
  private static final int METHOD = 0;
  private static final int LINE = 1;
  private static final int BYTECODE_INDEX = 2;
  private static final int TYPE = 3;
  private static final String[] FRAME_FIELDS = {"method", "lineNumber", "bytecodeIndex", "type"};

  /** So many numbers are kept from one batch to the next. */
  private static final int MOST_KEPT = 32_768;

  private final FrameTable table = new FrameTable();
  private final long[] flags = new long[1];
  private final long[] slots = new long[FRAME_FIELDS.length];

  /** What the frames have become, by number: belongs to the thread that locates them. */
  int[] locations = new int[256];

  /** A stack trace is some fields, the array of frames, and perhaps more fields. */
  static final class Layouts {
    private final Layout head;
    private final Layout frame;
    private final Layout tail;

    /** Whether frames are what every JVM writes: four varints. */
    final boolean plain;

    /** Bytes of a frame, at least. */
    private final int leastFrame;

    private Layouts(Layout head, Layout frame, Layout tail, boolean plain) {
      this.head = head;
      this.frame = frame;
      this.tail = tail;
      this.plain = plain;
      this.leastFrame = plain ? FRAME_FIELDS.length : 1;
    }

    /** The layouts of a chunk's stack traces, or null if it has none. */
    static @Nullable Layouts compile(Metadata types, boolean compressed) throws DamageException {
      TypeDescriptor trace = types.type("jdk.types.StackTrace");
      FieldDescriptor frames = trace == null ? null : trace.field("frames");
      TypeDescriptor frame = frames == null ? null : types.type(frames.typeId);
      if (trace == null || frames == null || frame == null) {
        return null;
      }
      if (!frames.array || frames.constantPool) {
        return null;
      }
      int at = trace.fields.indexOf(frames);
      Layout.Slots flag = Layout.slotsOf("truncated");
      return new Layouts(
          Layout.compile(types, trace.part(0, at), compressed, flag),
          Layout.compile(types, frame, compressed, Layout.slotsOf(FRAME_FIELDS)),
          Layout.compile(types, trace.part(at + 1, trace.fields.size()), compressed, flag),
          compressed && types.isOnly(trace) && isPlain(frame, types));
    }

    private static boolean isPlain(TypeDescriptor frame, Metadata types) {
      // What is called like a primitive is read as one, whatever its fields are.
      if (!frame.name.equals("jdk.types.StackFrame")
          || frame.fields.size() != FRAME_FIELDS.length) {
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
    table.clear();
  }

  /** Begins a batch, whose stack traces are read next. */
  void begin(StackBatch batch) {
    if (table.size() > MOST_KEPT) {
      table.clear();
    }
    batch.firstFrame = table.size();
  }

  /** Ends a batch of which every stack trace was read. */
  void end(Layouts layouts, StackBatch batch) {
    learn(layouts, batch);
    batch.finish(this, null, null);
  }

  private void learn(Layouts layouts, StackBatch batch) {
    if (layouts.plain) {
      table.learn(batch.ends[batch.count], batch.frames);
    }
  }

  /** Decodes a batch; stops where a stack trace is damaged. */
  void decode(Window window, Layouts layouts, WantedPool traces, StackBatch batch) {
    DamageException damage = null;
    Throwable failure = null;
    try {
      begin(batch);
      damage = read(window, layouts, traces, batch);
      learn(layouts, batch);
    } catch (IOException | RuntimeException | Error e) {
      // The thread that waits for the batch must learn of it.
      failure = e;
    }
    batch.finish(this, damage, failure);
  }

  /** Reads stack traces; answers the damage that it stops at, if there is any. */
  private @Nullable DamageException read(
      Window window, Layouts layouts, WantedPool traces, StackBatch batch) throws IOException {
    int whole = 0;
    try {
      for (int i = batch.from(); i < batch.to(); i++) {
        int index = traces.inOrder(i);
        window.seek(traces.offset(index));
        window.require(traces.length(index), "a stack trace");
        read(window, layouts, batch, window.position + traces.length(index));
        whole = batch.frames;
      }
      return null;
    } catch (DamageException damage) {
      // How far it was read behind its end depends on the window.
      batch.frames = whole;
      return damage;
    }
  }

  /**
   * Adds the stack trace at the window's position to a batch.
   *
   * @param end position in the window behind it, at most
   */
  void read(Window window, Layouts layouts, StackBatch batch, int end) throws DamageException {
    flags[0] = 0;
    layouts.head.read(window, flags);
    int depth = window.i4();
    if (depth < 0 || depth > (end - window.position) / layouts.leastFrame) {
      throw new DamageException(window.offset(), "a stack trace of " + depth + " frames");
    }
    int from = batch.reserve(depth);
    if (layouts.plain) {
      table.read(window, batch, batch.numbers, from, depth);
    } else {
      readFrames(window, layouts.frame, batch, from, depth, end);
    }
    layouts.tail.read(window, flags);
    checkEnd(window, end);
    batch.end(depth, flags[0] != 0);
  }

  private static void checkEnd(Window window, int end) throws DamageException {
    if (window.position > end) {
      window.position = end;
      throw new DamageException(window.offset(), "a stack trace that goes on past its end");
    }
  }

  private void readFrames(
      Window window, Layout layout, StackBatch batch, int from, int depth, int end)
      throws DamageException {
    for (int i = 0; i < depth; i++) {
      Arrays.fill(slots, 0);
      layout.read(window, slots);
      checkEnd(window, end);
      batch.add(slots[METHOD], (int) slots[LINE], (int) slots[BYTECODE_INDEX], slots[TYPE]);
      batch.numbers[from + i] = table.next();
    }
  }
}
