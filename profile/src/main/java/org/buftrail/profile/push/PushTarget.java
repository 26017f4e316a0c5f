package org.buftrail.agent.push;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where profiles are sent and how, from the option and from the environment that OpenTelemetry
 * defines. Immutable.
 *
 * <p>{@code OTEL_EXPORTER_OTLP_PROFILES_*} comes before {@code OTEL_EXPORTER_OTLP_*}, the option
 * before both. {@code ENDPOINT}, {@code HEADERS}, {@code TIMEOUT} (milliseconds) and {@code
 * COMPRESSION} ({@code gzip}, the default here, or {@code none}) are read, and {@code
 * OTEL_SERVICE_NAME} and {@code OTEL_RESOURCE_ATTRIBUTES}.
 */
public final class PushTarget {
  private static final String PATH = "/v1development/profiles";
  private static final String BY_ENVIRONMENT = "on";
  private static final String DEFAULT_ENDPOINT = "http://localhost:4318";
  private static final String PREFIX = "OTEL_EXPORTER_OTLP_";
  private static final int DEFAULT_TIMEOUT_MILLIS = 10_000;

  private final URL url;
  private final Map<String, String> headers;
  private final int timeoutMillis;
  private final boolean gzip;
  private final Map<String, String> resource;

  private PushTarget(URL url, Map<String, String> environment) {
    this.url = url;
    this.headers = pairs(setting(environment, "HEADERS"), "HEADERS");
    this.timeoutMillis = timeout(setting(environment, "TIMEOUT"));
    this.gzip = gzip(setting(environment, "COMPRESSION"));
    this.resource = resource(environment);
  }

  /**
   * Reads the option.
   *
   * @param otlp a URL, to which the path is added if it has none; or {@code on} for what the
   *     environment says
   * @throws IllegalArgumentException saying in one line what is wrong
   */
  public static PushTarget of(String otlp, Map<String, String> environment) {
    if (!otlp.equals(BY_ENVIRONMENT)) {
      return new PushTarget(url(otlp, "option 'otlp'", false), environment);
    }
    String own = environment.get(PREFIX + "PROFILES_ENDPOINT");
    if (own != null && !own.isEmpty()) {
      return new PushTarget(url(own, PREFIX + "PROFILES_ENDPOINT", false), environment);
    }
    String common = environment.getOrDefault(PREFIX + "ENDPOINT", "");
    return new PushTarget(
        url(common.isEmpty() ? DEFAULT_ENDPOINT : common, PREFIX + "ENDPOINT", true), environment);
  }

  private static URL url(String text, String where, boolean appendPath) {
    try {
      URI uri = new URI(text.trim());
      boolean http = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (http && uri.getHost() != null) {
        String path = uri.getPath() == null ? "" : uri.getPath().replaceAll("/+$", "");
        String whole = appendPath || path.isEmpty() ? path + PATH : path;
        return new URI(uri.getScheme(), null, uri.getHost(), uri.getPort(), whole, null, null)
            .toURL();
      }
    } catch (URISyntaxException | MalformedURLException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        where + " is '" + text + "': it must be a URL such as http://collector:4318");
  }

  private static @Nullable String setting(Map<String, String> environment, String name) {
    String own = environment.get(PREFIX + "PROFILES_" + name);
    return own != null && !own.isEmpty() ? own : environment.get(PREFIX + name);
  }

  /** {@code a=1,b=2}, percent-encoded. */
  private static Map<String, String> pairs(@Nullable String text, String where) {
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

  private static int timeout(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return DEFAULT_TIMEOUT_MILLIS;
    }
    try {
      int millis = Integer.parseInt(text.trim());
      if (millis > 0) {
        return millis;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        PREFIX + "TIMEOUT is '" + text + "': it must be a number of milliseconds");
  }

  private static boolean gzip(@Nullable String text) {
    if (text == null || text.isEmpty() || text.equals("gzip")) {
      return true;
    }
    if (text.equals("none")) {
      return false;
    }
    throw new IllegalArgumentException(
        PREFIX + "COMPRESSION is '" + text + "': it must be gzip or none");
  }

  private static Map<String, String> resource(Map<String, String> environment) {
    String name = "OTEL_RESOURCE_ATTRIBUTES";
    Map<String, String> resource = new LinkedHashMap<>(pairs(environment.get(name), name));
    String service = environment.get("OTEL_SERVICE_NAME");
    if (service != null && !service.isEmpty()) {
      resource.put("service.name", service);
    }
    resource.putIfAbsent("service.name", "unknown_service:java");
    resource.put("process.pid", Long.toString(ProcessHandle.current().pid()));
    return resource;
  }

  @Override
  public String toString() {
    return url.toString();
  }

  /** Where requests go. */
  URL url() {
    return url;
  }

  /** Headers beside those of the format. */
  Map<String, String> headers() {
    return headers;
  }

  int timeoutMillis() {
    return timeoutMillis;
  }

  boolean isGzip() {
    return gzip;
  }

  /** Attributes of the resource. */
  Map<String, String> resource() {
    return resource;
  }
}
