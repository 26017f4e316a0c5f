package org.buftrail.jfr.schema;

import java.util.Arrays;
import java.util.List;
import org.buftrail.jfr.file.Cursor;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.Text;
import org.buftrail.profile.hash.Words;
import org.jspecify.annotations.Nullable;

/**
 * How to read the wanted fields of one type and pass over the others: a flat program, compiled from
 * the chunk's metadata.
 *
 * <p>Each field of the type, with those of inline structures in their place, becomes a step; runs
 * of unwanted integers become one. What is read goes to a numbered slot of a {@code long} array: an
 * integer as it is, a floating-point number as the bits of a {@code double}, a string as the file
 * offset of its encoding byte, and a structure as its {@linkplain #place place}.
 */
public final class Layout {
  /** The slot of a field that the caller names but does not want to be read. */
  public static final int UNWANTED = -1;

  /** Marks a slot where a step reads no integer. */
  public static final int OTHER = -2;

  private static final int VARINT = 0;
  private static final int VARINT_INT = 1;
  private static final int SKIP_VARINTS = 2;
  private static final int SKIP_BYTES = 3;
  private static final int FIXED1 = 4;
  private static final int FIXED2 = 5;
  private static final int FIXED4 = 6;
  private static final int FIXED8 = 7;
  private static final int FLOAT = 8;
  private static final int DOUBLE = 9;
  private static final int SKIP_STRING = 10;
  private static final int STRING = 11;
  private static final int SKIP_ARRAY = 12;
  private static final int STRUCTURE = 13;

  /** Fields of a type with all that it contains: what is decoded without a check fits the slack. */
  private static final int MOST_FIELDS = 1024;

  private static final int DEEPEST = 16;

  /** A step is its code above its argument, which has {@value #ARGUMENT_BITS} bits. */
  private static final int ARGUMENT_BITS = 16;

  private static final int ARGUMENT = (1 << ARGUMENT_BITS) - 1;

  private final boolean compressed;

  private int[] program = new int[8];

  private @Nullable Layout[] elements = new @Nullable Layout[0];
  private int[] structureSlots = new int[0];
  private int size;
  private int lastRead = -1;
  private final int[] fields;

  /** Says which fields are wanted. */
  public interface Slots {
    /**
     * The slot of a field.
     *
     * @param path the field's name, after the names of the structures that it is in, with dots
     * @return a slot, or {@link #UNWANTED}
     */
    int slot(String path, FieldDescriptor field);
  }

  private Layout(boolean compressed, int[] fields) {
    this.compressed = compressed;
    this.fields = fields;
  }

  /**
   * Compiles the layout of a type.
   *
   * @param slots which fields go where
   */
  public static Layout compile(
      Metadata metadata, TypeDescriptor type, boolean compressed, Slots slots)
      throws DamageException {
    Layout layout = new Layout(compressed, new int[1]);
    layout.append(metadata, type, "", slots, 0);
    return layout;
  }

  /** Gives each of some fields the slot of its position among them. */
  public static Slots slotsOf(String... wanted) {
    return slotsOf(List.of(wanted));
  }

  /** Gives each of some fields the slot of its position among them. */
  public static Slots slotsOf(List<String> wanted) {
    return new Positions(wanted);
  }

  private record Positions(List<String> wanted) implements Slots {
    @Override
    public int slot(String path, FieldDescriptor field) {
      return wanted.indexOf(path);
    }
  }

  /** The slot that {@link #slotsOf(List)} gives a field, which is added if it is not there. */
  public static int slotOf(String field, List<String> wanted) {
    int slot = wanted.indexOf(field);
    if (slot < 0) {
      slot = wanted.size();
      wanted.add(field);
    }
    return slot;
  }

  /** The key that stands for what is at a file offset, where others name a constant by its key. */
  public static long place(long offset) {
    return Long.MIN_VALUE | offset;
  }

  /** The file offset of a {@link #place}. */
  public static long offset(long place) {
    return place & Long.MAX_VALUE;
  }

  /**
   * The number of varints that all fields together are, or -1 if they are not only varints. For
   * passing over arrays at once.
   */
  public int varints() {
    int count = 0;
    for (int i = 0; i < size; i++) {
      int code = program[i] >>> ARGUMENT_BITS;
      if (code > SKIP_VARINTS) {
        return -1;
      }
      count += code == SKIP_VARINTS ? program[i] & ARGUMENT : 1;
    }
    return count;
  }

