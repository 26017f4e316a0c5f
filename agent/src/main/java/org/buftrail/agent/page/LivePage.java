package org.buftrail.agent.page;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.watch.SnapshotFiles;
import org.buftrail.flow.base.ServiceThread;
import org.buftrail.model.TrackedProcess;
import org.buftrail.report.http.HttpServer;
import org.buftrail.report.http.Limits;
import org.jspecify.annotations.Nullable;

/** Serves the live page from the application's JVM. */
public final class LivePage {
  private static final int TOKEN_BYTES = 16;
  private static final String THREADS = "buftrail-http";

  private LivePage() {}

  /**
   * Starts it. Its threads are daemons.
   *
   * @param at where to listen
   * @param source what it shows
   * @param process whose flows these are
   * @param files where its snapshot button writes, or null
   * @param log takes the address, with the token when that was made here
   * @throws IOException when the address cannot be used
   */
  public static void start(
      PageAddress at,
      FlowSource source,
      Supplier<TrackedProcess> process,
      @Nullable SnapshotFiles files,
      Consumer<String> log)
      throws IOException {
    String token = at.token() == null && at.isTokenWanted() ? randomToken() : at.token();
    Pages pages = new Pages(source, process, files);
    pages.rehearse();
    Answers answers = new Answers(new Gate(at.isRemote(), token), pages, log);
    HttpServer server = open(at, answers);
    String url = "http://" + at.display() + ":" + server.port() + "/";
    log.accept(
        "live page at "
            + url
            + (token == null ? "" : at.token() == null ? "#token=" + token : " (token as given)"));
  }

  private static HttpServer open(PageAddress at, Answers answers) throws IOException {
    try {
      InetSocketAddress address = new InetSocketAddress(at.host(), at.port());
      HttpServer server = HttpServer.open(address, answers, Limits.USUAL, THREADS);
      ServiceThread.start(
          THREADS, () -> server.round() ? ServiceThread.Outcome.DONE : ServiceThread.Outcome.ENDED);
      return server;
    } catch (IOException e) {
      throw new IOException(
          at.display() + ":" + at.port() + " cannot be listened on: " + e.getMessage(), e);
    }
  }

  private static String randomToken() {
    byte[] bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    StringBuilder hex = new StringBuilder();
    for (byte b : bytes) {
      hex.append(Character.forDigit(b >> 4 & 0xF, 16)).append(Character.forDigit(b & 0xF, 16));
    }
    return hex.toString();
  }
}
