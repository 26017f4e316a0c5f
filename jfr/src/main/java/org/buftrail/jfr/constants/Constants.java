package org.buftrail.jfr.constants;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.jfr.schema.FieldDescriptor;
import org.buftrail.jfr.schema.Layout;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.TypeDescriptor;
import org.buftrail.jfr.stacks.ChunkStacks;
import org.buftrail.jfr.stacks.StackDecoder;
import org.buftrail.jfr.table.LongIntMap;
import org.jspecify.annotations.Nullable;

/**
 * The constant pools of one chunk.
 *
 * <p>A chunk's checkpoint events hold most of its bytes, and nothing says how long a constant is:
 * each has to be passed over to reach the next. So they are read once, front to back: symbols,
 * classes and methods into compact arrays, stack traces as far as events name them into numbers of
 * frames; of threads that events name only the place in the file is noted. Ids mean nothing outside
 * their chunk: {@link #begin} forgets all.
 */
public final class Constants {
  /** Bytes that should lie ahead before a constant is decoded; longer ones are decoded again. */
  public static final int COMFORT = 4096;

  /** Columns of {@link #methods}. */
  public static final int METHOD_TYPE = 0;

  public static final int METHOD_NAME = 1;
  public static final int METHOD_DESCRIPTOR = 2;

  private static final String SYMBOL = "jdk.types.Symbol";
  public static final String STRING = "java.lang.String";
  public static final String FRAME_TYPE = "jdk.types.FrameType";

  public final StringPool symbols = new StringPool();
  public final StringPool strings = new StringPool();
  public final ConstantPool classes = new ConstantPool(1);
  public final ConstantPool methods = new ConstantPool(3);
  public final ConstantPool oldObjects = new ConstantPool(1);
  public final LazyConstantPool stacks = new LazyConstantPool();
  public final LazyConstantPool threads = new LazyConstantPool();

  private final Map<String, StringPool> texts = new HashMap<>();
  private final LongIntMap readerOfType = new LongIntMap();
  private final List<PoolReader> readers = new ArrayList<>();
  private final long[] slots = new long[4];
  private @Nullable Metadata metadata;
  private boolean compressed;

  /** The stack traces that events name. */
  public final ChunkStacks chunkStacks = new ChunkStacks();

  private final StackDecoder stackDecoder = new StackDecoder(chunkStacks);

  /** What to do with the constants of one type. */
  private static final class PoolReader {
    final Layout layout;
    final Role role;
    final @Nullable StringPool texts;

    PoolReader(Layout layout, Role role, @Nullable StringPool texts) {
      this.layout = layout;
      this.role = role;
      this.texts = texts;
    }
  }

  private enum Role {
    SKIPPED,
    TEXT,
    TEXT_IN_STRUCTURE,
    CLASS,
    METHOD,
    OLD_OBJECT,
    STACK,
    THREAD
  }

  public Constants() {
    texts.put(SYMBOL, symbols);
    texts.put(STRING, strings);
    texts.put(FRAME_TYPE, new StringPool());
  }

  /** The texts of a type; its constants are kept from now on. */
  public StringPool texts(String type) {
    StringPool pool = texts.get(type);
    if (pool == null) {
      pool = new StringPool();
      texts.put(type, pool);
      readerOfType.clear();
      readers.clear();
    }
    return pool;
  }

  /** Forgets the constants of the last chunk and prepares for those of the next. */
  public void begin(Metadata chunkMetadata, boolean chunkCompressed) {
    for (StringPool pool : texts.values()) {
      pool.clear();
    }
    classes.clear();
    methods.clear();
    oldObjects.clear();
    stacks.clear();
    threads.clear();
    stackDecoder.begin(chunkMetadata, chunkCompressed);
    if (metadata != chunkMetadata || compressed != chunkCompressed) {
      metadata = chunkMetadata;
      compressed = chunkCompressed;
      readerOfType.clear();
      readers.clear();
    }
  }