  /** Reads all fields; the buffer ends up behind the last one. */
  public void read(Cursor buffer, long[] slots) {
    read(buffer, slots, 0, size);
  }

  /** Reads up to the last wanted field; the buffer ends up behind it. */
  public void readWanted(Cursor buffer, long[] slots) {
    read(buffer, slots, 0, wanted());
  }

  /** Number of steps up to the last wanted field. */
  public int wanted() {
    return lastRead + 1;
  }

  /**
   * The slot that a step reads an integer to; {@link #UNWANTED} if it passes over integers, and
   * {@link #OTHER} if it does anything else. A byte is an integer too.
   */
  public int slot(int step) {
    int code = program[step] >>> ARGUMENT_BITS;
    return switch (code) {
      case VARINT, VARINT_INT, FIXED1 -> program[step] & ARGUMENT;
      case SKIP_VARINTS, SKIP_BYTES -> UNWANTED;
      default -> OTHER;
    };
  }

  /** How many integers a step reads or passes over. */
  public int integers(int step) {
    return slot(step) == UNWANTED ? program[step] & ARGUMENT : 1;
  }

  /**
   * Reads the fields of the steps from one to before another; the buffer ends up behind them.
   *
   * <p>Keeps the position in a local variable and finds the end of a varint without a branch for
   * its length: this is where most of the time of a conversion of many small events goes.
   */
  public void read(Cursor buffer, long[] slots, int from, int to) {
    byte[] b = buffer.bytes;
    int[] program = this.program;
    int p = buffer.position;
    for (int i = from; i < to; i++) {
      int code = program[i] >>> ARGUMENT_BITS;
      int argument = program[i] & ARGUMENT;
      if (code <= SKIP_VARINTS) {
        long word = Words.get(b, p);
        long last = ~word & Cursor.LAST_BYTES;
        if (code == SKIP_VARINTS) {
          for (int skipped = 1; skipped < argument; skipped++) {
            last &= last - 1;
          }
        }
        if (last != 0) {
          p += (Long.numberOfTrailingZeros(last) >>> 3) + 1;
          if (code != SKIP_VARINTS) {
            long value = Cursor.sevens(word & (last ^ (last - 1)));
            slots[argument] = code == VARINT ? value : (int) value;
          }
          continue;
        }
      }
      buffer.position = p;
      other(buffer, slots, code, argument);
      p = buffer.position;
    }
    buffer.position = p;
  }

  private void other(Cursor buffer, long[] slots, int code, int argument) {
    switch (code) {
      case SKIP_VARINTS -> buffer.skipVarints(argument);
      case VARINT -> slots[argument] = buffer.varint();
      case VARINT_INT -> slots[argument] = (int) buffer.varint();
      case SKIP_BYTES -> buffer.position += argument;
      case FIXED1 -> slots[argument] = buffer.fixed1();
      case SKIP_STRING -> Text.skip(buffer);
      case STRING -> {
        slots[argument] = buffer.offset();
        Text.skip(buffer);
      }
      default -> rare(buffer, slots, code, argument);
    }
  }

  private void rare(Cursor buffer, long[] slots, int code, int argument) {
    switch (code) {
      case FIXED2 -> slots[argument] = buffer.fixed2();
      case FIXED4 -> slots[argument] = buffer.fixed4();
      case FIXED8 -> slots[argument] = buffer.fixed8();
      case FLOAT ->
          slots[argument] = Double.doubleToRawLongBits(Float.intBitsToFloat(buffer.fixed4()));
      case DOUBLE -> slots[argument] = buffer.fixed8();
      case STRUCTURE -> {
        slots[structureSlots[argument]] = place(buffer.offset());
        Layout structure = elements[argument];
        if (structure != null) {
          structure.read(buffer, slots);
        }
      }
      default -> skipArray(buffer, elements[argument], slots);
    }
  }

  private static void skipArray(Cursor buffer, @Nullable Layout element, long[] slots) {
    int count = buffer.i4();
    if (count < 0 || count > buffer.remaining() || element == null) {
      buffer.position = buffer.limit + 1;
      return;
    }
    if (element.size == 0) {
      return;
    }
    int varints = element.varints();
    if (varints >= 0 && (long) count * varints <= buffer.remaining()) {
      buffer.skipVarints(count * varints);
      return;
    }
    for (int i = 0; i < count && buffer.position <= buffer.limit; i++) {
      element.read(buffer, slots);
    }
  }

