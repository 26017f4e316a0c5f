package org.buftrail.agent.page;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.buftrail.model.ErrorText;
import org.buftrail.report.http.Handler;
import org.buftrail.report.http.Request;
import org.buftrail.report.http.Response;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests, or says why not in one line that reveals nothing of the inside. Thread-safe.
 */
final class Answers implements Handler {
  private static final String POLICY = "Content-Security-Policy";
  private static final int NO_DIRECTORY = 409;
  private static final int FAILED = 500;

  private static final Map<Integer, String> REASONS =
      Map.ofEntries(
          Map.entry(400, "the request is not HTTP as it should be"),
          Map.entry(401, "the token is missing or wrong; it was printed when the page started"),
          Map.entry(
              403, "the request must carry the header " + Gate.INTENT + " and come from this page"),
          Map.entry(404, "there is nothing at this address"),
          Map.entry(405, "this address does not take that method"),
          Map.entry(
              NO_DIRECTORY, "no directory for snapshots was given; start with snapshotDir=DIR"),
          Map.entry(413, "the request is too large; no request needs a body"),
          Map.entry(414, "the address is too long"),
          Map.entry(
              421,
              "this address is not where the page was asked to be; use 127.0.0.1 or localhost"),
          Map.entry(431, "the headers of the request are too large"),
          Map.entry(
              FAILED, "the answer could not be made; the application's standard error says why"),
          Map.entry(505, "the page speaks HTTP/1.1"));

  private final Gate gate;
  private final Pages pages;
  private final Consumer<String> log;
  private final AtomicLong failures = new AtomicLong();

  Answers(Gate gate, Pages pages, Consumer<String> log) {
    this.gate = gate;
    this.pages = pages;
    this.log = log;
  }

  @Override
  public @Nullable Response atOnce(Request request) {
    int status = gate.check(request, Pages.ROUTES, Pages.OPEN);
    String path = String.valueOf(request.uri().getPath());
    if (status != Gate.OK) {
      Response refusal = refusal(status);
      String allowed = Pages.ROUTES.get(path);
      return status == 405 && allowed != null ? refusal.header("Allow", allowed) : refusal;
    }
    return Pages.OPEN.contains(path) ? harden(pages.page()) : null;
  }

  @Override
  public Response answer(Request request, InputStream body) {
    try {
      Response answer = pages.get(request.uri().getPath());
      return answer == null ? refusal(NO_DIRECTORY) : harden(answer);
    } catch (Throwable e) {
      failed(e);
      return refusal(FAILED);
    }
  }

  @Override
  public void failed(Throwable e) {
    try {
      if (failures.getAndIncrement() == 0) {
        log.accept("the live page could not answer: " + ErrorText.of(e));
      }
    } catch (Throwable again) {
      // Out of memory, mostly; what failed is counted.
    }
  }

  @Override
  public Response refusal(int status) {
    String reason = REASONS.getOrDefault(status, "the request was not understood");
    byte[] body = (status + ": " + reason + "\n").getBytes(StandardCharsets.UTF_8);
    Response refusal =
        harden(Response.of(status, body)).header("Content-Type", "text/plain; charset=utf-8");
    return status == 401
        ? refusal.header("WWW-Authenticate", "Bearer realm=\"buftrail\"")
        : refusal;
  }

  private static Response harden(Response response) {
    if (!response.has(POLICY)) {
      response.header(POLICY, "default-src 'none'; frame-ancestors 'none'");
    }
    return response
        .header("X-Content-Type-Options", "nosniff")
        .header("X-Frame-Options", "DENY")
        .header("Referrer-Policy", "no-referrer")
        .header("Cross-Origin-Resource-Policy", "same-origin")
        .header("Cross-Origin-Opener-Policy", "same-origin")
        .header("Cache-Control", "no-store");
  }
}
