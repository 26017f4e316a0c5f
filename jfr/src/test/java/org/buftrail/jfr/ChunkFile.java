package org.buftrail.jfr;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a recording of one chunk, event by event, in forms that no JVM here writes. */
final class ChunkFile implements Closeable {
  static final long START_NANOS = 1_700_000_000_000_000_000L;

  static final String ALLOCATE = "io.netty.AllocateBuffer";
  static final String FREE = "io.netty.FreeBuffer";

  private static final int HEADER = 68;
  private static final long STRING = 20;
  private static final long THREAD = 21;
  private static final long FRAME_TYPE = 22;
  private static final long SYMBOL = 23;
  private static final long CLASS = 24;
  private static final long METHOD = 25;
  private static final long FRAME = 26;
  private static final long STACK = 27;
  private static final String ARRAY = "array ";
  private static final List<String> FRAME_TYPES =
      List.of(
          "Interpreted",
          "JIT compiled",
          "Inlined",
          "Native",
          "C++",
          "Kernel",
          "C1",
          "Native remote");
  private static final String POOLED = "pooled ";

  private static final String[] LOST = {"", "", "", "Interpreted"};
  private static final long NO_METHOD = 1L << 20;
  private static final List<String> SIMPLE = List.of("boolean", "int", "long", "float");

  private final RandomAccessFile file;
  private final boolean compressed;
  private long startNanos = START_NANOS;
  private long startTicks;
  private final Map<String, Long> events = new LinkedHashMap<>();
  private final Map<String, String[]> fields = new LinkedHashMap<>();
  private final Map<Long, String> constants = new LinkedHashMap<>();
  private final Map<Long, String> threads = new LinkedHashMap<>();
  private final List<String> symbols = new ArrayList<>();
  private int lostMethods;
  private boolean hotSpot;
  private boolean shortSizes;
  private final IdentityHashMap<String[], Long> methods = new IdentityHashMap<>();
  private final Map<Long, String[][]> stacks = new LinkedHashMap<>();

  ChunkFile(Path path, boolean compressed) throws IOException {
    this.file = new RandomAccessFile(path.toFile(), "rw");
    this.compressed = compressed;
    file.seek(HEADER);
  }

  /** A recording of Netty buffers that are allocated and freed. */
  static ChunkFile ofBuffers(Path path) throws IOException {
    return new ChunkFile(path, true)
        .type(ALLOCATE, "int size", "boolean direct", "long address")
        .type(FREE, "long address", "boolean direct");
  }

  /** The fields of an event in the making. */
  final class Fields {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Fields i4(int value) {
      if (compressed) {
        varint(value & 0xffffffffL);
      } else {
        bytes.writeBytes(ByteBuffer.allocate(4).putInt(value).array());
      }
      return this;
    }

    Fields i8(long value) {
      if (compressed) {
        varint(value);
      } else {
        bytes.writeBytes(ByteBuffer.allocate(8).putLong(value).array());
      }
      return this;
    }

    Fields f4(float value) {
      bytes.writeBytes(ByteBuffer.allocate(4).putFloat(value).array());
      return this;
    }

    Fields flag(boolean value) {
      bytes.write(value ? 1 : 0);
      return this;
    }

    /** Null or empty: an encoding without content. */
    Fields none(int encoding) {
      bytes.write(encoding);
      return this;
    }

    Fields constant(long key) {
      bytes.write(2);
      return i8(key);
    }

    Fields text(String value, int encoding, Charset charset) {
      bytes.write(encoding);
      byte[] content = value.getBytes(charset);
      i4(content.length);
      bytes.writeBytes(content);
      return this;
    }

    Fields chars(String value) {
      bytes.write(4);
      i4(value.length());
      for (int i = 0; i < value.length(); i++) {
        if (compressed) {
          varint(value.charAt(i));
        } else {
          bytes.writeBytes(ByteBuffer.allocate(2).putChar(value.charAt(i)).array());
        }
      }
      return this;
    }

    private void varint(long value) {
      long rest = value;
      for (int i = 0; i < 8 && (rest & ~0x7fL) != 0; i++) {
        bytes.write((int) (rest | 0x80));
        rest >>>= 7;
      }
      bytes.write((int) rest);
    }
  }

  /**
   * Declares an event type: fields as {@code type name}, or {@code pooled type name} for keys; they
   * may be of types that are declared before. What follows a {@code #} in the name tells it from
   * another of the same name.
   */
  ChunkFile type(String name, String... typedFields) {
    events.put(name, 100L + events.size());
    fields.put(name, typedFields);
    return this;
  }

  /** Says when the chunk begins, by the clock and in ticks; 0 ticks if nobody says. */
  ChunkFile beginning(long nanos, long ticks) {
    startNanos = nanos;
    startTicks = ticks;
    return this;
  }

