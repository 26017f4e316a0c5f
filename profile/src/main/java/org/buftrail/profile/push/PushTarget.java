package org.buftrail.profile.push;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where profiles are sent and how, from options and from the environment that OpenTelemetry
 * defines. Immutable.
 *
 * <p>{@code OTEL_EXPORTER_OTLP_PROFILES_*} comes before {@code OTEL_EXPORTER_OTLP_*}, options
 * before both. {@code ENDPOINT}, {@code HEADERS}, {@code TIMEOUT} (milliseconds) and {@code
 * COMPRESSION} ({@code gzip}, the default here, or {@code none}) are read, and {@code
 * OTEL_SERVICE_NAME} and {@code OTEL_RESOURCE_ATTRIBUTES}.
 */
public final class PushTarget {
  private static final String PATH = "/v1development/profiles";
  private static final String DEFAULT_ENDPOINT = "http://localhost:4318";
  private static final String PREFIX = OtelVariables.PREFIX;
  private static final int DEFAULT_TIMEOUT_MILLIS = 10_000;

  private final URL url;
  private final Map<String, String> headers;
  private final int timeoutMillis;
  private final boolean gzip;
  private final Map<String, String> resource;

  private PushTarget(URL url, Map<String, String> environment) {
    this(
        url,
        OtelVariables.pairs(OtelVariables.setting(environment, "HEADERS"), "HEADERS"),
        timeout(OtelVariables.setting(environment, "TIMEOUT")),
        gzip(OtelVariables.setting(environment, "COMPRESSION")),
        OtelVariables.resource(environment));
  }

  private PushTarget(
      URL url,
      Map<String, String> headers,
      int timeoutMillis,
      boolean gzip,
      Map<String, String> resource) {
    this.url = url;
    this.headers = headers;
    this.timeoutMillis = timeoutMillis;
    this.gzip = gzip;
    this.resource = resource;
  }

  /**
   * A target.
   *
   * @param endpoint a URL, to which the path is added if it has none; null for what the environment
   *     says
   * @param option what the user calls the endpoint, for messages
   * @throws IllegalArgumentException saying in one line what is wrong
   */
  public static PushTarget of(
      @Nullable String endpoint, String option, Map<String, String> environment) {
    if (endpoint != null) {
      return new PushTarget(url(endpoint, option, false), environment);
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

  /** The same with further headers, which come before those of the environment. */
  public PushTarget withHeaders(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.putAll(more);
    return new PushTarget(url, all, timeoutMillis, gzip, resource);
  }

  /** The same with another time to wait for an answer, in milliseconds. */
  public PushTarget withTimeout(int millis) {
    return new PushTarget(url, headers, millis, gzip, resource);
  }

  /** The same with requests packed or not. */
  public PushTarget withGzip(boolean wanted) {
    return new PushTarget(url, headers, timeoutMillis, wanted, resource);
  }

  @Override
  public String toString() {
    return url.toString();
  }

  /** Where requests go. */
  public URL url() {
    return url;
  }

  /** Headers beside those of the format. */
  Map<String, String> headers() {
    return headers;
  }

  int timeoutMillis() {
    return timeoutMillis;
  }

  /** Whether requests are packed. */
  public boolean isGzip() {
    return gzip;
  }

  /** What the environment says of the process; empty if nothing. */
  public Map<String, String> resource() {
    return resource;
  }
}
