package org.buftrail.jfr;

import java.io.IOException;
import java.util.Arrays;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the stack traces of one chunk that events name, straight into the dictionary: bytes to
 * location indices to a stack, without an object for a frame.
 */
final class StackTraces {
  private static final String[] FRAME_FIELDS = {"method", "lineNumber", "bytecodeIndex", "type"};
  private static final int METHOD = 0;
  private static final int LINE = 1;
  private static final int BYTECODE_INDEX = 2;
  private static final int TYPE = 3;
  private static final int LARGEST_TYPE = 0xfe;
  private static final int MOST_RECENT = 8192;
  private static final int TRUNCATED = Integer.MIN_VALUE;

  private final Dictionary dictionary;
  private final Constants constants;
  private final Names names;
  private final FrameTypes frameTypes;
  private final boolean withBytecodeIndex;
  private final long[] flags = new long[1];
  private final long[] slots = new long[FRAME_FIELDS.length];
  private int[] locations = new int[256];
  private int depth;

  // The locations of frames met lately: pairs of method and (line, type), and what they are.
  private long[] recent = new long[0];
  private int[] recentLocations = new int[0];
  private int recentMask;

  private @Nullable Metadata metadata;
  private boolean compressed;
  private @Nullable Layouts layouts;

  /** A stack trace is some fields, the array of frames, and perhaps more fields. */
  private static final class Layouts {
    final Layout head;
    final Layout frame;
    final Layout tail;
    final boolean plain;

    Layouts(Layout head, Layout frame, Layout tail, boolean plain) {
      this.head = head;
      this.frame = frame;
      this.tail = tail;
      this.plain = plain;
    }
  }

  /**
   * @param withBytecodeIndex whether frames that differ in it alone are kept apart
   */
  StackTraces(Dictionary dictionary, Constants constants, Names names, boolean withBytecodeIndex) {
    this.dictionary = dictionary;
    this.constants = constants;
    this.names = names;
    this.frameTypes = new FrameTypes(dictionary, constants, names);
    this.withBytecodeIndex = withBytecodeIndex;
  }

  /** Whether async-profiler wrote the chunk; known once its stack traces have been resolved. */
  boolean isAsyncProfiler() {
    return frameTypes.isAsyncProfiler();
  }

  /** The stack that a resolved stack trace has become. */
  static int stack(int resolved) {
    return (resolved & ~TRUNCATED) - 1;
  }

  /** Whether a resolved stack trace was cut off by the JVM. */
  static boolean isTruncated(int resolved) {
    return resolved < 0;
  }

  /** Decodes every stack trace that was asked for and found. */
  void resolve(Window window, Metadata chunkMetadata) throws IOException, DamageException {
    frameTypes.begin();
    forgetFrames(constants.stacks.found());
    Layouts chunkLayouts = layouts(chunkMetadata, window.compressed);
    if (chunkLayouts == null) {
      return;
    }
    WantedPool wanted = constants.stacks;
    for (int i = 0; i < wanted.found(); i++) {
      int index = wanted.inOrder(i);
      readWhole(window, chunkLayouts, wanted.offset(index));
      int stack = dictionary.stacks().intern(locations, 0, depth);
      // 1 is added since 0 stands for a stack trace that was not found.
      wanted.resolve(index, (stack + 1) | (flags[0] != 0 ? TRUNCATED : 0));
    }
  }

  private void readWhole(Window window, Layouts chunkLayouts, long at)
      throws IOException, DamageException {
    long available = window.end() - at;
    long wanted = Constants.COMFORT;
    while (true) {
      window.seek(at);
      window.require((int) Math.min(wanted, available), "a stack trace");
      read(window, chunkLayouts);
      if (window.position <= window.limit) {
        return;
      }
      if (wanted >= available || wanted >= Window.LARGEST) {
        throw new DamageException(at, "a stack trace goes on past the end of the data");
      }
      wanted *= 8;
    }
  }

  private void read(Window window, Layouts chunkLayouts) {
    flags[0] = 0;
    depth = 0;
    chunkLayouts.head.read(window, flags);
    int count = window.i4();
    if (count < 0 || count > window.remaining()) {
      window.position = window.limit + 1;
      return;
    }
    if (locations.length < count) {
      locations = new int[Math.max(count, locations.length * 2)];
    }
    if (chunkLayouts.plain) {
      readPlainFrames(window, count);
    } else {
      readFrames(window, chunkLayouts.frame, count);
    }
    chunkLayouts.tail.read(window, flags);
  }

  /** Reads the layout that every JVM writes: four varints a frame. */
  private void readPlainFrames(Window window, int count) {
    int[] target = locations;
    for (int i = 0; i < count && window.position < window.limit; i++) {
      long method = window.varint();
      int line = (int) window.varint();
      int bytecodeIndex = (int) window.varint();
      target[i] = recentLocation(method, line, bytecodeIndex, window.varint());
    }
    depth = count;
  }

  private int recentLocation(long method, int line, int bytecodeIndex, long type) {
    if (type < 0 || type > LARGEST_TYPE || withBytecodeIndex) {
      return location(method, line, bytecodeIndex, type);
    }
    long pair = (long) line << 8 | type;
    int slot = slotOf(method, pair);
    if (recent[slot] == method && recent[slot + 1] == pair) {
      return recentLocations[slot >> 1];
    }
    int location = location(method, line, bytecodeIndex, type);
    recent[slot] = method;
    recent[slot + 1] = pair;
    recentLocations[slot >> 1] = location;
    return location;
  }

  private int slotOf(long method, long pair) {
    long mixed = (method + pair * 0xC2B2AE3D27D4EB4FL) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 40) & recentMask;
  }

  /** Makes room for the frames met lately: more where there are more stack traces. */
  private void forgetFrames(int stackTraces) {
    int size = Integer.highestOneBit(Math.max(16, Math.min(stackTraces, MOST_RECENT / 4))) * 4;
    if (recent.length < 2 * size) {
      recent = new long[2 * size];
      recentLocations = new int[size];
    }
    recentMask = 2 * size - 2;
    // A pair of all ones has a type that is not kept.
    Arrays.fill(recent, 0, 2 * size, -1);
  }

  private void readFrames(Window window, Layout layout, int count) {
    for (int i = 0; i < count && window.position <= window.limit; i++) {
      Arrays.fill(slots, 0);
      layout.read(window, slots);
      locations[i] = location(slots[METHOD], slots[LINE], (int) slots[BYTECODE_INDEX], slots[TYPE]);
    }
    depth = count;
  }

  private int location(long method, long line, int bytecodeIndex, long type) {
    int function;
    int attributes;
    if (frameTypes.isNative(type)) {
      function = names.nativeFunction(method);
      attributes = frameTypes.attributes(type, names.library(method));
    } else {
      function = names.function(method);
      attributes = frameTypes.attributes(type);
    }
    if (withBytecodeIndex && bytecodeIndex >= 0) {
      attributes = frameTypes.withBytecodeIndex(attributes, bytecodeIndex);
    }
    return dictionary.locations().intern(function, line, attributes);
  }

  private @Nullable Layouts layouts(Metadata types, boolean chunkCompressed)
      throws DamageException {
    if (types != metadata || compressed != chunkCompressed) {
      metadata = types;
      compressed = chunkCompressed;
      layouts = compile(types);
    }
    return layouts;
  }

  private @Nullable Layouts compile(Metadata types) throws DamageException {
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