  /** Adds a text to the pool of strings. */
  ChunkFile constant(long key, String text) {
    constants.put(key, text);
    return this;
  }

  /** Adds a thread, of which the key is the id too. */
  ChunkFile thread(long key, String name) {
    threads.put(key, name);
    return this;
  }

  /**
   * Adds a stack of frames: class or library, method, descriptor, frame type. The same array again
   * is the same method.
   */
  ChunkFile stack(long key, String[]... frames) {
    for (String[] frame : frames) {
      if (methods.putIfAbsent(frame, methods.size() + 1L) == null) {
        symbols.addAll(List.of(frame).subList(0, 3));
      }
    }
    stacks.put(key, frames);
    return this;
  }

  /** Adds a stack of one frame, whose method is missing. */
  ChunkFile lostStack(long key) {
    return stack(key, LOST);
  }

  /** Writes the size of a short event in one byte, as async-profiler does. */
  ChunkFile shortSizes() {
    shortSizes = compressed;
    return this;
  }

  /** Has stack traces written before what they name, without the frame types of async-profiler. */
  ChunkFile asHotSpot() {
    hotSpot = true;
    return this;
  }

  /** Adds methods whose class is missing, and which no stack names. */
  ChunkFile lostMethods(int count) {
    lostMethods = count;
    return this;
  }

  /** Begins the fields of an event, with its start in ticks, which are nanoseconds. */
  Fields at(long ticks) {
    return new Fields().i8(ticks);
  }

  ChunkFile event(String name, Fields values) throws IOException {
    write(events.getOrDefault(name, 0L), values.bytes.toByteArray());
    return this;
  }

  /** An event of a type that nobody converts, with a hole in it. */
  void hole(String name, int size) throws IOException {
    long start = file.getFilePointer();
    file.write(padded(size));
    file.write(new Fields().i8(events.getOrDefault(name, 0L)).bytes.toByteArray());
    file.seek(start + size);
  }

  private void write(long type, byte[] content) throws IOException {
    byte[] id = new Fields().i8(type).bytes.toByteArray();
    int rest = id.length + content.length;
    file.write(shortSizes && rest < 127 ? new byte[] {(byte) (1 + rest)} : padded(4 + rest));
    file.write(id);
    file.write(content);
  }

  private byte[] padded(int size) {
    if (!compressed) {
      return ByteBuffer.allocate(4).putInt(size).array();
    }
    return new byte[] {
      (byte) (size | 0x80),
      (byte) ((size >>> 7) | 0x80),
      (byte) ((size >>> 14) | 0x80),
      (byte) (size >>> 21)
    };
  }

  private byte[] metadata() {
    List<String> strings = new ArrayList<>();
    Fields elements = new Fields();
    element(elements, strings, "root", 1);
    element(elements, strings, "metadata", SIMPLE.size() + 8 + events.size());
    for (int i = 0; i < SIMPLE.size(); i++) {
      element(elements, strings, "class", 0, "id", "" + (i + 1), "name", SIMPLE.get(i));
    }
    element(elements, strings, "class", 0, "id", "" + STRING, "name", "java.lang.String");
    type(elements, strings, THREAD, "java.lang.Thread", "String javaName", "long javaThreadId");
    type(elements, strings, FRAME_TYPE, "jdk.types.FrameType", "String description");
    type(elements, strings, SYMBOL, "jdk.types.Symbol", "String string");
    type(elements, strings, CLASS, "java.lang.Class", "pooled Symbol name");
    type(
        elements,
        strings,
        METHOD,
        "jdk.types.Method",
        "pooled Class type",
        "pooled Symbol name",
        "pooled Symbol descriptor");
    type(
        elements,
        strings,
        FRAME,
        "jdk.types.StackFrame",
        "pooled Method method",
        "int lineNumber",
        "int bytecodeIndex",
        "pooled FrameType type");
    type(
        elements,
        strings,
        STACK,
        "jdk.types.StackTrace",
        "boolean truncated",
        "array Frame frames");
    events.forEach(
        (name, id) -> {
          String[] declared = fields.getOrDefault(name, new String[0]);
          String written = name.substring(0, (name + "#").indexOf('#'));
          element(elements, strings, "class", declared.length + 1, "id", "" + id, "name", written);
          field(elements, strings, "long startTime");
          for (String field : declared) {
            field(elements, strings, field);
          }
        });
    Fields all = new Fields().i8(0).i8(0).i8(1).i4(strings.size());
    strings.forEach(text -> all.text(text, 3, StandardCharsets.UTF_8));
    all.bytes.writeBytes(elements.bytes.toByteArray());
    return all.bytes.toByteArray();
  }

  private void type(
      Fields target, List<String> strings, long id, String name, String... typedFields) {
    element(target, strings, "class", typedFields.length, "id", "" + id, "name", name);
    for (String field : typedFields) {
      field(target, strings, field);
    }
  }

