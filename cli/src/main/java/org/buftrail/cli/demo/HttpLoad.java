package org.buftrail.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the demo service over loopback until the time is up.
 *
 * <p>One order in a round of requests is one that the service refuses, and leaks a buffer by.
 *
 * <p>Not with {@code java.net.http}: once in some ten thousand requests its connection pool, which
 * watches idle connections, takes the answer to the next request for something that was not asked
 * for, and closes the connection ("header parser received no bytes", JDK 17).
 */
public final class HttpLoad {
  private static final int CLIENTS = 2;
  private static final int TIMEOUT_MILLIS = 10_000;

  private final String base;
  private final long end;
  private final AtomicLong requests = new AtomicLong();
  private final AtomicReference<@Nullable String> failure = new AtomicReference<>();

  private HttpLoad(int port, Duration duration) {
    base = "http://127.0.0.1:" + port;
    end = System.nanoTime() + duration.toNanos();
  }

  /**
   * Runs the load.
   *
   * @return the number of requests that were answered as they should be
   * @throws IOException naming the first request that was not
   */
  public static long run(int port, Duration duration) throws IOException, InterruptedException {
    HttpLoad load = new HttpLoad(port, duration);
    List<Thread> clients = new ArrayList<>();
    for (int i = 1; i <= CLIENTS; i++) {
      Thread client = new Thread(load::client, "demo-client-" + i);
      client.setDaemon(true);
      client.start();
      clients.add(client);
    }
    for (Thread client : clients) {
      client.join();
    }
    String failed = load.failure.get();
    if (failed != null) {
      throw new IOException("the demo service did not answer as it should: " + failed);
    }
    return load.requests.get();
  }

  private void client() {
    for (int round = 0; failure.get() == null; round++) {
      round(round);
      if (System.nanoTime() >= end) {
        return;
      }
    }
  }

  private void round(int round) {
    post("/orders", "widget,0", 400);
    for (int i = 1; i <= 4; i++) {
      get("/hello");
      post("/echo", "x".repeat(round * 37 % 8192), 200);
      post("/orders", "widget," + i, 201);
    }
    get("/report");
    get("/proxy");
  }

  private void get(String path) {
    send("GET", path, null, 200);
  }

  private void post(String path, String body, int status) {
    send("POST", path, body, status);
  }

  private void send(String method, String path, @Nullable String body, int status) {
    if (failure.get() != null) {
      return;
    }
    try {
      int answer = answer(method, path, body);
      if (answer == status) {
        requests.incrementAndGet();
      } else {
        fail(method + " " + path + " gave " + answer + " instead of " + status);
      }
    } catch (IOException e) {
      fail(method + " " + path + ": " + e);
    }
  }

  private int answer(String method, String path, @Nullable String body) throws IOException {
    HttpURLConnection request =
        (HttpURLConnection) new URL(base + path).openConnection(Proxy.NO_PROXY);
    request.setRequestMethod(method);
    request.setConnectTimeout(TIMEOUT_MILLIS);
    request.setReadTimeout(TIMEOUT_MILLIS);
    if (body != null) {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      request.setDoOutput(true);
      request.setFixedLengthStreamingMode(bytes.length);
      try (OutputStream out = request.getOutputStream()) {
        out.write(bytes);
      }
    }
    int status = request.getResponseCode();
    // Only an answer that was read to its end leaves the connection to the next request.
    try (InputStream in = status < 400 ? request.getInputStream() : request.getErrorStream()) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return status;
  }

  private void fail(String message) {
    failure.compareAndSet(null, message);
  }
}
