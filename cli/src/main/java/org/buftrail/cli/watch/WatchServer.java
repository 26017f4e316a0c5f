package org.buftrail.cli.watch;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.profile.text.Printable;

/**
 * Takes recordings that are posted, and serves figures, on the loopback address alone. The answer
 * to a post comes when the recording has been taken, so a client without one knows to post it
 * again.
 */
public final class WatchServer implements AutoCloseable {
  private static final int BACKLOG = 256;

  /** So many may answer at a time: figures are served while posts come. */
  private static final int MOST_THREADS = 256;

  /** So many posts may come at a time; others are asked to come again. */
  private static final int MOST_POSTS = 16;

  /** A post that takes longer is given up, so that nobody holds a place by silence. */
  private static final long BODY_MILLIS = 60_000;

  /** So long a client may still send before it is answered, so that it reads the answer. */
  private static final long LEFT_MILLIS = 500;

  /** So many bytes it may send then. */
  private static final int MOST_LEFT = 1 << 16;

  private static final Set<String> LOOPBACK_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final String POSTED = "posted recording";

  private final Watch watch;
  private final long largest;
  private final HttpServer server;
  private final long bodyMillis;
  private final Semaphore posts = new Semaphore(MOST_POSTS);
  private final ExecutorService threads =
      new ThreadPoolExecutor(0, MOST_THREADS, 10, TimeUnit.SECONDS, new SynchronousQueue<>());
  private final ScheduledExecutorService deadlines = Executors.newSingleThreadScheduledExecutor();

  static {
    // Seconds for a request's head, which the JDK's server reads once it has a thread for it.
    setUnlessSet("sun.net.httpserver.maxReqTime", "60");
    // Bytes that it reads of a post which was refused, however long they take to come.
    setUnlessSet("sun.net.httpserver.drainAmount", "0");
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  /**
   * @param port 0 for any that is free
   * @param largest bytes of a post, at most
   */
  public WatchServer(Watch watch, int port, long largest) throws IOException {
    this(watch, port, largest, BODY_MILLIS);
  }

  WatchServer(Watch watch, int port, long largest, long bodyMillis) throws IOException {
    this.bodyMillis = bodyMillis;
    this.watch = watch;
    this.largest = largest;
    server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  /** Where it listens. */
  public String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      boolean isPost = exchange.getRequestMethod().equals("POST");
      // A page that somebody has open may post too, but not read an answer or set this.
      if (!isForThisHost(exchange)) {
        say(exchange, 421, "not for this host\n");
      } else if (exchange.getRequestHeaders().containsKey("Origin")) {
        say(exchange, 403, "not for browsers\n");
      } else if (isPost && path.equals("/")) {
        take(exchange);
      } else if (!isPost && path.equals("/metrics")) {
        say(exchange, 200, watch.metrics());
      } else if (!isPost && path.equals("/failures")) {
        say(exchange, 200, watch.figures().failures());
      } else {
        say(exchange, 404, "POST a recording to /, GET /metrics or /failures\n");
      }
    }
  }

  /** A page whose name was made to point here sends that name. */
  private static boolean isForThisHost(HttpExchange exchange) {
    List<String> hosts = exchange.getRequestHeaders().getOrDefault("Host", List.of());
    if (hosts.size() != 1) {
      return false;
    }
    String host = hosts.get(0);
    int colon = host.lastIndexOf(':');
    String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
    return LOOPBACK_NAMES.contains(name.toLowerCase(Locale.ROOT));
  }

  private void take(HttpExchange exchange) throws IOException {
    // Nothing is stored for nothing.
    if (isTooLong(exchange)) {
      sayTooLong(exchange);
      return;
    }
    if (watch.isBusy() || !posts.tryAcquire()) {
      watch.refused();
      sayBusy(exchange);
      return;
    }
    try {
      receive(exchange);
    } finally {
      posts.release();
    }
  }

  private void receive(HttpExchange exchange) throws IOException {
    Path file = Files.createTempFile("buftrail-watch", ".jfr");
    try {
      Future<?> deadline = deadlines.schedule(exchange::close, bodyMillis, TimeUnit.MILLISECONDS);
      boolean isStored = store(exchange.getRequestBody(), file);
      deadline.cancel(false);
      if (isStored) {
        take(exchange, file);
      } else {
        sayTooLong(exchange);
      }
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private void take(HttpExchange exchange, Path file) throws IOException {
    boolean isTaken;
    try {
      isTaken = watch.takeNow(file, POSTED);
    } catch (CommandFailure e) {
      say(exchange, Watch.isOfMemory(e) ? 503 : 422, reason(e, file));
      return;
    } catch (IOException e) {
      say(exchange, 502, reason(e, file));
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      say(exchange, 503, "ending\n");
      return;
    }
    if (isTaken) {
      say(exchange, 200, "taken\n");
    } else {
      sayBusy(exchange);
    }
  }

  private boolean isTooLong(HttpExchange exchange) {
    String length = exchange.getRequestHeaders().getFirst("Content-Length");
    try {
      return length != null && Long.parseLong(length) > largest;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private void sayTooLong(HttpExchange exchange) throws IOException {
    say(exchange, 413, "more than " + largest + " bytes\n");
  }

  private void sayBusy(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Retry-After", "1");
    say(exchange, 503, "all workers are busy; post it again\n");
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

  private void say(HttpExchange exchange, int status, String text) throws IOException {
    passOver(exchange);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    if (bytes.length == 0) {
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** Reads what is left of a request, or gives it up. */
  private void passOver(HttpExchange exchange) throws IOException {
    Future<?> deadline = deadlines.schedule(exchange::close, LEFT_MILLIS, TimeUnit.MILLISECONDS);
    exchange.getRequestBody().readNBytes(MOST_LEFT);
    deadline.cancel(false);
  }

  @Override
  public void close() {
    server.stop(1);
    threads.shutdown();
    deadlines.shutdownNow();
  }
}
