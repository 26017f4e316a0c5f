package org.buftrail.jfr.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.buftrail.jfr.constants.ChunkTexts;
import org.buftrail.jfr.constants.Constants;
import org.buftrail.jfr.events.EventTypes;
import org.buftrail.jfr.events.ProcessEventTypes;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.jfr.schema.Layout;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.Reference;
import org.buftrail.jfr.schema.TypeDescriptor;
import org.jspecify.annotations.Nullable;

/** Decodes the events of a chunk that describe its process and its sampling. */
public final class ProcessEvents {
  private final Constants constants;
  private final ChunkTexts texts;
  private final Map<String, Fields> layouts = new HashMap<>();
  private final long[] slots = new long[6];
  private @Nullable EventTypes layoutsOf;
  private List<Event> events = new ArrayList<>();
  private @Nullable ProcessId process;
  private boolean missing;

  /**
   * An event.
   *
   * @param type name of its type
   * @param subject name of the event type that a setting is of; empty for others
   * @param texts its texts
   * @param numbers its numbers
   */
  public record Event(String type, String subject, List<String> texts, List<Long> numbers) {}

  /** An event that is in a buffer, and what the slots that it was read to hold. */
  private record Slots(RecordingBuffer buffer, List<@Nullable Reference> references) {}

  /** How the events of a type are read, and what their slots hold. */
  private record Fields(Layout layout, List<@Nullable Reference> references) {}

  public ProcessEvents(Constants constants, ChunkTexts texts) {
    this.constants = constants;
    this.texts = texts;
  }

  /** Those of the chunk that was read last. */
  public List<Event> events() {
    return events;
  }

  /** The process, if the chunk says which it is. */
  public @Nullable ProcessId process() {
    return process;
  }

  /** Whether a text is missing in the constants. */
  public boolean isAnyMissing() {
    return missing;
  }

  /** Forgets the events of the last chunk. */
  public void clear() {
    events = new ArrayList<>();
    process = null;
    missing = false;
  }

  /** Reads events of a chunk whose constants are known, at their offsets in the file. */
  public void read(RecordingBuffer buffer, EventTypes types, long[] offsets)
      throws IOException, DamageException {
    if (layoutsOf != types) {
      layoutsOf = types;
      layouts.clear();
    }
    for (long offset : offsets) {
      buffer.seek(offset);
      buffer.require((int) Math.min(20, buffer.end() - offset), "an event");
      int start = buffer.position;
      int size = buffer.i4();
      buffer.position = start;
      buffer.require(size, "an event");
      buffer.i4();
      EventTypes.Entry entry = types.entry(buffer.i8());
      Fields fields = layout(types, entry);
      if (fields != null) {
        Arrays.fill(slots, 0);
        fields.layout.readWanted(buffer, slots);
        if (buffer.remaining() < 0) {
          throw new DamageException(
              offset, "a " + entry.name + " event is shorter than its fields");
        }
        add(new Slots(buffer, fields.references), types.metadata(), entry.name);
      }
    }
  }

  private @Nullable Fields layout(EventTypes types, EventTypes.Entry entry) throws DamageException {
    Fields known = layouts.get(entry.name);
    TypeDescriptor type = types.metadata().type(entry.id);
    if (known != null || type == null) {
      return known;
    }
    String[] wanted =
        switch (entry.name) {
          case ProcessEventTypes.SETTING -> new String[] {"name", "value", "id"};
          case ProcessEventTypes.JVM ->
              new String[] {
                "jvmName", "jvmVersion", "jvmArguments", "javaArguments", "pid", "jvmStartTime"
              };
          case ProcessEventTypes.LIBRARY ->
              new String[] {"name", ProcessEventTypes.BUILD_ID, "baseAddress", "topAddress"};
          case ProcessEventTypes.ENVIRONMENT, ProcessEventTypes.PROPERTY ->
              new String[] {"key", "value"};
          default -> new String[] {"osVersion"};
        };
    List<@Nullable Reference> references = new ArrayList<>();
    for (String field : wanted) {
      references.add(Reference.of(types.metadata(), type, field));
    }
    Fields fields = new Fields(types.layout(type, wanted), references);
    layouts.put(entry.name, fields);
    return fields;
  }

  private void add(Slots read, Metadata metadata, String type) throws DamageException {
    switch (type) {
      case ProcessEventTypes.SETTING -> addSetting(read, metadata.name(slots[2]));
      case ProcessEventTypes.JVM -> {
        process = new ProcessId(slots[4], slots[5]);
        add(type, texts(read, 4), List.of(slots[4]));
      }
      case ProcessEventTypes.LIBRARY -> add(type, texts(read, 2), List.of(slots[2], slots[3]));
      case ProcessEventTypes.ENVIRONMENT, ProcessEventTypes.PROPERTY ->
          add(type, texts(read, 2), List.of());
      default -> add(type, texts(read, 1), List.of());
    }
  }

  private void add(String type, List<String> strings, List<Long> numbers) {
    events.add(new Event(type, "", strings, numbers));
  }

  private void addSetting(Slots read, @Nullable String subject) throws DamageException {
    // A OriginTypes.JVM writes some hundred settings into each chunk, most of them of other events.
    if (subject != null && SamplingSettings.concern(subject)) {
      String name = text(read, 0);
      if (SamplingSettings.isKnown(name)) {
        events.add(
            new Event(ProcessEventTypes.SETTING, subject, List.of(name, text(read, 1)), List.of()));
      }
    }
  }

  private List<String> texts(Slots read, int count) throws DamageException {
    List<String> found = new ArrayList<>(count);
    for (int slot = 0; slot < count; slot++) {
      found.add(text(read, slot));
    }
    return found;
  }

  private String text(Slots read, int slot) throws DamageException {
    Reference reference = read.references.get(slot);
    long number = constants.number(read.buffer, reference, slots[slot], texts);
    if (number == 0) {
      return "";
    }
    if (!ChunkTexts.isConstant(number)) {
      return texts.string(number);
    }
    String constant = constants.string(ChunkTexts.constant(number));
    missing |= constant == null;
    return constant == null ? "" : constant;
  }
}
