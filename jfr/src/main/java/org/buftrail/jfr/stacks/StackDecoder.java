package org.buftrail.jfr.stacks;

import java.util.Arrays;
import java.util.List;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.jfr.schema.FieldDescriptor;
import org.buftrail.jfr.schema.Layout;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.Reference;
import org.buftrail.jfr.schema.TypeDescriptor;
import org.buftrail.jfr.table.LongIntMap;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the stack traces of a chunk to numbers of frames, one after the other as they are met.
 * Needs neither names nor the dictionary.
 */
public final class StackDecoder {
  private static final int METHOD = 0;
  private static final int LINE = 1;
  private static final int BYTECODE_INDEX = 2;
  private static final int TYPE = 3;

  /** The fields of a frame, in HotSpot's order. */
  public static final List<String> FRAME_FIELDS =
      List.of("method", "lineNumber", "bytecodeIndex", "type");

  /** Bytes of four varints, at most. */
  private static final int LONGEST_FRAME = 36;

  private final FrameTable table = new FrameTable();
  private final ChunkStacks stacks;
  private final InlineReader inline;

  // Frames that are constants, by their keys, in the order in which they were met.
  private final LongIntMap frameKeys = new LongIntMap();
  private long[] keys = new long[64];
  private int[] frameOfKey = new int[64];
  private final long[] flags = new long[1];
  private final long[] slots = new long[FRAME_FIELDS.size()];
  private @Nullable Metadata metadata;
  private boolean compressed;
  private @Nullable Layouts layouts;
  private @Nullable DamageException damage;

  /** Reads what stands in a frame itself where others name a constant. */
  public interface InlineReader {
    void read(RecordingBuffer buffer, long typeId, long place) throws DamageException;
  }

  /** Frames that are constants. */
  public interface Frames {
    /** The index of a key, or {@link LongIntMap#NONE}. */
    int indexOf(long key);

    /** One of the {@link #FRAME_FIELDS} of a frame. */
    long get(int index, int field);
  }

  /** A stack trace is some fields, the array of frames, and perhaps more fields. */
  private record Layouts(
      Layout head,
      Layout frame,
      Layout tail,
      boolean plain,
      boolean isArray,
      boolean areConstants,
      @Nullable Reference method,
      @Nullable Reference type) {
    /** The layouts of a chunk's stack traces, or null if it has none. */
    static @Nullable Layouts compile(Metadata types, boolean compressed) throws DamageException {
      TypeDescriptor trace = types.type("jdk.types.StackTrace");
      FieldDescriptor frames = trace == null ? null : trace.field("frames");
      TypeDescriptor frame = frames == null ? null : types.type(frames.typeId);
      if (trace == null || frames == null || frame == null) {
        return null;
      }
      int at = trace.fields.indexOf(frames);
      boolean isLast = at == trace.fields.size() - 1;
      Layout.Slots flag = Layout.slotsOf("truncated");
      return new Layouts(
          Layout.compile(types, trace.part(0, at), compressed, flag),
          Layout.compile(types, frame, compressed, Layout.slotsOf(FRAME_FIELDS)),
          Layout.compile(types, trace.part(at + 1, trace.fields.size()), compressed, flag),
          compressed
              && isLast
              && frames.array
              && !frames.constantPool
              && types.isOnly(trace)
              && isPlain(frame, types),
          frames.array,
          frames.constantPool,
          Reference.of(types, frame, "method"),
          Reference.of(types, frame, "type"));
    }

    /** Whether frames are what every JVM writes: four varints. */
    private static boolean isPlain(TypeDescriptor frame, Metadata types) {
      // A type with the name of a primitive is read as one, whatever its fields are.
      if (!frame.name.equals("jdk.types.StackFrame")
          || frame.fields.size() != FRAME_FIELDS.size()) {
        return false;
      }
      for (int i = 0; i < FRAME_FIELDS.size(); i++) {
        FieldDescriptor field = frame.fields.get(i);
        boolean integer = field.constantPool || "int".equals(types.name(field.typeId));
        if (!field.name.equals(FRAME_FIELDS.get(i)) || field.array || !integer) {
          return false;
        }
      }
      return true;
    }

    /** Bytes of a frame, at least. */
    int leastFrame() {
      return plain ? FRAME_FIELDS.size() : 1;
    }
  }

  /**
   * @param stacks where stack traces are decoded to
   * @param inline reads what frames hold themselves
   */
  public StackDecoder(ChunkStacks stacks, InlineReader inline) {
    this.stacks = stacks;
    this.inline = inline;
  }

  /** Forgets the frames of the last chunk. */
  public void begin(Metadata types, boolean chunkCompressed) {
    stacks.clear();
    table.clear();
    frameKeys.clear();
    damage = null;
    if (types != metadata || compressed != chunkCompressed) {
      metadata = types;
      compressed = chunkCompressed;
      layouts = null;
      try {
        layouts = Layouts.compile(types, chunkCompressed);
      } catch (DamageException e) {
        metadata = null;
        damage = e;
      }
    }
  }