  /** A text of the pool of strings; null if it is not there. */
  public @Nullable String string(long key) {
    int index = strings.indexOf(key);
    index = index >= 0 && strings.isAlias(index) ? strings.indexOf(strings.alias(index)) : index;
    return index < 0 || strings.isAlias(index)
        ? null
        : new String(strings.bytes(), strings.start(index), strings.length(index), UTF_8);
  }

  /** What kept stack traces from being decoded, if anything did. */
  public @Nullable DamageException stackDamage() {
    return stackDecoder.damage();
  }

  /**
   * Reads one checkpoint event.
   *
   * @param at where it begins in the file
   * @param end where its chunk ends
   */
  public void index(RecordingBuffer buffer, long at, long end) throws IOException, DamageException {
    buffer.confine(end);
    buffer.seek(at);
    buffer.require((int) Math.min(ChunkHeader.EVENT, end - at), "a checkpoint");
    int start = buffer.position;
    int size = buffer.i4();
    buffer.position = start;
    buffer.confine(at + size);
    index(buffer);
    buffer.confine(end);
  }

  private void index(RecordingBuffer buffer) throws IOException, DamageException {
    if (!buffer.ensure(COMFORT)) {
      buffer.require((int) Math.min(COMFORT, buffer.end() - buffer.offset()), "a checkpoint");
    }
    buffer.i4();
    buffer.i8();
    buffer.i8();
    buffer.i8();
    buffer.i8();
    buffer.fixed1();
    int pools = buffer.i4();
    for (int i = 0; i < pools; i++) {
      makeComfortable(buffer);
      long at = buffer.offset();
      long type = buffer.i8();
      int count = buffer.i4();
      if (buffer.remaining() < 0 || count < 0 || count > buffer.end() - at) {
        throw new DamageException(at, "a constant pool with " + count + " constants");
      }
      PoolReader reader = reader(type);
      if (reader == null) {
        throw new DamageException(at, "constants of type " + type + ", which is not described");
      }
      readPool(buffer, reader, count);
    }
  }

  private void readPool(RecordingBuffer buffer, PoolReader reader, int count)
      throws IOException, DamageException {
    for (int i = 0; i < count; i++) {
      makeComfortable(buffer);
      int start = buffer.position;
      readConstant(buffer, reader);
      if (buffer.position > buffer.limit) {
        buffer.position = start;
        readLong(buffer, reader);
      }
    }
  }

  /** Reads a constant that does not end in the buffer, with more and more of it in memory. */
  private void readLong(RecordingBuffer buffer, PoolReader reader)
      throws IOException, DamageException {
    long at = buffer.offset();
    long available = buffer.end() - at;
    int wanted = COMFORT;
    do {
      if (wanted >= available || wanted >= RecordingBuffer.LARGEST) {
        throw new DamageException(at, "a constant goes on past the end of its checkpoint");
      }
      wanted = (int) Math.min(available, wanted * 8L);
      buffer.seek(at);
      buffer.require(Math.min(wanted, RecordingBuffer.LARGEST), "a constant");
      readConstant(buffer, reader);
    } while (buffer.position > buffer.limit);
  }

  private void readConstant(RecordingBuffer buffer, PoolReader reader) throws DamageException {
    long key = buffer.i8();
    switch (reader.role) {
      case STACK -> readStack(buffer, reader.layout, key);
      case TEXT -> {
        if (reader.texts != null) {
          reader.texts.add(key, buffer);
        }
      }
      case CLASS, METHOD, OLD_OBJECT -> {
        slots[0] = 0;
        slots[1] = 0;
        slots[2] = 0;
        reader.layout.read(buffer, slots);
        if (buffer.position <= buffer.limit) {
          records(reader.role).put(key, slots);
        }
      }
      case THREAD -> readWanted(buffer, reader.layout, threads, key);
      case TEXT_IN_STRUCTURE -> readStructure(buffer, reader, key);
      default -> reader.layout.read(buffer, slots);
    }
  }

