package org.buftrail.cli.watch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Exit;
import org.buftrail.profile.text.Printable;
import org.buftrail.report.http.Handler;
import org.buftrail.report.http.HttpServer;
import org.buftrail.report.http.Limits;
import org.buftrail.report.http.Request;
import org.buftrail.report.http.Response;
import org.jspecify.annotations.Nullable;

/**
 * Takes recordings that are posted, and serves figures, on the loopback address alone. The answer
 * to a post comes when the recording has been taken, so a client without one knows to post it
 * again.
 */
public final class WatchServer implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 256;

  /** So many posts may come at a time; others are asked to come again. */
  private static final int MOST_POSTS = 16;

  /** Workers that are left to say so. */
  private static final int REFUSING = 2;

  private static final int HEAD_MILLIS = 5_000;

  /** A post that takes longer is given up, so that nobody holds a place by silence. */
  private static final int BODY_MILLIS = 60_000;

  /** How long a client may send after its answer, and answers may take at the end. */
  private static final int LEFT_MILLIS = 1_000;

  private static final String POSTED = "posted recording";

  private final Watch watch;
  private final long largest;
  private final HttpServer server;
  private final Semaphore posts = new Semaphore(MOST_POSTS);
  private final AtomicBoolean hasFailed = new AtomicBoolean();

  /**
   * @param port 0 for any that is free
   * @param largest bytes of a post, at most
   */
  public WatchServer(Watch watch, int port, long largest) throws IOException {
    this(watch, port, largest, BODY_MILLIS);
  }

  WatchServer(Watch watch, int port, long largest, int bodyMillis) throws IOException {
    this.watch = watch;
    this.largest = largest;
    Limits limits =
        new Limits(
            MOST_CONNECTIONS,
            MOST_POSTS + REFUSING,
            HEAD_MILLIS,
            bodyMillis,
            // A large recording may take an hour.
            Integer.MAX_VALUE,
            LEFT_MILLIS);
    String threads = "buftrail-watch-http";
    server =
        HttpServer.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
            new Answers(),
            limits,
            threads);
    Thread serving = new Thread(server::run, threads);
    serving.setDaemon(true);
    serving.start();
  }

  /** Where it listens. */
  public String address() {
    return "http://127.0.0.1:" + server.port() + "/";
  }

  private final class Answers implements Handler {
    @Override
    public Response refusal(int status) {
      return say(status, "the request is not HTTP as it should be\n");
    }

    @Override
    public @Nullable Response atOnce(Request request) {
      String path = String.valueOf(request.uri().getPath());
      boolean isPost = request.method().equals("POST");
      // A page that somebody has open may post too, but not read an answer or set this.
      if (!request.isForThisHost()) {
        return say(421, "not for this host\n");
      }
      if (request.header("Origin") != null) {
        return say(403, "not for browsers\n");
      }
      if (isPost && path.equals("/")) {
        return refusedPost(request);
      }
      if (!isPost && path.equals("/metrics")) {
        return say(200, watch.metrics());
      }
      if (!isPost && path.equals("/failures")) {
        return say(200, watch.figures().failures());
      }
      return say(404, "POST a recording to /, GET /metrics or /failures\n");
    }

    @Override
    public Response answer(Request request, InputStream body) throws IOException {
      if (!posts.tryAcquire()) {
        return busy();
      }
      try {
        return receive(body);
      } finally {
        posts.release();
      }
    }

    @Override
    public void failed(Throwable e) {
      try {
        if (!hasFailed.getAndSet(true)) {
          watch.say("--port: " + Exit.unexpected(e));
        }
      } catch (OutOfMemoryError ignored) {
        // A recording may have filled the heap; the server goes on.
      }
    }
  }

  /** The answer to a post of which nothing is stored, or null. */
  private @Nullable Response refusedPost(Request request) {
    String length = request.header("Content-Length");
    if (length != null && Long.parseLong(length) > largest) {
      return tooLong();
    }
    return watch.isBusy() || posts.availablePermits() == 0 ? busy() : null;
  }

  private Response receive(InputStream body) throws IOException {
    Path file = Files.createTempFile("buftrail-watch", ".jfr");
    try {
      return store(body, file) ? take(file) : tooLong();
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private Response take(Path file) {
    try {
      return watch.takeNow(file, POSTED) ? say(200, "taken\n") : busy();
    } catch (CommandFailure e) {
      return say(422, reason(e, file));
    } catch (IOException e) {
      return say(Watch.isOfMemory(e) ? 503 : 502, reason(e, file));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return say(503, "ending\n");
    }
  }

  private Response tooLong() {
    return say(413, "more than " + largest + " bytes\n");
  }

  private Response busy() {
    watch.refused();
    return say(503, "all workers are busy; post it again\n").header("Retry-After", "1");
  }

  private static String reason(Exception e, Path file) {
    return Printable.line(String.valueOf(e.getMessage()).replace(file.toString(), POSTED)) + "\n";
  }

  /** Stores a post; false if it is too long. */
  private boolean store(InputStream in, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      byte[] buffer = new byte[1 << 16];
      long left = largest;
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        left -= count;
        if (left < 0) {
          return false;
        }
        out.write(buffer, 0, count);
      }
      return true;
    }
  }

  private static Response say(int status, String text) {
    return Response.of(status, text.getBytes(StandardCharsets.UTF_8))
        .header("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  }

  @Override
  public void close() {
    try {
      server.stop(LEFT_MILLIS);
    } catch (IOException e) {
      // It ends all the same.
      hasFailed.set(true);
    }
  }
}
