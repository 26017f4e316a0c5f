package org.buftrail.jfr.events;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.jfr.constants.ChunkTexts;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.jfr.schema.FieldDescriptor;
import org.buftrail.jfr.schema.Layout;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.Reference;
import org.buftrail.jfr.schema.TypeDescriptor;
import org.jspecify.annotations.Nullable;

/** Reads the contextual fields of the events of one type. */
public final class ContextReader {
  static final String TRACE = "traceId";
  static final String SPAN = "spanId";

  private static final String SCOPE = "io.opentelemetry.context.Scope";
  private static final String CONTEXTUAL = "jdk.jfr.Contextual";

  private static final int START = 0;
  private static final int DURATION = 1;
  private static final int THREAD = 2;

  private final List<Value> values = new ArrayList<>();
  private final Layout layout;
  private final long[] slots;

  /** How the value of a field is read from its slot. */
  private record Value(Contexts.Field field, String type, boolean constant) {}

  private ContextReader(
      TypeDescriptor type, Metadata metadata, boolean compressed, Contexts contexts)
      throws DamageException {
    List<String> wanted = new ArrayList<>(List.of("startTime", "duration", "eventThread"));
    for (FieldDescriptor field : type.fields) {
      String name = String.valueOf(metadata.name(field.typeId));
      boolean isRead = name.equals(Reference.STRING) || Layout.isNumber(name);
      if (isContext(type, field) && isRead && !field.array) {
        Contexts.Field context = contexts.field(type.name, field.name);
        if (context != null) {
          values.add(new Value(context, name, field.constantPool));
          wanted.add(field.name);
        }
      }
    }
    layout = Layout.compile(metadata, type, compressed, Layout.slotsOf(wanted));
    slots = new long[wanted.size()];
  }

  /** The reader for a type; null if none of its fields is contextual. */
  static @Nullable ContextReader of(
      TypeDescriptor type, Metadata metadata, boolean compressed, Contexts contexts)
      throws DamageException {
    FieldDescriptor thread = type.field("eventThread");
    if (thread == null || type.field("duration") == null) {
      return null;
    }
    for (FieldDescriptor field : type.fields) {
      if (isContext(type, field)) {
        return new ContextReader(type, metadata, compressed, contexts);
      }
    }
    return null;
  }

  /** Whether a chunk describes events that say something of others. */
  public static boolean isAny(Metadata metadata) {
    boolean isMarked = metadata.names().contains(CONTEXTUAL);
    if (!isMarked) {
      return metadata.names().contains(SCOPE);
    }
    for (String name : List.copyOf(metadata.names())) {
      if (hasContext(name, metadata)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasContext(String name, Metadata metadata) {
    try {
      TypeDescriptor type = metadata.type(name);
      if (type == null) {
        return false;
      }
      for (FieldDescriptor field : type.fields) {
        if (isContext(type, field)) {
          return true;
        }
      }
      return false;
    } catch (DamageException damage) {
      // Is reported where the events of the type are read.
      return false;
    }
  }

  /** The id of a span counts where that of its trace does, marked or not. */
  private static boolean isContext(TypeDescriptor type, FieldDescriptor field) {
    FieldDescriptor trace = type.field(TRACE);
    boolean isScope =
        trace != null && (trace.contextual || type.name.equals(SCOPE)) && type.field(SPAN) != null;
    return field.contextual || (isScope && (field.name.equals(TRACE) || field.name.equals(SPAN)));
  }

  /** Collects the values of the event whose fields begin at the buffer's position. */
  public void read(RecordingBuffer buffer, int end, ChunkTexts texts) {
    layout.readWanted(buffer, slots);
    if (buffer.position > end) {
      return;
    }
    for (int i = 0; i < values.size(); i++) {
      Value value = values.get(i);
      long number = number(value, slots[THREAD + 1 + i], buffer, texts);
      value.field.values().add(slots[THREAD], slots[START], slots[DURATION], number);
    }
  }

  private static long number(Value value, long slot, RecordingBuffer buffer, ChunkTexts texts) {
    return switch (value.type) {
      case Reference.STRING ->
          value.constant ? ChunkTexts.ofConstant(slot) : texts.intern(buffer, slot);
      case "float", "double" -> texts.intern(String.valueOf(Double.longBitsToDouble(slot)));
      case "boolean" -> texts.intern(String.valueOf(slot != 0));
      default -> texts.intern(String.valueOf(slot));
    };
  }
}
