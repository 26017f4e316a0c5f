package org.buftrail.profile.push;

import java.io.EOFException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Locale;
import javax.net.ssl.SSLException;

/** What went wrong on the way to a receiver, in words. */
final class Failure {
  private static final String CLASS_NAME = "\\b(?:\\w+\\.)+\\w*(?:Exception|Error)(?:: |$)";

  private Failure() {}

  /** One line. */
  static String describe(Throwable e, String host) {
    String message = e.getMessage() == null ? "" : e.getMessage().replaceAll(CLASS_NAME, "");
    if (e instanceof UnknownHostException) {
      return "no such host: " + OneLine.of(host);
    }
    if (e instanceof NoRouteToHostException) {
      return "no route to the host";
    }
    if (e instanceof ConnectException) {
      String plain = message.toLowerCase(Locale.ROOT);
      boolean refused = plain.contains("refused");
      return refused ? "connection refused" : with("connection failed", message);
    }
    if (e instanceof SSLException) {
      return with("no secure connection", message);
    }
    if (e instanceof SocketException || e instanceof EOFException) {
      return with("connection closed", message);
    }
    return with("the exchange failed", message);
  }

  private static String with(String words, String message) {
    String line = OneLine.of(message);
    return line.isEmpty() ? words : words + " (" + line + ")";
  }
}
