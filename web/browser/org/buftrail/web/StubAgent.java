package org.buftrail.web;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.buftrail.model.Snapshot;
import org.buftrail.report.FlowHtml;

/** Serves the live page, and answers it as a test says: right, wrong or not at all. */
final class StubAgent implements AutoCloseable {
  private static final Path PAGE =
      Path.of("../agent/src/main/resources/org/buftrail/agent/page/live.html");
  private static final String HISTORY =
      "{\"stepMillis\":5000,\"times\":[1000,6000],\"liveDirect\":[10,20],\"liveHeap\":[1,2],"
          + "\"leaked\":[0,5],\"allocated\":[7,9],\"paths\":[";
  private static final String ABOUT = "{\"name\":\"orders\",\"pid\":1507,\"snapshots\":false}";

  /** What becomes of a request. */
  interface Answer {
    void to(HttpExchange exchange) throws IOException;
  }

  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final List<String> posted = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private int refreshes;

  StubAgent() throws IOException {
    byte[] page = Files.readAllBytes(PAGE);
    answers.put("/", exchange -> send(exchange, 200, "text/html; charset=utf-8", page));
    answers.put("/api/about", text(200, ABOUT));
    history("");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (exchange.getRequestMethod().equals("POST")) {
      posted.add(path);
    }
    answers.getOrDefault(path, text(404, "404: there is nothing at this address")).to(exchange);
    exchange.close();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** The addresses that were posted to. */
  List<String> posted() {
    return posted;
  }

  StubAgent answer(String path, Answer answer) {
    answers.put(path, answer);
    return this;
  }

  /** Every answer is of a moment of its own, a second after the one before. */
  StubAgent flows(Snapshot snapshot) throws IOException {
    StringBuilder model = new StringBuilder();
    FlowHtml.model(snapshot, model);
    return flows(model.toString());
  }

  /** Answers with a model; its time is replaced. */
  StubAgent flows(String model) {
    return answer(
        "/api/flows",
        exchange -> {
          int second = refreshes++ % 60;
          String at = String.format("2026-01-31T12:00:%02d.250Z", second);
          String now = model.replaceFirst("2026-01-31T12:[0-9:.]+Z", at);
          text(200, now).to(exchange);
        });
  }

  /** Answers with a chart. */
  StubAgent history(String paths) {
    return answer("/api/history", text(200, HISTORY + paths + "]}"));
  }

  static Answer text(int status, String text) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    return exchange -> send(exchange, status, "application/json", body);
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  /** Promises more than it sends. */
  static Answer brokenOff() {
    return exchange -> {
      exchange.sendResponseHeaders(200, 10_000);
      exchange.getResponseBody().write('{');
    };
  }

  /** No more connections are taken. */
  void vanish() {
    server.stop(0);
  }

  @Override
  public void close() {
    vanish();
    threads.shutdownNow();
  }
}