  private void append(Metadata metadata, TypeDescriptor type, String prefix, Slots slots, int depth)
      throws DamageException {
    for (FieldDescriptor field : type.fields) {
      if (depth > DEEPEST || ++fields[0] > MOST_FIELDS) {
        throw new DamageException(0, "metadata: type " + type.name + " is too large");
      }
      String path = prefix.isEmpty() ? field.name : prefix + "." + field.name;
      if (field.array) {
        appendArray(metadata, field, depth);
      } else if (field.constantPool) {
        appendInteger(slots.slot(path, field), 8, false);
      } else {
        appendInline(metadata, field, path, slots, depth);
      }
    }
  }

  private void appendInline(
      Metadata metadata, FieldDescriptor field, String path, Slots slots, int depth)
      throws DamageException {
    TypeDescriptor type = metadata.type(field.typeId);
    if (type == null) {
      throw new DamageException(0, "metadata: field " + path + " has a type that is not described");
    }
    int slot = slots.slot(path, field);
    if (appendPrimitive(type.name, slot)) {
      return;
    }
    if (slot == UNWANTED) {
      append(metadata, type, path, slots, depth + 1);
    } else {
      Layout structure = new Layout(compressed, fields);
      structure.append(metadata, type, path, slotsOf(), depth + 1);
      int index = addElement(structure);
      structureSlots = Arrays.copyOf(structureSlots, elements.length);
      structureSlots[index] = slot;
      step(STRUCTURE, index);
    }
  }

  /** Whether values of a type are numbers, by the type's name. */
  public static boolean isNumber(String type) {
    return switch (type) {
      case "byte", "short", "char", "int", "long", "float", "double", "boolean" -> true;
      default -> false;
    };
  }

  private boolean appendPrimitive(String type, int slot) {
    boolean wanted = slot != UNWANTED;
    switch (type) {
      case "long" -> appendInteger(slot, 8, false);
      case "int" -> appendInteger(slot, 4, true);
      case "short", "char" -> appendInteger(slot, 2, type.equals("short"));
      case "byte", "boolean" -> step(wanted ? FIXED1 : SKIP_BYTES, wanted ? slot : 1);
      case "float" -> step(wanted ? FLOAT : SKIP_BYTES, wanted ? slot : 4);
      case "double" -> step(wanted ? DOUBLE : SKIP_BYTES, wanted ? slot : 8);
      case "java.lang.String" -> step(wanted ? STRING : SKIP_STRING, wanted ? slot : 0);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void appendInteger(int slot, int width, boolean isSigned) {
    if (slot == UNWANTED) {
      step(compressed ? SKIP_VARINTS : SKIP_BYTES, compressed ? 1 : width);
    } else if (compressed) {
      step(isSigned ? VARINT_INT : VARINT, slot);
    } else {
      step(width == 8 ? FIXED8 : width == 4 ? FIXED4 : FIXED2, slot);
    }
  }

  private void appendArray(Metadata metadata, FieldDescriptor field, int depth)
      throws DamageException {
    Layout element = new Layout(compressed, fields);
    if (field.constantPool) {
      element.appendInteger(UNWANTED, 8, false);
    } else {
      element.appendInline(metadata, field, field.name, slotsOf(), depth + 1);
    }
    step(SKIP_ARRAY, addElement(element));
  }

  private int addElement(Layout element) {
    elements = Arrays.copyOf(elements, elements.length + 1);
    elements[elements.length - 1] = element;
    return elements.length - 1;
  }

  private void step(int code, int argument) {
    boolean skips = code == SKIP_VARINTS || code == SKIP_BYTES;
    if (skips && size > 0 && program[size - 1] >>> ARGUMENT_BITS == code) {
      program[size - 1] += argument;
      return;
    }
    if (size == program.length) {
      program = Arrays.copyOf(program, size * 2);
    }
    program[size] = code << ARGUMENT_BITS | argument;
    boolean read = (!skips && code <= DOUBLE) || code == STRING || code == STRUCTURE;
    lastRead = read ? size : lastRead;
    size++;
  }
}