  private void field(Fields target, List<String> strings, String declared) {
    List<String> attributes = new ArrayList<>();
    String typed = declared;
    if (declared.startsWith(POOLED)) {
      attributes.addAll(List.of("constantPool", "true"));
      typed = declared.substring(POOLED.length());
    } else if (declared.startsWith(ARRAY)) {
      attributes.addAll(List.of("dimension", "1"));
      typed = declared.substring(ARRAY.length());
    }
    String type = typed.substring(0, typed.indexOf(' '));
    attributes.addAll(List.of("name", typed.substring(typed.indexOf(' ') + 1), "class", id(type)));
    element(target, strings, "field", 0, attributes.toArray(new String[0]));
  }

  private String id(String type) {
    return switch (type) {
      case "String" -> "" + STRING;
      case "Thread" -> "" + THREAD;
      case "FrameType" -> "" + FRAME_TYPE;
      case "Symbol" -> "" + SYMBOL;
      case "Class" -> "" + CLASS;
      case "Method" -> "" + METHOD;
      case "Frame" -> "" + FRAME;
      case "StackTrace" -> "" + STACK;
      default -> "" + events.getOrDefault(type, SIMPLE.indexOf(type) + 1L);
    };
  }

  private static void element(
      Fields target, List<String> strings, String kind, int children, String... attributes) {
    target.i4(index(strings, kind)).i4(attributes.length / 2);
    for (String attribute : attributes) {
      target.i4(index(strings, attribute));
    }
    target.i4(children);
  }

  private static int index(List<String> strings, String text) {
    if (!strings.contains(text)) {
      strings.add(text);
    }
    return strings.indexOf(text);
  }

  /** Symbols, classes, methods and frame types have their place in the list, from 1, for key. */
  private void addStacks(Fields pools) {
    if (hotSpot) {
      addStackTraces(pools);
    }
    int frameTypes = hotSpot ? FRAME_TYPES.indexOf("Native") : FRAME_TYPES.size();
    pools.i8(FRAME_TYPE).i4(frameTypes);
    for (int i = 0; i < frameTypes; i++) {
      pools.i8(i).text(FRAME_TYPES.get(i), 3, StandardCharsets.UTF_8);
    }
    pools.i8(SYMBOL).i4(symbols.size());
    for (int i = 0; i < symbols.size(); i++) {
      pools.i8(i + 1L).text(symbols.get(i), 3, StandardCharsets.UTF_8);
    }
    pools.i8(CLASS).i4(methods.size());
    for (int i = 0; i < methods.size(); i++) {
      pools.i8(i + 1L).i8(3L * i + 1);
    }
    pools.i8(METHOD).i4(methods.size() + lostMethods);
    for (int i = 0; i < methods.size(); i++) {
      pools.i8(i + 1L).i8(i + 1L).i8(3L * i + 2).i8(3L * i + 3);
    }
    for (int i = 1; i <= lostMethods; i++) {
      pools.i8(NO_METHOD + i).i8(NO_METHOD).i8(2).i8(3);
    }
    if (!hotSpot) {
      addStackTraces(pools);
    }
  }

  private void addStackTraces(Fields pools) {
    pools.i8(STACK).i4(stacks.size());
    stacks.forEach(
        (key, stack) -> {
          pools.i8(key).flag(false).i4(stack.length);
          for (String[] frame : stack) {
            long type = FRAME_TYPES.indexOf(frame[3]);
            pools
                .i8(frame == LOST ? NO_METHOD : methods.getOrDefault(frame, NO_METHOD))
                .i4(-1)
                .i4(0)
                .i8(type);
          }
        });
  }

  /** Writes constants, metadata and header. */
  @Override
  public void close() throws IOException {
    long checkpoint = file.getFilePointer();
    Fields pools = new Fields().i8(0).i8(0).i8(0);
    pools.bytes.write(0);
    pools.i4(7).i8(STRING).i4(constants.size());
    constants.forEach((key, text) -> pools.i8(key).text(text, 3, StandardCharsets.UTF_8));
    pools.i8(THREAD).i4(threads.size());
    threads.forEach((key, name) -> pools.i8(key).text(name, 3, StandardCharsets.UTF_8).i8(key));
    addStacks(pools);
    write(1, pools.bytes.toByteArray());
    long metadata = file.getFilePointer();
    write(0, metadata());
    long size = file.getFilePointer();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream header = new DataOutputStream(bytes);
    header.writeBytes("FLR\0");
    header.writeShort(2);
    header.writeShort(1);
    long second = 1_000_000_000L;
    for (long value :
        new long[] {size, checkpoint, metadata, startNanos, second, startTicks, second}) {
      header.writeLong(value);
    }
    header.writeShort(0);
    header.writeShort(compressed ? 3 : 2);
    file.seek(0);
    file.write(bytes.toByteArray());
    file.close();
  }
}
