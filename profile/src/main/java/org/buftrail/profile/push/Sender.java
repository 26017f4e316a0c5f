package org.buftrail.profile.push;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.util.Map;

/** Sends one request after the other and says what became of each. */
public final class Sender {
  private static final int MAX_ANSWER = 1 << 16;
  private static final long MAX_WAIT_SECONDS = 300;

  private final PushTarget target;

  /** What became of a request. */
  public enum Fate {
    /** The receiver has it. */
    ACCEPTED,
    /** The receiver does not have it and may take it later. */
    LATER,
    /** The receiver does not want it. */
    REFUSED,
    /** It was sent and no answer came: sent again it might be there twice. */
    UNCERTAIN
  }

  /** A fate with its reason. Immutable. */
  public static final class Outcome {
    private final Fate fate;
    private final String reason;
    private final long waitSeconds;

    private Outcome(Fate fate, String reason, long waitSeconds) {
      this.fate = fate;
      this.reason = reason;
      this.waitSeconds = waitSeconds;
    }

    /** What became of it. */
    public Fate fate() {
      return fate;
    }

    /** One line, empty when there is nothing to tell. */
    public String reason() {
      return reason;
    }

    /** What the receiver asks to wait, or -1. */
    public long waitSeconds() {
      return waitSeconds;
    }
  }

  /**
   * @param target where to
   */
  public Sender(PushTarget target) {
    this.target = target;
  }

  /**
   * Sends a request and waits for the answer.
   *
   * @param body a message as {@link org.buftrail.profile.otlp.OtlpWriter} writes it, packed if the
   *     target says so
   */
  public Outcome send(byte[] body) {
    HttpURLConnection connection = null;
    boolean sending = false;
    try {
      connection = (HttpURLConnection) target.url().openConnection();
      prepare(connection, body.length);
      connection.connect();
      sending = true;
      try (OutputStream out = connection.getOutputStream()) {
        out.write(body);
      }
      return read(connection);
    } catch (ConnectException | UnknownHostException | NoRouteToHostException e) {
      return new Outcome(Fate.LATER, e.toString(), -1);
    } catch (IOException | RuntimeException e) {
      return new Outcome(sending ? Fate.UNCERTAIN : Fate.LATER, e.toString(), -1);
    } finally {
      if (connection != null) {
        connection.disconnect();
      }
    }
  }

  private void prepare(HttpURLConnection connection, int length) throws IOException {
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    connection.setConnectTimeout(target.timeoutMillis());
    connection.setReadTimeout(target.timeoutMillis());
    connection.setFixedLengthStreamingMode(length);
    for (Map.Entry<String, String> header : target.headers().entrySet()) {
      connection.setRequestProperty(header.getKey(), header.getValue());
    }
    connection.setRequestProperty("Content-Type", "application/x-protobuf");
    connection.setRequestProperty("User-Agent", "Buftrail");
    if (target.isGzip()) {
      connection.setRequestProperty("Content-Encoding", "gzip");
    }
  }

  private static Outcome read(HttpURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    switch (status) {
      case 429:
      case 502:
      case 503:
      case 504:
        return new Outcome(Fate.LATER, "status " + status, wait(connection));
      default:
        break;
    }
    if (status < 200 || status > 299) {
      return new Outcome(Fate.REFUSED, "status " + status, -1);
    }
    try (InputStream in = connection.getInputStream()) {
      byte[] answer = in.readNBytes(MAX_ANSWER);
      return new Outcome(Fate.ACCEPTED, PartialSuccess.describe(answer), -1);
    }
  }

  private static long wait(HttpURLConnection connection) {
    String after = connection.getHeaderField("Retry-After");
    try {
      return after == null ? -1 : Math.min(MAX_WAIT_SECONDS, Math.max(0, Long.parseLong(after)));
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
