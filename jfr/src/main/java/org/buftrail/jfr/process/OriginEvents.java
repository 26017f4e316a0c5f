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
import org.buftrail.jfr.events.OriginTypes;
import org.buftrail.jfr.file.DamageException;
import org.buftrail.jfr.file.Window;
import org.buftrail.jfr.schema.Layout;
import org.buftrail.jfr.schema.Metadata;
import org.buftrail.jfr.schema.TypeDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * Decodes those events of a chunk that tell of the process that made it, and how it was sampled.
 */
public final class OriginEvents {
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

  public OriginEvents(Constants constants, ChunkTexts texts) {
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
  public void read(Window window, EventTypes types, long[] offsets) throws IOException, DamageException {
    if (layoutsOf != types) {
      layoutsOf = types;
      layouts.clear();
    }
    for (long offset : offsets) {
      window.seek(offset);
      window.require((int) Math.min(20, window.end() - offset), "an event");
      int start = window.position;
      int size = window.i4();
      window.position = start;
      window.require(size, "an event");
      window.i4();
      EventTypes.Entry entry = types.entry(window.i8());
      Layout layout = layout(types, entry);
      if (layout != null) {
        Arrays.fill(slots, 0);
        layout.readWanted(window, slots);
        if (window.remaining() < 0) {
          throw new DamageException(
              offset, "a " + entry.name + " event is shorter than its fields");
        }
        add(window, types.metadata(), entry.name);
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
          case OriginTypes.SETTING -> new String[] {"name", "value", "id"};
          case OriginTypes.JVM ->
              new String[] {
                "jvmName", "jvmVersion", "jvmArguments", "javaArguments", "pid", "jvmStartTime"
              };
          case OriginTypes.LIBRARY -> new String[] {"name", OriginTypes.BUILD_ID, "baseAddress", "topAddress"};
          case OriginTypes.ENVIRONMENT, OriginTypes.PROPERTY -> new String[] {"key", "value"};
          default -> new String[] {"osVersion"};
        };
    Layout layout = types.layout(type, wanted);
    layouts.put(entry.name, layout);
    return layout;
  }

  private void add(Window window, Metadata metadata, String type) {
    switch (type) {
      case OriginTypes.SETTING -> addSetting(window, metadata.name(slots[2]));
      case OriginTypes.JVM -> {
        process = new ProcessId(slots[4], slots[5]);
        add(type, texts(window, 4), List.of(slots[4]));
      }
      case OriginTypes.LIBRARY -> add(type, texts(window, 2), List.of(slots[2], slots[3]));
      case OriginTypes.ENVIRONMENT, OriginTypes.PROPERTY -> add(type, texts(window, 2), List.of());
      default -> add(type, texts(window, 1), List.of());
    }
  }

  private void add(String type, List<String> strings, List<Long> numbers) {
    events.add(new Event(type, "", strings, numbers));
  }

  private void addSetting(Window window, @Nullable String subject) {
    // A OriginTypes.JVM writes some hundred settings into each chunk, most of them of other events.
    if (subject != null && SamplingSettings.concern(subject)) {
      String name = text(window, 0);
      if (SamplingSettings.isKnown(name)) {
        events.add(new Event(OriginTypes.SETTING, subject, List.of(name, text(window, 1)), List.of()));
      }
    }
  }

  private List<String> texts(Window window, int count) {
    List<String> found = new ArrayList<>(count);
    for (int slot = 0; slot < count; slot++) {
      found.add(text(window, slot));
    }
    return found;
  }

  private String text(Window window, int slot) {
    long number = texts.intern(window, slots[slot]);
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
