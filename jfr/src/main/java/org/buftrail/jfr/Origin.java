package org.buftrail.jfr;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.profile.Attributes;
import org.buftrail.profile.dictionary.StringTable;
import org.jspecify.annotations.Nullable;

/** What a recording says of the process that made it, and of how it was sampled. */
final class Origin {
  private static final String SETTING = "jdk.ActiveSetting";
  private static final String JVM = "jdk.JVMInformation";
  private static final String OS = "jdk.OSInformation";
  private static final Set<String> EVENTS = Set.of(SETTING, JVM, OS);

  private final StringTable strings;
  private final ChunkTexts texts;
  private final Names names;
  private final Attributes resource;
  private final Map<ProfileType, Long> periods = new HashMap<>();
  private final Map<String, Layout> layouts = new HashMap<>();
  private final long[] slots = new long[4];
  private @Nullable EventTypes layoutsOf;

  Origin(StringTable strings, ChunkTexts texts, Names names, Attributes resource) {
    this.strings = strings;
    this.texts = texts;
    this.names = names;
    this.resource = resource;
  }

  /** Whether events of a type tell something of it. */
  static boolean tells(String event) {
    return EVENTS.contains(event);
  }

  /** Periods that the recordings state, in the unit of each profile's period. */
  Map<ProfileType, Long> periods() {
    return periods;
  }

  /** Reads the remembered events of a chunk whose constants are known. */
  void read(Window window, EventTypes types, long[] offsets) throws IOException, DamageException {
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
        apply(window, types.metadata(), entry.name);
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
          case SETTING -> new String[] {"id", "name", "value"};
          case JVM -> new String[] {"jvmName", "jvmVersion", "pid"};
          default -> new String[] {"osVersion"};
        };
    Layout layout = types.layout(type, wanted);
    layouts.put(entry.name, layout);
    return layout;
  }

  private void apply(Window window, Metadata metadata, String event) {
    switch (event) {
      case SETTING -> setting(window, metadata.name(slots[0]));
      case JVM -> {
        put("process.runtime.name", text(window, 0));
        put("process.runtime.description", text(window, 1));
        resource.put("process.pid", slots[2]);
      }
      default -> put("os.description", text(window, 0).strip());
    }
  }

  private void put(String key, String value) {
    if (!value.isEmpty()) {
      resource.put(key, value);
    }
  }

  private void setting(Window window, @Nullable String event) {
    EventKind kind = event == null ? null : Kinds.of(event);
    if (kind == null) {
      return;
    }
    String name = text(window, 1);
    long value = Period.parse(text(window, 2));
    if (value <= 0) {
      return;
    }
    ProfileType profile = kind.targets().get(0).profile();
    switch (name) {
      case "period", "interval", "alloc", "nativemem" -> periods.put(profile, value);
      case "wall" -> {
        ProfileType wall = kind.offCpu();
        periods.put(wall == null ? profile : wall, value);
      }
      default -> {
        // Thresholds, whether an event is on, and the like.
      }
    }
  }

  private String text(Window window, int slot) {
    return strings.get(names.text(texts.intern(window, slots[slot])));
  }
}
