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
  private static final int MAX_PORT = 65_535;

  /** {@code token} and {@code field-value} of RFC 9110, 5.6.2 and 5.5. */
  private static final String HEADER_NAME = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";

  private static final String HEADER_VALUE = "[^\\x00-\\x08\\x0A-\\x1F\\x7F]*";

  private final URL url;
  private final Map<String, String> headers;
  private final int timeoutMillis;
  private final boolean gzip;
  private final Map<String, String> resource;

  private PushTarget(URL url, Map<String, String> environment) {
    this(
        url,
        headers(
            OtelVariables.pairs(OtelVariables.setting(environment, "HEADERS"), PREFIX + "HEADERS"),
            PREFIX + "HEADERS"),
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
   * @param endpoint a URL, to which the path is added if it has none, with its query if it has one;
   *     null for what the environment says
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
        check(uri, where);
        String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceAll("/+$", "");
        String whole = appendPath || path.isEmpty() ? path + PATH : path;
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new URL(uri.getScheme() + "://" + uri.getRawAuthority() + whole + query);
      }
    } catch (URISyntaxException | MalformedURLException e) {
      // Said below.
    }
    // The part before an @ may be a password.
    throw new IllegalArgumentException(
        where
            + " is '"
            + text.replaceAll("//.*@", "//...@")
            + "': it must be a URL such as http://collector:4318");
  }

  private static void check(URI uri, String where) {
    if (uri.getRawUserInfo() != null) {
      throw new IllegalArgumentException(
          where
              + " must not name a user and a password; give them as "
              + (where.startsWith("--") ? "--header " : PREFIX + "HEADERS=")
              + "Authorization=...");
    }
    int port = uri.getPort();
    if (port == 0 || port > MAX_PORT) {
      throw new IllegalArgumentException(
          where + " is '" + uri + "': the port must be 1 to " + MAX_PORT);
    }
  }

  /** The headers, if HTTP allows them. Their values may be secret, so messages leave them out. */
  private static Map<String, String> headers(Map<String, String> headers, String where) {
    headers.forEach(
        (name, value) -> {
          if (!name.matches(HEADER_NAME)) {
            throw new IllegalArgumentException(
                where
                    + ": '"
                    + OneLine.of(name)
                    + "' is no name of a header: letters, digits and !#$%&'*+-.^_`|~ only");
          }
          if (!value.matches(HEADER_VALUE)) {
            throw new IllegalArgumentException(
                where + ": the value of " + name + " has a line break or a control character");
          }
        });
    return headers;
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

  /**
   * A copy with further headers, which override those of the environment.
   *
   * @param option what the user calls them, for messages
   * @throws IllegalArgumentException saying in one line which HTTP does not allow
   */
  public PushTarget withHeaders(Map<String, String> more, String option) {
    Map<String, String> all = new LinkedHashMap<>(headers);
    all.putAll(headers(more, option));
    return new PushTarget(url, all, timeoutMillis, gzip, resource);
  }

  /** A copy with another limit for a request and its answer, in milliseconds. */
  public PushTarget withTimeout(int millis) {
    return new PushTarget(url, headers, millis, gzip, resource);
  }

  /** A copy whose requests are packed, or not. */
  public PushTarget withGzip(boolean wanted) {
    return new PushTarget(url, headers, timeoutMillis, wanted, resource);
  }

  /** Where requests go, without the query, which may hold a key. */
  @Override
  public String toString() {
    String text = url.toString();
    return url.getQuery() == null ? text : text.substring(0, text.indexOf('?'));
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

  /** The attributes that the environment gives the process; may be empty. */
  public Map<String, String> resource() {
    return resource;
  }
}
