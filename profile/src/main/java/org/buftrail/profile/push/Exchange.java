package org.buftrail.profile.push;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, on a thread and a connection of its own, which end with it.
 *
 * <p>The thread is there for the time-out. That of a socket begins anew with each byte that comes,
 * and there is none for bytes that do not leave, so a receiver that trickles would hold its caller
 * for ever. The caller waits for the thread instead, and closes the connection under it when the
 * time is over. What became of the request is kept in {@code ifLate} as far as it is known: the
 * exchange writes it, the caller reads it once.
 */
final class Exchange {
  private final PushTarget target;
  private final byte[] body;
  private final String timedOut;
  private volatile Sender.Outcome ifLate;
  private volatile @Nullable Socket socket;
  private volatile boolean abandoned;

  Exchange(PushTarget target, byte[] body) {
    this.target = target;
    this.body = body;
    this.timedOut = "timed out after " + target.timeoutMillis() + " ms";
    this.ifLate = Sender.Outcome.of(Sender.Fate.LATER, timedOut);
  }

  /** Begins it. */
  Future<Sender.Outcome> start() {
    FutureTask<Sender.Outcome> task = new FutureTask<>(this::perform);
    Thread thread = new Thread(null, task, "buftrail-request", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
    return task;
  }

  /** Ends it, since its time is over, and says what is known of it. */
  Sender.Outcome abandon() {
    // In this order, so that a request that counts as not sent is not sent after that.
    abandoned = true;
    Sender.Outcome known = ifLate;
    close();
    return known;
  }

  private Sender.Outcome perform() {
    try {
      Route route = Route.to(target.url());
      // The socket below TLS: to close that one waits for nobody.
      Socket plain = route.socket();
      socket = plain;
      Socket connected = route.connect(plain, target.timeoutMillis());
      Sender.Outcome unsent = ifLate;
      ifLate = Sender.Outcome.of(Sender.Fate.UNCERTAIN, timedOut);
      if (abandoned) {
        return unsent;
      }
      IOException unsaid = write(route, connected.getOutputStream());
      Answer answer;
      try {
        answer = Answer.read(new BufferedInputStream(connected.getInputStream()));
      } catch (IOException e) {
        throw unsaid == null ? e : unsaid;
      }
      return read(answer);
    } catch (Throwable e) {
      return failed(e);
    } finally {
      close();
    }
  }

  /** Sends the request; a receiver that stops reading may have answered, so that failure waits. */
  private @Nullable IOException write(Route route, OutputStream out) {
    try {
      out.write(head(route).getBytes(StandardCharsets.UTF_8));
      out.write(body);
      out.flush();
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  private String head(Route route) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.put("Host", route.authority());
    headers.put("User-Agent", "Buftrail");
    headers.putAll(target.headers());
    headers.remove("Transfer-Encoding");
    headers.put("Connection", "close");
    headers.put("Content-Type", "application/x-protobuf");
    headers.put("Content-Length", Integer.toString(body.length));
    if (target.isGzip()) {
      headers.put("Content-Encoding", "gzip");
    }
    StringBuilder head = new StringBuilder("POST ").append(route.requestTarget());
    head.append(" HTTP/1.1\r\n");
    headers.forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    return head.append("\r\n").toString();
  }

  /** The outcome when something ended the exchange. */
  private Sender.Outcome failed(Throwable e) {
    if (e instanceof SocketTimeoutException || abandoned) {
      return ifLate;
    }
    String reason = Failure.describe(e, target.url().getHost());
    boolean sent = ifLate.fate() != Sender.Fate.LATER;
    if (e instanceof SSLException && !sent && !isBroken(e)) {
      return Sender.Outcome.of(Sender.Fate.INSECURE, reason);
    }
    boolean unreached =
        e instanceof ConnectException
            || e instanceof UnknownHostException
            || e instanceof NoRouteToHostException;
    return Sender.Outcome.of(unreached ? Sender.Fate.LATER : ifLate.fate(), reason);
  }

  /** Whether TLS failed because the connection did, which may be better the next time. */
  private static boolean isBroken(Throwable e) {
    for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
      if (cause instanceof EOFException
          || cause instanceof SocketException
          || cause instanceof SocketTimeoutException) {
        return true;
      }
    }
    return false;
  }

  private void close() {
    Socket open = socket;
    try {
      if (open != null) {
        open.close();
      }
    } catch (IOException e) {
      // It is closed all the same.
    }
  }

  private Sender.Outcome read(Answer answer) throws IOException {
    int status = answer.status();
    String said = "status " + status;
    switch (status) {
      case 429:
      case 502:
      case 503:
      case 504:
        long wait = RetryAfter.seconds(answer.header(RetryAfter.NAME), System.currentTimeMillis());
        ifLate = Sender.Outcome.later(said, wait);
        return Sender.Outcome.later(said + reason(answer), wait);
      default:
        break;
    }
    if (status > 299) {
      ifLate = Sender.Outcome.refused(said, status);
      return Sender.Outcome.refused(said + reason(answer), status);
    }
    ifLate = Sender.Outcome.of(Sender.Fate.UNCERTAIN, said + ", then " + timedOut);
    return Sender.Outcome.accepted(PartialSuccess.read(answer.body()));
  }

  /** What the body says, after a colon; empty if it does not come or says nothing. */
  private static String reason(Answer answer) {
    try {
      String reason = Refusal.describe(answer.header("Content-Type"), answer.body());
      return reason.isEmpty() ? "" : ": " + reason;
    } catch (IOException e) {
      // The status is known, which is what counts.
      return "";
    }
  }
}
