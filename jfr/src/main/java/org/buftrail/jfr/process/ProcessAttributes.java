package org.buftrail.jfr.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.buftrail.jfr.events.ProcessEventTypes;
import org.buftrail.profile.Attributes;

/** Attributes from a recording about the process that made it, and about its sampling. */
public final class ProcessAttributes {
  private static final String SERVICE_NAME = "service.name";
  private static final String COMMAND_LINE = "process.command_line";

  /** As the semantic conventions have it for a line that is put together. */
  private static final String COMMAND_ARGS = "process.command_args";

  /** In bytes; Pyroscope refuses a push with a longer text among the attributes. */
  private static final int LONGEST_LINE = 2048;

  private final NativeLibraries libraries;
  private final Map<String, Object> attributes = new LinkedHashMap<>();
  private final Set<String> contradicted = new HashSet<>();
  private String program = "";
  private final SamplingSettings sampling = new SamplingSettings();

  public ProcessAttributes(NativeLibraries libraries) {
    this.libraries = libraries;
  }

  /** How the process that was read last was sampled. */
  public SamplingSettings sampling() {
    return sampling;
  }

  /** Takes note of what the next chunk says. */
  public void add(List<ProcessEvents.Event> events) {
    sampling.beginChunk();
    for (ProcessEvents.Event event : events) {
      List<String> texts = event.texts();
      switch (event.type()) {
        case ProcessEventTypes.SETTING -> sampling.add(event.subject(), texts.get(0), texts.get(1));
        case ProcessEventTypes.JVM -> jvm(texts, event.numbers().get(0));
        case ProcessEventTypes.ENVIRONMENT -> environment(texts.get(0), texts.get(1));
        case ProcessEventTypes.PROPERTY -> property(texts.get(0), texts.get(1));
        case ProcessEventTypes.LIBRARY ->
            libraries.add(
                texts.get(0), texts.get(1), event.numbers().get(0), event.numbers().get(1));
        default -> put("os.description", ProcessTexts.system(texts.get(0).strip()));
      }
    }
  }

  private void jvm(List<String> texts, long pid) {
    String version = texts.get(1);
    put("process.runtime.name", texts.get(0));
    put("process.runtime.description", version);
    put("process.runtime.version", ProcessTexts.number(version));
    String[] platform = ProcessTexts.platform(version);
    if (platform.length > 0) {
      put("os.type", platform[0]);
      put("host.arch", platform[1]);
    }
    set("process.pid", pid);
    set(COMMAND_LINE, command(texts.get(2), texts.get(3)));
    program = CommandLine.program(texts.get(3));
  }

  /** The line, or its parts where receivers do not take so long a text. */
  private static Object command(String jvmArguments, String javaArguments) {
    List<String> parts = CommandLine.arguments(jvmArguments, javaArguments);
    String line = String.join(" ", parts);
    return line.getBytes(UTF_8).length > LONGEST_LINE ? parts : line;
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
  public void describe(Attributes resource) {
    for (Map.Entry<String, Object> attribute : attributes.entrySet()) {
      if (!contradicted.contains(attribute.getKey())) {
        Object value = attribute.getValue();
        resource.putAny(value instanceof List ? COMMAND_ARGS : attribute.getKey(), value);
      }
    }
    if (!program.isEmpty() && !attributes.containsKey(SERVICE_NAME)) {
      resource.put(SERVICE_NAME, program);
    }
  }
}
