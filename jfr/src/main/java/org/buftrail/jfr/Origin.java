package org.buftrail.jfr;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URLDecoder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.buftrail.profile.Attributes;
import org.buftrail.profile.dictionary.StringTable;
import org.jspecify.annotations.Nullable;

/** What a recording says of the process that made it, and of how it was sampled. */
final class Origin {
  private static final String SETTING = "jdk.ActiveSetting";
  private static final String JVM = "jdk.JVMInformation";
  private static final String OS = "jdk.OSInformation";
  private static final String ENVIRONMENT = "jdk.InitialEnvironmentVariable";
  private static final String PROPERTY = "jdk.InitialSystemProperty";
  private static final String LIBRARY = "jdk.NativeLibrary";
  private static final String BUILD_ID = "buildId";
  private static final Set<String> EVENTS = Set.of(SETTING, JVM, OS, ENVIRONMENT, PROPERTY);
  private static final String SERVICE_NAME = "service.name";

  private final StringTable strings;
  private final ChunkTexts texts;
  private final Names names;
  private final NativeLibraries libraries;
  private final Map<String, Object> attributes = new LinkedHashMap<>();
  private final Set<String> contradicted = new HashSet<>();
  private String program = "";
  private final SamplingSettings sampling = new SamplingSettings();
  private final Map<String, Layout> layouts = new HashMap<>();
  private final long[] slots = new long[5];
  private @Nullable EventTypes layoutsOf;

  Origin(StringTable strings, ChunkTexts texts, Names names, NativeLibraries libraries) {
    this.libraries = libraries;
    this.strings = strings;
    this.texts = texts;
    this.names = names;
  }

  /** Whether events of a type tell something of it. */
  static boolean tells(TypeDescriptor event) {
    return EVENTS.contains(event.name)
        || (event.name.equals(LIBRARY) && event.field(BUILD_ID) != null);
  }

  /** How the process that was read last was sampled. */
  SamplingSettings sampling() {
    return sampling;
  }

  /** Reads the remembered events of a chunk whose constants are known. */
  void read(Window window, EventTypes types, long[] offsets) throws IOException, DamageException {
    if (layoutsOf != types) {
      layoutsOf = types;
      layouts.clear();
    }
    sampling.beginChunk();
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
          case JVM ->
              new String[] {"jvmName", "jvmVersion", "pid", "jvmArguments", "javaArguments"};
          case LIBRARY -> new String[] {"name", BUILD_ID, "baseAddress", "topAddress"};
          case ENVIRONMENT, PROPERTY -> new String[] {"key", "value"};
          default -> new String[] {"osVersion"};
        };
    Layout layout = types.layout(type, wanted);
    layouts.put(entry.name, layout);
    return layout;
  }

  private void apply(Window window, Metadata metadata, String event) {
    switch (event) {
      case SETTING -> setting(window, metadata.name(slots[0]));
      case JVM -> jvm(window);
      case ENVIRONMENT -> environment(text(window, 0), text(window, 1));
      case PROPERTY -> property(text(window, 0), text(window, 1));
      case LIBRARY -> libraries.add(text(window, 0), text(window, 1), slots[2], slots[3]);
      default -> put("os.description", OriginTexts.system(text(window, 0).strip()));
    }
  }

  private void jvm(Window window) {
    String version = text(window, 1);
    put("process.runtime.name", text(window, 0));
    put("process.runtime.description", version);
    put("process.runtime.version", OriginTexts.number(version));
    String[] platform = OriginTexts.platform(version);
    if (platform.length > 0) {
      put("os.type", platform[0]);
      put("host.arch", platform[1]);
    }
    set("process.pid", slots[2]);
    put("process.command_line", CommandLine.of(text(window, 3), text(window, 4)));
    program = CommandLine.program(text(window, 4));
  }

  private void environment(String name, String value) {
    switch (name) {
      case "HOSTNAME" -> put("host.name", value);
      case "OTEL_SERVICE_NAME" -> put(SERVICE_NAME, value);
      case "OTEL_RESOURCE_ATTRIBUTES" -> resourceAttributes(value);
      default -> {
        // Variables may hold secrets: only those that describe the process are looked at.
      }
    }
  }

  private void property(String name, String value) {
    switch (name) {
      case "otel.service.name" -> put(SERVICE_NAME, value);
      case "otel.resource.attributes" -> resourceAttributes(value);
      default -> {
        // As with variables.
      }
    }
  }

  private void resourceAttributes(String list) {
    for (String pair : list.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0 && !pair.substring(0, equals).isBlank()) {
        put(pair.substring(0, equals).strip(), decode(pair.substring(equals + 1).strip()));
      }
    }
  }

  private static String decode(String value) {
    try {
      return URLDecoder.decode(value.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      // Not percent-encoded after all.
      return value;
    }
  }

  private void put(String key, String value) {
    if (!value.isEmpty()) {
      set(key, value);
    }
  }

  /** Sets an attribute; where processes differ in it, it says nothing of them all. */
  private void set(String key, Object value) {
    Object known = attributes.putIfAbsent(key, value);
    if (known != null && !known.equals(value)) {
      contradicted.add(key);
    }
  }

  /** Says what is the same for all processes. */
  void describe(Attributes resource) {
    if (!program.isEmpty()) {
      attributes.putIfAbsent(SERVICE_NAME, program);
    }
    for (Map.Entry<String, Object> attribute : attributes.entrySet()) {
      if (!contradicted.contains(attribute.getKey())) {
        resource.putAny(attribute.getKey(), attribute.getValue());
      }
    }
  }

  private void setting(Window window, @Nullable String event) {
    // A JVM writes some hundred settings into each chunk, most of them of other events.
    if (event == null || !SamplingSettings.concern(event)) {
      return;
    }
    String name = text(window, 1);
    if (SamplingSettings.isKnown(name)) {
      sampling.add(event, name, text(window, 2));
    }
  }

  private String text(Window window, int slot) {
    return strings.get(names.text(texts.intern(window, slots[slot])));
  }
}
