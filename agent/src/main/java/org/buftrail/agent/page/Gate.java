package org.buftrail.agent.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Set;
import org.buftrail.report.http.Request;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests are let through. Immutable.
 *
 * <p>Against a name that is made to point here (DNS rebinding) stands the check of {@code Host};
 * against other pages in the same browser, that the token is a header and no cookie, and that what
 * changes anything needs a header that pages of another origin may not send.
 */
final class Gate {
  static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int MISDIRECTED = 421;
  private static final int FORBIDDEN = 403;
  private static final int TOO_LARGE = 413;
  private static final int TOO_LONG = 414;
  private static final long MAX_BODY = 1_024;
  private static final int MAX_URI = 1_024;

  /** The header that requests which change something must carry, with any value. */
  static final String INTENT = "X-Buftrail";

  private final boolean remote;
  private final byte @Nullable [] token;

  /**
   * @param remote whether requests from other hosts are wanted
   * @param token what requests must present, or null to let all through
   */
  Gate(boolean remote, @Nullable String token) {
    this.remote = remote;
    this.token = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The status to answer with, {@link #OK} to go on.
   *
   * @param routes the only method of each path
   * @param open paths that need no token: they hold nothing of the application
   */
  int check(Request request, Map<String, String> routes, Set<String> open) {
    if (remote ? request.header("Host") == null : !request.isForThisHost()) {
      return MISDIRECTED;
    }
    if (request.uri().toString().length() > MAX_URI) {
      return TOO_LONG;
    }
    if (isTooLarge(request)) {
      return TOO_LARGE;
    }
    String path = request.uri().getPath();
    String method = path == null ? null : routes.get(path);
    boolean isOpen = method != null && open.contains(path);
    if (!isOpen && !isTokenRight(request.header("Authorization"))) {
      return UNAUTHORIZED;
    }
    if (method == null) {
      return NOT_FOUND;
    }
    if (!method.equals(request.method())) {
      return NOT_ALLOWED;
    }
    return method.equals("GET") || isIntended(request) ? OK : FORBIDDEN;
  }

  /** A body has no use here; without a length it could be endless. */
  private static boolean isTooLarge(Request request) {
    if (request.header("Transfer-Encoding") != null) {
      return true;
    }
    String length = request.header("Content-Length");
    if (length == null) {
      return false;
    }
    try {
      long bytes = Long.parseLong(length.trim());
      return bytes < 0 || bytes > MAX_BODY;
    } catch (NumberFormatException e) {
      return true;
    }
  }

  private boolean isTokenRight(@Nullable String authorization) {
    if (token == null) {
      return true;
    }
    String scheme = "Bearer ";
    if (authorization == null
        || !authorization.regionMatches(true, 0, scheme, 0, scheme.length())) {
      return false;
    }
    byte[] presented = authorization.substring(scheme.length()).getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(token, presented);
  }

  private static boolean isIntended(Request request) {
    String origin = request.header("Origin");
    String host = request.header("Host");
    return request.header(INTENT) != null
        && (origin == null || origin.equals("http://" + host) || origin.equals("https://" + host));
  }
}
