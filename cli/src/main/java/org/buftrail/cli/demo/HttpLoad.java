package org.buftrail.cli.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
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
 */
public final class HttpLoad {
  private static final int CLIENTS = 2;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

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
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    for (int round = 0; failure.get() == null; round++) {
      round(client, round);
      if (System.nanoTime() >= end) {
        return;
      }
    }
  }

  private void round(HttpClient client, int round) {
    post(client, "/orders", "widget,0", 400);
    for (int i = 1; i <= 4; i++) {
      get(client, "/hello");
      post(client, "/echo", "x".repeat(round * 37 % 8192), 200);
      post(client, "/orders", "widget," + i, 201);
    }
    get(client, "/report");
    get(client, "/proxy");
  }

  private void get(HttpClient client, String path) {
    send(client, "GET", path, BodyPublishers.noBody(), 200);
  }

  private void post(HttpClient client, String path, String body, int status) {
    send(client, "POST", path, BodyPublishers.ofString(body), status);
  }

  private void send(HttpClient client, String method, String path, BodyPublisher body, int status) {
    if (failure.get() != null) {
      return;
    }
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + path))
            .timeout(TIMEOUT)
            .method(method, body)
            .build();
    try {
      int answer = client.send(request, BodyHandlers.discarding()).statusCode();
      if (answer == status) {
        requests.incrementAndGet();
      } else {
        fail(method + " " + path + " gave " + answer + " instead of " + status);
      }
    } catch (IOException e) {
      fail(method + " " + path + ": " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      fail(method + " " + path + " was interrupted");
    }
  }

  private void fail(String message) {
    failure.compareAndSet(null, message);
  }
}
