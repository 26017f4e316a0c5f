package org.buftrail.agent.page;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the page listens and who may see it, as the options say. Immutable. */
public final class PageAddress {
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1", "[::1]");
  private static final int SHORTEST_TOKEN = 16;
  private static final String NO_TOKEN = "off";

  private final String host;
  private final int port;
  private final boolean remote;
  private final @Nullable String token;
  private final boolean tokenWanted;

  private PageAddress(
      String host, int port, boolean remote, @Nullable String token, boolean tokenWanted) {
    this.host = host;
    this.port = port;
    this.remote = remote;
    this.token = token;
    this.tokenWanted = tokenWanted;
  }

  /**
   * Reads the options.
   *
   * @param http {@code PORT} or {@code HOST:PORT}; port 0 takes any that is free
   * @param remote whether other hosts may reach it
   * @param token at least 16 characters, {@code off} for none, null to have one made
   * @throws IllegalArgumentException saying in one line what is wrong
   */
  public static PageAddress of(String http, boolean remote, @Nullable String token) {
    int colon = http.lastIndexOf(':');
    String host = colon < 0 ? "127.0.0.1" : http.substring(0, colon);
    int port = port(http, http.substring(colon + 1));
    boolean loopback = LOOPBACK.contains(host);
    if (!loopback && !remote) {
      throw new IllegalArgumentException(
          "option 'http': "
              + host
              + " can be reached from other hosts; if that is wanted, say"
              + " httpRemote=true");
    }
    if (token == null || token.isEmpty()) {
      return new PageAddress(host, port, !loopback, null, true);
    }
    if (token.equals(NO_TOKEN)) {
      if (!loopback) {
        throw new IllegalArgumentException(
            "option 'httpToken': a page for other hosts needs a token");
      }
      return new PageAddress(host, port, false, null, false);
    }
    if (token.length() < SHORTEST_TOKEN || !token.matches("[!-~]+")) {
      throw new IllegalArgumentException(
          "option 'httpToken': it must have at least "
              + SHORTEST_TOKEN
              + " printable characters, or be off");
    }
    return new PageAddress(host, port, !loopback, token, true);
  }

  private static int port(String http, String text) {
    try {
      int port = Integer.parseInt(text.trim());
      if (port >= 0 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException(
        "option 'http' is '" + http + "': it must be PORT or HOST:PORT with a port up to 65535");
  }

  /** Without the brackets of an IPv6 address. */
  String host() {
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  int port() {
    return port;
  }

  boolean isRemote() {
    return remote;
  }

  /** The token given, or null. */
  @Nullable String token() {
    return token;
  }

  boolean isTokenWanted() {
    return tokenWanted;
  }

  /** The host as an address in a browser has it. */
  String display() {
    return host().indexOf(':') >= 0 ? "[" + host() + "]" : host();
  }
}
