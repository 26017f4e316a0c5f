package org.buftrail.profile.push;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Environment variables as OpenTelemetry defines them. */
public final class OtelVariables {
  static final String PREFIX = "OTEL_EXPORTER_OTLP_";

  private OtelVariables() {}

  /**
   * What {@code OTEL_RESOURCE_ATTRIBUTES} and {@code OTEL_SERVICE_NAME} say of the process; empty
   * if they are not there.
   *
   * @throws IllegalArgumentException saying in one line what is wrong
   */
  public static Map<String, String> resource(Map<String, String> environment) {
    String name = "OTEL_RESOURCE_ATTRIBUTES";
    Map<String, String> resource = pairs(environment.get(name), name);
    String service = environment.get("OTEL_SERVICE_NAME");
    if (service != null && !service.isEmpty()) {
      resource.put("service.name", service);
    }
    return resource;
  }

  /** A setting of the exporter: the one for profiles, or the one for all signals. */
  static @Nullable String setting(Map<String, String> environment, String name) {
    String own = environment.get(PREFIX + "PROFILES_" + name);
    return own != null && !own.isEmpty() ? own : environment.get(PREFIX + name);
  }

  /** {@code a=1,b=2}, percent-encoded. */
  static Map<String, String> pairs(@Nullable String text, String where) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (String pair : text == null ? new String[0] : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (pair.trim().isEmpty()) {
        continue;
      }
      if (equals < 1) {
        throw new IllegalArgumentException(where + " is not of the form name=value,name=value");
      }
      pairs.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
    }
    return pairs;
  }

  private static String decode(String text) {
    String plain = text.trim();
    try {
      return URLDecoder.decode(plain.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return plain;
    }
  }
}
