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
import org.buftrail.jfr.schema.TypeDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Decodes those events of a chunk that tell of the process that made it, and how it was sampled.
 */
public final class ProcessEvents {
  private final Constants constants;
  private final ChunkTexts texts;
  private final Map<String, Layout> layouts = new HashMap<>();
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
      Layout layout = layout(types, entry);
      if (layout != null) {
        Arrays.fill(slots, 0);
        layout.readWanted(buffer, slots);
        if (buffer.remaining() < 0) {
          throw new DamageException(
              offset, "a " + entry.name + " event is shorter than its fields");
        }
        add(buffer, types.metadata(), entry.name);
      }
    }
  }

  private @Nullable Layout layout(EventTypes types, EventTypes.Entry entry) throws DamageException {
    Layout known = layouts.get(entry.name);
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
    Layout layout = types.layout(type, wanted);
    layouts.put(entry.name, layout);
    return layout;
  }

  private void add(RecordingBuffer buffer, Metadata metadata, String type) {
    switch (type) {
      case ProcessEventTypes.SETTING -> addSetting(buffer, metadata.name(slots[2]));
      case ProcessEventTypes.JVM -> {
        process = new ProcessId(slots[4], slots[5]);
        add(type, texts(buffer, 4), List.of(slots[4]));
      }
      case ProcessEventTypes.LIBRARY -> add(type, texts(buffer, 2), List.of(slots[2], slots[3]));
      case ProcessEventTypes.ENVIRONMENT, ProcessEventTypes.PROPERTY ->
          add(type, texts(buffer, 2), List.of());
      default -> add(type, texts(buffer, 1), List.of());
    }
  }

  private void add(String type, List<String> strings, List<Long> numbers) {
    events.add(new Event(type, "", strings, numbers));
  }

  private void addSetting(RecordingBuffer buffer, @Nullable String subject) {
    // A OriginTypes.JVM writes some hundred settings into each chunk, most of them of other events.
    if (subject != null && SamplingSettings.concern(subject)) {
      String name = text(buffer, 0);
      if (SamplingSettings.isKnown(name)) {
        events.add(
            new Event(
                ProcessEventTypes.SETTING, subject, List.of(name, text(buffer, 1)), List.of()));
      }
    }
  }

  private List<String> texts(RecordingBuffer buffer, int count) {
    List<String> found = new ArrayList<>(count);
    for (int slot = 0; slot < count; slot++) {
      found.add(text(buffer, slot));
    }
    return found;
  }

  private String text(RecordingBuffer buffer, int slot) {
    long number = texts.intern(buffer, slots[slot]);
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