  /** What kept stack traces from being decoded, if anything did: those that follow are not. */
  public @Nullable DamageException damage() {
    return damage;
  }

  /** Whether nothing can be decoded any more, or there is nothing that could be. */
  public boolean isStopped() {
    return layouts == null || damage != null;
  }

  /**
   * Decodes the stack trace at the buffer's position, which ends up behind it, or past the limit if
   * the buffer does not hold it as a whole.
   *
   * @param whole passes over it
   * @return whether it was decoded
   */
  public boolean read(RecordingBuffer buffer, Layout whole) {
    Layouts known = layouts;
    if (known == null) {
      return false;
    }
    int start = buffer.position;
    flags[0] = 0;
    known.head.read(buffer, flags);
    int depth = known.isArray ? buffer.i4() : 1;
    if (known.plain && depth >= 0 && depth <= buffer.remaining() / LONGEST_FRAME) {
      int from = stacks.reserve(depth);
      table.read(buffer, stacks, from, depth);
      stacks.end(depth, flags[0] != 0);
      return true;
    }
    // Where it ends says whether all of it is in memory.
    buffer.position = start;
    whole.read(buffer, slots);
    int end = buffer.position;
    if (end > buffer.limit) {
      return false;
    }
    buffer.position = start;
    int frames = stacks.frames;
    try {
      read(buffer, known, end);
      return true;
    } catch (DamageException e) {
      stacks.frames = frames;
      damage = e;
      return false;
    } finally {
      buffer.position = end;
    }
  }

  private void read(RecordingBuffer buffer, Layouts known, int end) throws DamageException {
    flags[0] = 0;
    known.head.read(buffer, flags);
    int depth = known.isArray ? buffer.i4() : 1;
    if (depth < 0 || depth > (end - buffer.position) / known.leastFrame()) {
      throw new DamageException(buffer.offset(), "a stack trace of " + depth + " frames");
    }
    int from = stacks.reserve(depth);
    if (known.plain) {
      table.read(buffer, stacks, from, depth);
    } else if (known.areConstants) {
      for (int i = 0; i < depth; i++) {
        stacks.numbers[from + i] = frame(buffer.i8());
      }
    } else {
      readFrames(buffer, known, from, depth, end);
    }
    known.tail.read(buffer, flags);
    checkEnd(buffer, end);
    stacks.end(depth, flags[0] != 0);
  }

  private static void checkEnd(RecordingBuffer buffer, int end) throws DamageException {
    if (buffer.position > end) {
      buffer.position = end;
      throw new DamageException(buffer.offset(), "a stack trace that goes on past its end");
    }
  }

  private void readFrames(RecordingBuffer buffer, Layouts known, int from, int depth, int end)
      throws DamageException {
    for (int i = 0; i < depth; i++) {
      Arrays.fill(slots, 0);
      known.frame.read(buffer, slots);
      checkEnd(buffer, end);
      long method = key(buffer, known.method, slots[METHOD]);
      int line = (int) slots[LINE];
      int bytecodeIndex = (int) slots[BYTECODE_INDEX];
      long type = key(buffer, known.type, slots[TYPE]);
      stacks.numbers[from + i] = stacks.add(method, line, bytecodeIndex, type);
    }
  }

  private long key(RecordingBuffer buffer, @Nullable Reference reference, long slot)
      throws DamageException {
    if (reference == null || !reference.isInline() || Layout.isNumber(reference.typeName())) {
      return slot;
    }
    long[] others = slots.clone();
    inline.read(buffer, reference.typeId(), reference.key(slot));
    System.arraycopy(others, 0, slots, 0, slots.length);
    return reference.key(slot);
  }

  /** The number of the frame that is a constant, which may follow. */
  private int frame(long key) {
    int known = frameKeys.size();
    int index = frameKeys.intern(key);
    if (index == known) {
      if (index == keys.length) {
        frameOfKey = Arrays.copyOf(frameOfKey, index * 2);
        keys = Arrays.copyOf(keys, index * 2);
      }
      keys[index] = key;
      frameOfKey[index] = stacks.add(0, 0, -1, -1);
    }
    return frameOfKey[index];
  }

  /** Says what frames are that are constants: all constants of the chunk have been read. */
  public void end(Frames frames) {
    for (int i = 0; i < frameKeys.size(); i++) {
      int index = frames.indexOf(keys[i]);
      if (index >= 0) {
        stacks.set(
            frameOfKey[i],
            frames.get(index, METHOD),
            (int) frames.get(index, LINE),
            (int) frames.get(index, BYTECODE_INDEX),
            frames.get(index, TYPE));
      }
    }
  }
}
