package org.buftrail.profile.push;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Authenticator;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer, on a thread that ends with it.
 *
 * <p>The thread is there for the time-out. That of a connection begins anew with each byte that
 * comes, and there is none for bytes that do not leave, so a receiver that trickles would hold its
 * caller for ever. The caller waits for the thread instead, and leaves it when the time is over;
 * then the connection is closed under it, or, while a body is read, which keeps the JDK from
 * closing, it ends after the piece that comes next. What became of the request is kept in {@code
 * ifLate} as far as it is known: the exchange writes it, the caller reads it once.
 */
final class Exchange {
  private static final int MAX_ANSWER = 1 << 16;

  private final PushTarget target;
  private final byte[] body;
  private final String timedOut;
  private volatile Sender.Outcome ifLate;
  private volatile @Nullable HttpURLConnection connection;
  private volatile boolean reading;
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
    // To close may take its time too: what remains of a body is skipped.
    startDaemon(
        () -> {
          task.run();
          close();
        },
        "buftrail-request");
    return task;
  }

  /** Ends it, since its time is over, and says what is known of it. */
  Sender.Outcome abandon() {
    // In this order, so that a request that counts as not sent is not sent after that.
    abandoned = true;
    Sender.Outcome known = ifLate;
    HttpURLConnection open = connection;
    if (open != null && !reading) {
      // To close waits for whoever reads or, in TLS, writes at the moment; the caller must not.
      startDaemon(open::disconnect, "buftrail-disconnect");
    }
    return known;
  }

  private static void startDaemon(Runnable work, String name) {
    Thread thread = new Thread(null, work, name, 0, false);
    thread.setDaemon(true);
    thread.start();
  }

  private Sender.Outcome perform() {
    try {
      HttpURLConnection opened = open();
      opened.setFixedLengthStreamingMode(body.length);
      if (target.isGzip()) {
        opened.setRequestProperty("Content-Encoding", "gzip");
      }
      opened.connect();
      Sender.Outcome unsent = ifLate;
      ifLate = Sender.Outcome.of(Sender.Fate.UNCERTAIN, timedOut);
      if (abandoned) {
        return unsent;
      }
      try (OutputStream out = opened.getOutputStream()) {
        out.write(body);
      }
      return read(opened);
    } catch (IOException | RuntimeException e) {
      return failed(e);
    }
  }

  /** The outcome when an exception ended the exchange. */
  private Sender.Outcome failed(Throwable e) {
    if (e instanceof SocketTimeoutException) {
      return ifLate;
    }
    boolean unreached =
        e instanceof ConnectException
            || e instanceof UnknownHostException
            || e instanceof NoRouteToHostException;
    return Sender.Outcome.of(
        unreached ? Sender.Fate.LATER : ifLate.fate(), Failure.describe(e, target.url().getHost()));
  }

  private HttpURLConnection open() throws IOException {
    HttpURLConnection opened = (HttpURLConnection) target.url().openConnection();
    opened.setRequestMethod("POST");
    opened.setDoOutput(true);
    opened.setInstanceFollowRedirects(false);
    opened.setUseCaches(false);
    opened.setConnectTimeout(target.timeoutMillis());
    opened.setReadTimeout(target.timeoutMillis());
    for (Map.Entry<String, String> header : target.headers().entrySet()) {
      opened.setRequestProperty(header.getKey(), header.getValue());
    }
    opened.setRequestProperty("Content-Type", "application/x-protobuf");
    opened.setRequestProperty("User-Agent", "Buftrail");
    connection = opened;
    return opened;
  }

  private void close() {
    HttpURLConnection open = connection;
    if (open != null) {
      open.disconnect();
    }
  }

  private Sender.Outcome read(HttpURLConnection opened) throws IOException {
    int status = opened.getResponseCode();
    if (status < 0) {
      throw new IOException("the answer is not HTTP");
    }
    String said = "status " + status;
    switch (status) {
      case 429:
      case 502:
      case 503:
      case 504:
        long wait = RetryAfter.seconds(opened);
        ifLate = Sender.Outcome.later(said, wait);
        return Sender.Outcome.later(said + reason(opened), wait);
      default:
        break;
    }
    if (status < 200 || status > 299) {
      ifLate = Sender.Outcome.of(Sender.Fate.REFUSED, said);
      String reason = status == HttpURLConnection.HTTP_UNAUTHORIZED ? askWhy() : reason(opened);
      return Sender.Outcome.of(Sender.Fate.REFUSED, said + reason);
    }
    ifLate = Sender.Outcome.of(Sender.Fate.UNCERTAIN, said + ", then " + timedOut);
    return Sender.Outcome.accepted(PartialSuccess.read(readSome(opened.getInputStream())));
  }

  /**
   * The reason for a 401. A connection that streams its request, which keeps the JDK from sending
   * it twice, drops the body of that answer; so the same is asked with a request that is empty.
   */
  private String askWhy() {
    try {
      HttpURLConnection opened = open();
      opened.setAuthenticator(new Authenticator() {});
      opened.getOutputStream().close();
      return opened.getResponseCode() == HttpURLConnection.HTTP_UNAUTHORIZED ? reason(opened) : "";
    } catch (IOException | RuntimeException e) {
      return "";
    }
  }

  /** What the body says, after a colon; empty if it does not come or says nothing. */
  private String reason(HttpURLConnection opened) {
    try {
      InputStream errors = opened.getErrorStream();
      byte[] said = readSome(errors == null ? opened.getInputStream() : errors);
      String reason = Refusal.describe(opened.getContentType(), said);
      return reason.isEmpty() ? "" : ": " + reason;
    } catch (IOException | RuntimeException e) {
      // The status is known, which is what counts.
      return "";
    }
  }

  /** The body, or its first 64 KiB. */
  private byte[] readSome(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] buffer = new byte[8 << 10];
    reading = true;
    while (bytes.size() < MAX_ANSWER && !abandoned) {
      int read = in.read(buffer, 0, Math.min(buffer.length, MAX_ANSWER - bytes.size()));
      if (read < 0) {
        break;
      }
      bytes.write(buffer, 0, read);
    }
    return bytes.toByteArray();
  }
}
