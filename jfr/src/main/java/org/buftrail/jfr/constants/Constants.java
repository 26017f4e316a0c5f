package org.buftrail.jfr.constants;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.jfr.schema.Layout;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.Reference;
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
  static final String CLASS = "java.lang.Class";
  static final String METHOD = "jdk.types.Method";
  public static final String STRING = Reference.STRING;

  /** Stands for the place of a constant, whose key is before it. */
  private static final long NO_PLACE = 0;

  private static final String FRAME_TYPE = "jdk.types.FrameType";

  public final StringPool strings = new StringPool(null);
  public final ConstantPool classes = new ConstantPool(1);
  public final ConstantPool methods = new ConstantPool(3);
  public final ConstantPool oldObjects = new ConstantPool(1);
  public final LazyConstantPool stacks = new LazyConstantPool();
  public final LazyConstantPool threads = new LazyConstantPool();

  private final ConstantPool frames = new ConstantPool(StackDecoder.FRAME_FIELDS.size());
  private final Map<String, StringPool> texts = new HashMap<>();
  private final LongIntMap readerOfType = new LongIntMap();
  private final List<PoolReader> readers = new ArrayList<>();
  private final long[] slots = new long[4];
  private @Nullable Metadata metadata;
  private boolean compressed;

  /** The stack traces that events name. */
  public final ChunkStacks chunkStacks = new ChunkStacks();

  private final StackDecoder stackDecoder =
      new StackDecoder(
          chunkStacks,
          new StackDecoder.InlineReader() {
            @Override
            public void read(RecordingBuffer buffer, long typeId, long place)
                throws DamageException {
              readInline(buffer, typeId, place);
            }
          });

  // Where the chunk has the texts of its classes and methods, as its metadata says.
  private StringPool classNames = strings;
  private StringPool methodNames = strings;
  private StringPool descriptors = strings;
  private StringPool frameTypes = strings;

  public Constants() {
    texts.put(STRING, strings);
  }

  /** The texts that the names of classes refer to. */
  public StringPool classNames() {
    return classNames;
  }

  /** The texts that the names of methods refer to. */
  public StringPool methodNames() {
    return methodNames;
  }

  /** The texts that the descriptors of methods refer to. */
  public StringPool descriptors() {
    return descriptors;
  }

  /** The texts that the types of frames refer to. */
  public StringPool frameTypes() {
    return frameTypes;
  }

  /** The texts of a type; its constants are kept from now on. */
  public StringPool texts(String type) {
    StringPool pool = texts.get(type);
    if (pool == null) {
      pool = new StringPool(strings);
      texts.put(type, pool);
      readerOfType.clear();
      readers.clear();
      keepTarget(type);
    }
    return pool;
  }

  /** Keeps the pool that the texts of a type refer to, too. */
  private void keepTarget(String typeName) {
    Metadata types = metadata;
    try {
      TypeDescriptor type = types == null ? null : types.type(typeName);
      Reference text = types == null || type == null ? null : PoolReader.textOf(types, type);
      if (text != null) {
        texts(text.typeName());
      }
    } catch (DamageException e) {
      // Is told when the type's constants are read.
    }
  }

  /** The pool of what a field of a type refers to. */
  private StringPool pool(Metadata types, String typeName, String field, String otherwise) {
    try {
      Reference reference = Reference.of(types, types.type(typeName), field);
      return texts(reference == null ? otherwise : reference.typeName());
    } catch (DamageException e) {
      return texts(otherwise);
    }
  }

  private void begin(Metadata types) {
    for (String type : List.copyOf(texts.keySet())) {
      keepTarget(type);
    }
    classNames = pool(types, CLASS, "name", SYMBOL);
    methodNames = pool(types, METHOD, "name", SYMBOL);
    descriptors = pool(types, METHOD, "descriptor", SYMBOL);
    frameTypes = pool(types, "jdk.types.StackFrame", "type", FRAME_TYPE);
  }

  /** Forgets the constants of the last chunk and prepares for those of the next. */
  public void begin(Metadata chunkMetadata, boolean chunkCompressed) {
    for (StringPool pool : texts.values()) {
      pool.clear();
    }
    classes.clear();
    methods.clear();
    oldObjects.clear();
    frames.clear();
    stacks.clear();
    threads.clear();
    stackDecoder.begin(chunkMetadata, chunkCompressed);
    if (metadata != chunkMetadata || compressed != chunkCompressed) {
      metadata = chunkMetadata;
      compressed = chunkCompressed;
      readerOfType.clear();
      readers.clear();
      begin(chunkMetadata);
    }
  }

  /** Puts together what refers to other constants: all of the chunk have been read. */
  public void end() {
    for (StringPool pool : texts.values()) {
      pool.settle();
    }
    stackDecoder.end(frames);
  }

  /** A text of the pool of strings; null if it is not there. */
  public @Nullable String string(long key) {
    return string(strings, key);
  }

  private static @Nullable String string(StringPool pool, long key) {
    int index = pool.indexOf(key);
    if (index < 0 || pool.isMissing(index)) {
      return null;
    }
    StringPool holder = pool.holder(index);
    int target = pool.target(index);
    return new String(holder.bytes(), holder.start(target), holder.length(target), UTF_8);
  }

  /**
   * The text that a slot refers to, as a number of the chunk's texts: 0 for none. All constants
   * have been read, and what the slot was read from is in the buffer.
   */
  public long number(
      RecordingBuffer buffer, @Nullable Reference reference, long slot, ChunkTexts numbers)
      throws DamageException {
    if (reference == null || slot == 0) {
      return 0;
    }
    if (reference.isString()) {
      return reference.isInline() ? numbers.intern(buffer, slot) : ChunkTexts.ofConstant(slot);
    }
    StringPool pool = texts(reference.typeName());
    if (reference.isInline()) {
      readInline(buffer, reference.typeId(), slot);
      for (StringPool each : texts.values()) {
        each.settle();
      }
    }
    String text = string(pool, reference.key(slot));
    return text == null ? 0 : numbers.intern(text);
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
      readPool(buffer, described(type, at), count);
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
        readLong(buffer, reader, NO_PLACE);
      }
    }
  }

  /**
   * Reads a value that stands in an event as if it were a constant.
   *
   * @param place its key
   */
  public void readPlace(RecordingBuffer buffer, long typeId, long place)
      throws IOException, DamageException {
    buffer.seek(Layout.offset(place));
    makeComfortable(buffer);
    int start = buffer.position;
    PoolReader reader = described(typeId, buffer.offset());
    readValue(buffer, reader, place);
    if (buffer.position > buffer.limit) {
      buffer.position = start;
      readLong(buffer, reader, place);
    }
  }

  /** Reads a value that stands in another, which is in the buffer, as if it were a constant. */
  private void readInline(RecordingBuffer buffer, long typeId, long place) throws DamageException {
    long end = buffer.offset();
    buffer.seek(Layout.offset(place));
    readValue(buffer, described(typeId, end), place);
    buffer.seek(end);
  }

  private PoolReader described(long typeId, long at) throws DamageException {
    PoolReader reader = reader(typeId);
    if (reader == null) {
      throw new DamageException(at, "constants of type " + typeId + ", which is not described");
    }
    return reader;
  }

  /** Reads a constant that does not end in the buffer, with more and more of it in memory. */
  private void readLong(RecordingBuffer buffer, PoolReader reader, long place)
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
      readValue(buffer, reader, place == NO_PLACE ? buffer.i8() : place);
    } while (buffer.position > buffer.limit);
  }

  private void readConstant(RecordingBuffer buffer, PoolReader reader) throws DamageException {
    readValue(buffer, reader, buffer.i8());
  }

  private void readValue(RecordingBuffer buffer, PoolReader reader, long key)
      throws DamageException {
    switch (reader.role) {
      case STACK -> readStack(buffer, reader.layout, key);
      case TEXT -> {
        if (reader.texts != null) {
          reader.texts.add(key, buffer);
        }
      }
      case CLASS, METHOD, OLD_OBJECT, FRAME -> {
        slots[0] = 0;
        slots[1] = 0;
        slots[2] = 0;
        slots[3] = 0;
        reader.layout.read(buffer, slots);
        if (buffer.position <= buffer.limit) {
          records(reader.role).put(key, reader.references == null ? slots : keys(buffer, reader));
        }
      }
      case THREAD -> readWanted(buffer, reader.layout, threads, key);
      case TEXT_IN_STRUCTURE -> readStructure(buffer, reader, key);
      case TEXT_BY_REFERENCE -> {
        slots[0] = 0;
        reader.layout.read(buffer, slots);
        if (buffer.position <= buffer.limit && reader.texts != null) {
          Reference text = Objects.requireNonNull(reader.references)[0];
          long target = keys(buffer, reader)[0];
          reader.texts.alias(key, texts(Objects.requireNonNull(text).typeName()), target);
        }
      }
      default -> reader.layout.read(buffer, slots);
    }
  }

  /** The keys of what the slots refer to; reads what stands there itself. */
  private long[] keys(RecordingBuffer buffer, PoolReader reader) throws DamageException {
    long[] keys = slots.clone();
    @Nullable Reference[] references = Objects.requireNonNull(reader.references);
    for (int i = 0; i < references.length; i++) {
      Reference reference = references[i];
      if (reference != null && reference.isInline() && keys[i] != 0) {
        keys[i] = reference.key(keys[i]);
        readInline(buffer, reference.typeId(), keys[i]);
      }
    }
    return keys;
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

  private ConstantPool records(PoolReader.Role role) {
    return switch (role) {
      case CLASS -> classes;
      case METHOD -> methods;
      case FRAME -> frames;
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
    PoolReader reader = PoolReader.compile(types, type, compressed, texts.get(type.name));
    readerOfType.intern(typeId);
    readers.add(reader);
    return reader;
  }
}