  /** Decodes a stack trace that is wanted, and passes over others. */
  private void readStack(RecordingBuffer buffer, Layout layout, long key) {
    long offset = buffer.offset();
    if (stackDecoder.isStopped() || !stacks.isWanted(key)) {
      layout.read(buffer, slots);
    } else if (stackDecoder.read(buffer, layout)) {
      stacks.found(key, offset, 0);
    }
  }

  /** Passes over a constant and notes where it is, if it is wanted. */
  private void readWanted(RecordingBuffer buffer, Layout layout, LazyConstantPool pool, long key) {
    int start = buffer.position;
    long offset = buffer.offset();
    layout.read(buffer, slots);
    if (buffer.position <= buffer.limit) {
      pool.found(key, offset, buffer.position - start);
    }
  }

  private ConstantPool records(Role role) {
    return switch (role) {
      case CLASS -> classes;
      case METHOD -> methods;
      default -> oldObjects;
    };
  }

  private void readStructure(RecordingBuffer buffer, PoolReader reader, long key) {
    slots[0] = 0;
    reader.layout.read(buffer, slots);
    if (buffer.position <= buffer.limit && slots[0] != 0 && reader.texts != null) {
      long end = buffer.offset();
      buffer.seek(slots[0]);
      reader.texts.add(key, buffer);
      buffer.seek(end);
    }
  }

  private static void makeComfortable(RecordingBuffer buffer) throws IOException {
    if (buffer.remaining() < COMFORT && buffer.end() - buffer.offset() > buffer.remaining()) {
      buffer.ensure((int) Math.min(COMFORT, buffer.end() - buffer.offset()));
    }
  }

  private @Nullable PoolReader reader(long typeId) throws DamageException {
    int known = readerOfType.get(typeId);
    if (known >= 0) {
      return readers.get(known);
    }
    Metadata types = metadata;
    TypeDescriptor type = types == null ? null : types.type(typeId);
    if (types == null || type == null) {
      return null;
    }
    PoolReader reader = compile(types, type);
    readerOfType.intern(typeId);
    readers.add(reader);
    return reader;
  }

  private PoolReader compile(Metadata types, TypeDescriptor type) throws DamageException {
    switch (type.name) {
      case "jdk.types.StackTrace" -> {
        return new PoolReader(layout(types, type), Role.STACK, null);
      }
      case "java.lang.Thread" -> {
        return new PoolReader(layout(types, type), Role.THREAD, null);
      }
      case "java.lang.Class" -> {
        return new PoolReader(layout(types, type, "name"), Role.CLASS, null);
      }
      case "jdk.types.Method" -> {
        return new PoolReader(layout(types, type, "type", "name", "descriptor"), Role.METHOD, null);
      }
      case "jdk.types.OldObject" -> {
        return new PoolReader(layout(types, type, "type"), Role.OLD_OBJECT, null);
      }
      default -> {
        return compileText(types, type);
      }
    }
  }

  private PoolReader compileText(Metadata types, TypeDescriptor type) throws DamageException {
    StringPool pool = texts.get(type.name);
    if (type.name.equals(STRING)) {
      // Described without fields, as a primitive is.
      return new PoolReader(layout(types, type), Role.TEXT, pool);
    }
    String text = null;
    for (FieldDescriptor field : type.fields) {
      boolean inline = !field.array && !field.constantPool;
      if (text == null && inline && STRING.equals(types.name(field.typeId))) {
        text = field.name;
      }
    }
    if (pool == null || text == null) {
      return new PoolReader(layout(types, type), Role.SKIPPED, null);
    }
    Role role = type.fields.size() == 1 ? Role.TEXT : Role.TEXT_IN_STRUCTURE;
    return new PoolReader(layout(types, type, text), role, pool);
  }

  private Layout layout(Metadata types, TypeDescriptor type, String... wanted)
      throws DamageException {
    return Layout.compile(types, type, compressed, Layout.slotsOf(wanted));
  }
}
