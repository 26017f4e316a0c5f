package org.buftrail.report.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class HttpServerTest {
  private static final int CONNECTIONS = 8;
  private static final int LONG_MILLIS = 50_000;
  private static final String END = " HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final List<Throwable> failures = new CopyOnWriteArrayList<>();
  private final CountDownLatch hold = new CountDownLatch(1);
  private final CountDownLatch asked = new CountDownLatch(CONNECTIONS);
  private final List<Socket> clients = new ArrayList<>();
  private @Nullable HttpServer server;

  /** Answers {@code /} at once, and the other addresses by work. */
  private final class Answers implements Handler {
    @Override
    public Response refusal(int status) {
      return Response.of(status, ascii(status + ": no\n"));
    }

    @Override
    public @Nullable Response atOnce(Request request) {
      asked.countDown();
      switch (request.uri().getPath()) {
        case "/":
          return Response.of(200, ascii("page"));
        case "/large":
          return Response.of(200, new byte[32 << 20]);
        case "/error":
          throw new StackOverflowError("planted");
        default:
          return null;
      }
    }

    @Override
    public Response answer(Request request, InputStream body) throws IOException {
      switch (request.uri().getPath()) {
        case "/echo":
          return Response.of(200, body.readAllBytes());
        case "/hold":
          return Response.of(
              200,
              out -> {
                try {
                  hold.await();
                } catch (InterruptedException e) {
                  throw new IOException(e);
                }
                out.write(ascii("held"));
              });
        case "/endless":
          return Response.of(
              200,
              out -> {
                while (true) {
                  out.write(new byte[1 << 10]);
                }
              });
        case "/half":
          return Response.of(
              200,
              out -> {
                out.write(new byte[20 << 10]);
                throw new StackOverflowError("planted");
              });
        case "/broken":
          throw new OutOfMemoryError("planted");
        default:
          return Response.of(200, out -> out.write(ascii("worked".repeat(5_000))));
      }
    }

    @Override
    public void failed(Throwable e) {
      failures.add(e);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private void start(int clientMillis, int workMillis, int closingMillis) throws IOException {
    if (server != null) {
      server.stop();
    }
    Limits limits = new Limits(CONNECTIONS, 2, clientMillis, workMillis, workMillis, closingMillis);
    server =
        HttpServer.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new Answers(),
            limits,
            "test-http");
    new Thread(server::run, "test-http").start();
  }

  @BeforeEach
  void start() throws IOException {
    start(LONG_MILLIS, LONG_MILLIS, LONG_MILLIS);
  }

  @AfterEach
  void stop() throws IOException {
    hold.countDown();
    for (Socket client : clients) {
      client.close();
    }
    if (server != null) {
      server.stop();
    }
  }

  private Socket connect(String sent) throws IOException {
    Socket client = new Socket();
    clients.add(client);
    client.setReceiveBufferSize(4 << 10);
    client.connect(
        new InetSocketAddress(
            InetAddress.getLoopbackAddress(), server == null ? 0 : server.port()));
    client.setSoTimeout(20_000);
    client.getOutputStream().write(ascii(sent));
    return client;
  }

  private static String read(Socket client) throws IOException {
    InputStream in = client.getInputStream();
    return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
  }

  private String ask(String text) throws IOException {
    try (Socket client = connect(text)) {
      return read(client);
    }
  }

  /** Whether the server has closed it, in order or with a reset. */
  private static boolean isClosed(Socket client, int waitMillis) throws IOException {
    client.setSoTimeout(waitMillis);
    try {
      while (client.getInputStream().read(new byte[1 << 16]) >= 0) {
        // An answer, which ends some time.
      }
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true;
    }
  }

  @Test
  void whatIsKnownIsAnsweredWithItsLength() throws IOException {
    assertThat(ask("GET /" + END))
        .startsWith("HTTP/1.1 200 OK\r\nDate: ")
        .contains("\r\nConnection: close\r\n")
        .endsWith("\r\nContent-Length: 4\r\n\r\npage");
    assertThat(ask("HEAD /" + END)).endsWith("\r\nContent-Length: 4\r\n\r\n");
  }

  @Test
  void whatIsWorkedOnComesInChunksOrAsItIs() throws IOException {
    String chunked = ask("GET /work" + END);
    assertThat(chunked)
        .contains("\r\nTransfer-Encoding: chunked\r\n\r\n2000\r\nworked")
        .endsWith("worked\r\n0\r\n\r\n")
        .doesNotContain("Content-Length");
    String plain = ask("GET /work HTTP/1.0\r\n\r\n");
    assertThat(plain.substring(plain.indexOf("\r\n\r\n") + 4)).isEqualTo("worked".repeat(5_000));
  }

  private static String body(String answer) {
    return answer.substring(answer.lastIndexOf("\r\n\r\n") + 4);
  }

  @Test
  void aBodyIsAsLongAsItsHeadSaysOrComesInChunks() throws IOException {
    String post = "POST /echo HTTP/1.1\r\nHost: localhost\r\n";
    assertThat(body(ask(post + "\r\nmore"))).isEmpty();
    assertThat(body(ask(post + "Content-Length: 0\r\n\r\nmore"))).isEmpty();
    assertThat(body(ask(post + "Content-Length: 4\r\n\r\nbodymore"))).isEqualTo("body");
    String chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
    assertThat(body(ask(chunked + "4;a=b\r\nbody\r\nA\r\n0123456789\r\n0\r\nx: y\r\n\r\nmore")))
        .isEqualTo("body0123456789");
    assertThat(ask(post + "Transfer-Encoding: gzip\r\n\r\n")).endsWith("501: no\n");
    for (String bad :
        new String[] {"4\r\nbody5\r\n", "-4\r\nbody\r\n", "\r\n", "1" + "0".repeat(5_000)}) {
      assertThat(isClosed(connect(chunked + bad), 20_000)).isTrue();
    }
    Socket cut = connect(post + "Content-Length: 10\r\n\r\nbody");
    cut.shutdownOutput();
    assertThat(firstPart(cut)).isEmpty();
    assertThat(failures).isEmpty();
  }

  @Test
  void aBodyThatComesLateIsWaitedFor() throws IOException {
    String post = "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n";
    try (Socket client = connect(post + "Expect: 100-Continue\r\n\r\n")) {
      byte[] leave = client.getInputStream().readNBytes(25);
      assertThat(new String(leave, StandardCharsets.US_ASCII))
          .isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
      client.getOutputStream().write(ascii("bo"));
      client.getOutputStream().write(ascii("dy"));
      assertThat(body(read(client))).isEqualTo("body");
    }
    start(LONG_MILLIS, 300, LONG_MILLIS);
    assertThat(isClosed(connect(post + "\r\nbod"), 20_000)).isTrue();
  }

  @Test
  void whatIsAnsweredAtTheEndIsFinished() throws Exception {
    Socket held = connect("GET /hold" + END);
    Socket silent = connect("");
    while (asked.getCount() == CONNECTIONS) {
      Thread.onSpinWait();
    }
    HttpServer ending = Objects.requireNonNull(server);
    Thread stopping =
        new Thread(
            () -> {
              try {
                ending.stop(LONG_MILLIS);
              } catch (IOException e) {
                failures.add(e);
              }
            });
    stopping.start();
    hold.countDown();
    assertThat(read(held)).endsWith("held\r\n0\r\n\r\n");
    held.close();
    stopping.join();
    assertThat(isClosed(silent, 20_000)).isTrue();
    assertThat(failures).isEmpty();
  }

  @Test
  void oneRequestAConnection() throws IOException {
    assertThat(ask(("GET /" + END).repeat(100)).split("page", -1)).hasSize(2);
    assertThat(ask(("GET /work" + END).repeat(100)).split("HTTP/1.1 200", -1)).hasSize(2);
  }

  @Test
  void whatIsNoRequestIsRefused() throws IOException {
    assertThat(ask("GET / HTTP/1.1\r\n\r\n")).endsWith("400: no\n");
    assertThat(ask("GET / HTTP/3.0\r\n\r\n")).endsWith("505: no\n");
    assertThat(ask("GET /" + "a".repeat(5 << 20))).endsWith("414: no\n");
    assertThat(ask("GET / HTTP/1.1\r\nX: " + "a".repeat(1 << 20))).endsWith("431: no\n");
  }

  @Test
  void whoIsSlowToAskIsClosed() throws IOException {
    start(300, LONG_MILLIS, LONG_MILLIS);
    Socket silent = connect("");
    Socket slow = connect("GET / HT");
    assertThat(isClosed(silent, 20_000)).isTrue();
    assertThat(isClosed(slow, 20_000)).isTrue();
    assertThat(failures).isEmpty();
  }

  @Test
  void whoClosesHalfWayIsClosed() throws IOException {
    Socket client = connect("GET / HT");
    client.shutdownOutput();
    assertThat(isClosed(client, 20_000)).isTrue();
    Socket whole = connect("GET /" + END);
    whole.shutdownOutput();
    assertThat(read(whole)).endsWith("page");
  }

  @Test
  void whoDoesNotReadIsClosed() throws Exception {
    start(300, 300, 300);
    Socket large = connect("GET /large" + END);
    Socket endless = connect("GET /endless" + END);
    assertEndsUnread(large);
    assertEndsUnread(endless);
  }

  /** Without chunks, the end of the connection in order would be the end of the answer. */
  @Test
  void anAnswerThatTheDeadlineCutsEndsInAReset() throws IOException {
    start(LONG_MILLIS, 300, LONG_MILLIS);
    InputStream in = connect("GET /endless HTTP/1.0\r\n\r\n").getInputStream();
    byte[] piece = new byte[1 << 16];
    assertThatThrownBy(
            () -> {
              while (in.read(piece) >= 0) {
                // What came before the cut.
              }
            })
        .isInstanceOf(SocketException.class)
        .isNotInstanceOf(SocketTimeoutException.class);
  }

  /** Reads nothing, and writes until the other side refuses, which it does only once closed. */
  private static void assertEndsUnread(Socket client) {
    byte[] more = new byte[100];
    assertThatThrownBy(
            () -> {
              while (true) {
                client.getOutputStream().write(more);
              }
            })
        .isInstanceOf(SocketException.class);
  }

  @Test
  void whoDoesNotCloseIsClosed() throws IOException {
    start(LONG_MILLIS, LONG_MILLIS, 300);
    Socket client = connect("GET /" + END);
    assertThat(read(client)).endsWith("page");
    long start = System.nanoTime();
    try {
      while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(20)) {
        client.getOutputStream().write(new byte[100]);
      }
      assertThat(false).as("still open").isTrue();
    } catch (SocketException e) {
      assertThat(e).isNotNull();
    }
  }

  /** What comes behind a request is thrown away, but not without end. */
  @Test
  void whoSendsMoreAndMoreIsClosed() throws IOException {
    Socket client = connect("GET /" + END);
    assertThat(read(client)).endsWith("page");
    byte[] more = new byte[1 << 20];
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 256; i++) {
                client.getOutputStream().write(more);
              }
            })
        .isInstanceOf(SocketException.class);
  }

  @Test
  void theOldestGivesWayToTheNewest() throws IOException {
    List<Socket> silent = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS + 3; i++) {
      silent.add(connect(""));
    }
    assertThat(ask("GET /" + END)).endsWith("page");
    for (int i = 0; i < 3; i++) {
      assertThat(isClosed(silent.get(i), 20_000)).isTrue();
    }
    assertThat(isClosed(silent.get(CONNECTIONS + 2), 100)).isFalse();
  }

  @Test
  void whereWorkersHaveAllTheNewOneIsClosed() throws Exception {
    List<Socket> held = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      held.add(connect("GET /hold" + END));
    }
    assertThat(asked.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(isClosed(connect(""), 20_000)).isTrue();
    hold.countDown();
    for (Socket client : held) {
      assertThat(read(client)).endsWith("held\r\n0\r\n\r\n");
    }
    assertThat(ask("GET /" + END)).endsWith("page");
  }

  @Test
  void whatIsAnsweredTooLateIsClosedAndOthersAreServed() throws IOException {
    start(LONG_MILLIS, 300, LONG_MILLIS);
    List<Socket> held = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      held.add(connect("GET /hold" + END));
    }
    for (Socket client : held) {
      assertThat(isClosed(client, 20_000)).isTrue();
    }
    assertThat(ask("GET /" + END)).endsWith("page");
    hold.countDown();
    assertThat(ask("GET /work" + END)).endsWith("\r\n0\r\n\r\n");
  }

  @Test
  void errorsCostTheirConnectionAlone() throws IOException {
    for (int i = 0; i < 2 * CONNECTIONS; i++) {
      for (String path : new String[] {"/error", "/half", "/broken"}) {
        assertThat(isClosed(connect("GET " + path + END), 20_000)).isTrue();
      }
    }
    assertThat(failures).hasSize(6 * CONNECTIONS);
    assertThat(ask("GET /work" + END)).endsWith("\r\n0\r\n\r\n");
    String half = firstPart(connect("GET /half" + END));
    assertThat(half).contains("chunked").doesNotContain("\r\n0\r\n\r\n");
  }

  private static String firstPart(Socket client) {
    StringBuilder text = new StringBuilder();
    try {
      for (int b = client.getInputStream().read(); b >= 0; b = client.getInputStream().read()) {
        text.append((char) b);
      }
    } catch (IOException e) {
      // A reset, as it should be.
    }
    return text.toString();
  }

  @Test
  void interruptsDoNotEndIt() throws IOException {
    for (int i = 0; i < 5; i++) {
      Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("test-http"))
          .forEach(Thread::interrupt);
      assertThat(ask("GET /" + END)).endsWith("page");
      assertThat(ask("GET /work" + END)).endsWith("\r\n0\r\n\r\n");
    }
  }

  @Test
  void anAddressThatCannotBeUsedIsSaid() throws IOException {
    int port = server == null ? 0 : server.port();
    InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    assertThatThrownBy(() -> HttpServer.open(taken, new Answers(), Limits.USUAL, "none"))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(
            () ->
                HttpServer.open(
                    InetSocketAddress.createUnresolved("no-such-host.invalid", 1),
                    new Answers(),
                    Limits.USUAL,
                    "none"))
        .hasMessage("there is no such host");
  }
}
