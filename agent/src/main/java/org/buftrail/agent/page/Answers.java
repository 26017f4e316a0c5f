package org.buftrail.agent.page;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers requests, or says why not in one line that tells nothing of the inside. Thread-safe. */
final class Answers implements HttpHandler {
  private static final Map<Integer, String> REASONS =
      Map.of(
          401, "the token is missing or wrong; it was printed when the application started",
          403, "the request must carry the header " + Gate.INTENT + " and come from this page",
          404, "there is nothing at this address",
          405, "this address does not take that method",
          409, "no directory for snapshots was given; start with snapshotDir=DIR",
          413, "the request is too large; no request needs a body",
          414, "the address is too long",
          421, "this address is not where the page was asked to be; use 127.0.0.1 or localhost",
          500, "the answer could not be made; the application's standard error says why");

  private final Gate gate;
  private final Pages pages;
  private final Consumer<String> log;
  private final AtomicBoolean failed = new AtomicBoolean();

  Answers(Gate gate, Pages pages, Consumer<String> log) {
    this.gate = gate;
    this.pages = pages;
    this.log = log;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    try {
      harden(exchange.getResponseHeaders());
      int status = gate.check(new Seen(exchange), Pages.ROUTES, Pages.OPEN);
      if (status == Gate.OK) {
        answer(exchange);
      } else {
        refuse(exchange, status);
      }
    } finally {
      exchange.close();
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    Pages.Answer answer;
    try {
      answer = pages.get(exchange.getRequestURI().getPath());
    } catch (IOException | RuntimeException e) {
      say(e);
      refuse(exchange, 500);
      return;
    }
    if (answer.status() != Gate.OK) {
      refuse(exchange, answer.status());
      return;
    }
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", answer.type());
    if (answer.fileName() != null) {
      headers.set("Content-Disposition", "attachment; filename=\"" + answer.fileName() + "\"");
    }
    if (answer.policy() != null) {
      headers.set("Content-Security-Policy", answer.policy());
    }
    exchange.sendResponseHeaders(Gate.OK, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      answer.body().write(out);
    } catch (RuntimeException e) {
      // The head is sent: the connection breaks, and nobody takes half an answer for a whole.
      say(e);
      throw new IOException("answer not finished", e);
    }
  }

  private void say(Exception e) {
    if (failed.compareAndSet(false, true)) {
      log.accept("the live page could not answer: " + e);
    }
  }

  private static void refuse(HttpExchange exchange, int status) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Type", "text/plain; charset=utf-8");
    if (status == 401) {
      headers.set("WWW-Authenticate", "Bearer realm=\"buftrail\"");
    } else if (status == 405) {
      headers.set("Allow", String.valueOf(Pages.ROUTES.get(exchange.getRequestURI().getPath())));
    } else if (status == 413) {
      headers.set("Connection", "close");
    }
    String reason = REASONS.getOrDefault(status, "the request was not understood");
    byte[] body = (status + ": " + reason + "\n").getBytes(StandardCharsets.UTF_8);
    boolean head = exchange.getRequestMethod().equals("HEAD");
    exchange.sendResponseHeaders(status, head ? -1 : body.length);
    if (!head) {
      exchange.getResponseBody().write(body);
      // Closing would wait for the rest of the request first.
      exchange.getResponseBody().flush();
    }
  }

  private static void harden(Headers headers) {
    headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
    headers.set("Referrer-Policy", "no-referrer");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
  }

  private static final class Seen implements Gate.Request {
    private final HttpExchange exchange;

    Seen(HttpExchange exchange) {
      this.exchange = exchange;
    }

    @Override
    public String method() {
      return exchange.getRequestMethod();
    }

    @Override
    public URI uri() {
      return exchange.getRequestURI();
    }

    @Override
    public @Nullable String header(String name) {
      List<String> values = exchange.getRequestHeaders().get(name);
      return values != null && values.size() == 1 ? values.get(0) : null;
    }
  }
}
