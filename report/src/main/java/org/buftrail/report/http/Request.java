package org.buftrail.report.http;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The head of a request. Immutable. */
public final class Request {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final String method;
  private final URI uri;
  private final boolean chunks;
  private final Map<String, List<String>> headers;

  /**
   * @param chunks whether an answer may come in chunks, as in HTTP/1.1
   * @param headers their values by their names in lower case
   */
  public Request(String method, URI uri, boolean chunks, Map<String, List<String>> headers) {
    this.method = method;
    this.uri = uri;
    this.chunks = chunks;
    this.headers = headers;
  }

  /** The method, as it was sent. */
  public String method() {
    return method;
  }

  /** Path and query. */
  public URI uri() {
    return uri;
  }

  /** The only value of a header, or null; a header that is there twice has none. */
  public @Nullable String header(String name) {
    List<String> values = headers.get(name.toLowerCase(Locale.ROOT));
    return values != null && values.size() == 1 ? values.get(0) : null;
  }

  /**
   * Whether the {@code Host} header names this machine. A page whose name was made to point here
   * (DNS rebinding) sends that name.
   */
  public boolean isForThisHost() {
    String host = header("Host");
    if (host == null) {
      return false;
    }
    int colon = host.lastIndexOf(':');
    String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    return LOOPBACK.contains(name.toLowerCase(Locale.ROOT));
  }

  /** Whether the answer may come in chunks. */
  boolean takesChunks() {
    return chunks;
  }
}
