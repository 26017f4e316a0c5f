package org.buftrail.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is posted to a watch, and what it is asked. */
@Timeout(60)
final class WatchServerTest extends Watching {
  @Test
  void stopWaitsForPostsToo() throws Exception {
    Slow slow = new Slow();
    Watch watch = new Watch(null, List.of(slow), terminal);
    Thread running = new Thread(() -> run(watch));
    running.start();
    try (WatchServer server = new WatchServer(watch, 0, 100)) {
      CompletableFuture<HttpResponse<String>> first =
          HttpClient.newHttpClient()
              .sendAsync(request(server, "posted"), HttpResponse.BodyHandlers.ofString());
      slow.begun.await();
      assertThat(post(HttpClient.newHttpClient(), server, "more").statusCode()).isEqualTo(503);
      stop(watch, slow);
      assertThat(taken).containsExactly("posted");
      assertThat(first.get().statusCode()).isEqualTo(200);
    }
    running.join();
  }

  @Test
  void aPostThatIsTooLongIsRefusedThoughItDoesNotSaySo() throws Exception {
    Watch watch = new Watch(null, List.of(new Noting()), terminal);
    try (WatchServer server = new WatchServer(watch, 0, 100)) {
      for (int length : new int[] {100, 101}) {
        HttpRequest chunked =
            HttpRequest.newBuilder(request(server, "").uri())
                .POST(
                    HttpRequest.BodyPublishers.ofInputStream(
                        () -> new ByteArrayInputStream(new byte[length])))
                .build();
        int status =
            HttpClient.newHttpClient()
                .send(chunked, HttpResponse.BodyHandlers.discarding())
                .statusCode();
        assertThat(status).isEqualTo(length == 100 ? 200 : 413);
      }
    }
    assertThat(taken).hasSize(1);
  }

  @Test
  void takesPostsAndTellsFigures() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    Watch watch = new Watch(null, List.of(new Noting()), terminal);
    try (WatchServer server = new WatchServer(watch, 0, 100)) {
      assertThat(get(client, server, "failures")).isEmpty();
      assertThat(post(client, server, "posted").statusCode()).isEqualTo(200);
      HttpResponse<String> bad = post(client, server, "bad");
      assertThat(bad.statusCode()).isEqualTo(422);
      assertThat(bad.body()).isEqualTo("posted recording: is bad\n");
      assertThat(post(client, server, "down").statusCode()).isEqualTo(502);
      assertThat(post(client, server, "window").statusCode()).isEqualTo(503);
      assertThat(post(client, server, "x".repeat(101)).statusCode()).isEqualTo(413);
      assertThat(get(client, server, "metrics"))
          .contains("buftrail_watch_recordings_taken_total 1\n")
          .contains("buftrail_watch_recordings_failed_total 2\n")
          .contains("buftrail_watch_bytes_total 6\n");
      assertThat(get(client, server, "failures"))
          .isEqualTo("posted recording: is bad\nposted recording: no room\n");
    }
  }

  private static HttpResponse<String> post(HttpClient client, WatchServer server, String text)
      throws IOException, InterruptedException {
    return client.send(request(server, text), HttpResponse.BodyHandlers.ofString());
  }

  private static HttpRequest request(WatchServer server, String text) {
    return HttpRequest.newBuilder(URI.create(server.address()))
        .POST(HttpRequest.BodyPublishers.ofString(text))
        .build();
  }

  private static String get(HttpClient client, WatchServer server, String path)
      throws IOException, InterruptedException {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(server.address() + path)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private static Socket slowPost(WatchServer server) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(server));
    String head = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 90\r\n\r\nslow";
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private static boolean isGivenUp(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException e) {
      // What was sent had not been read yet.
      return true;
    }
  }

  private static int port(WatchServer server) {
    return URI.create(server.address()).getPort();
  }

  @Test
  void slowPostsKeepNobodyFromTheFiguresAndAreGivenUp() throws Exception {
    List<Socket> slow = new ArrayList<>();
    HttpClient client = HttpClient.newHttpClient();
    try (WatchServer server = new WatchServer(watch(), 0, 100)) {
      for (int i = 0; i < 20; i++) {
        slow.add(slowPost(server));
      }
      // Sixteen hold a place; the others were told so at once.
      while (!get(client, server, "metrics").contains("buftrail_watch_refused_total 4\n")) {
        Thread.onSpinWait();
      }
      assertThat(post(client, server, "more").statusCode()).isEqualTo(503);
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
    try (WatchServer server = new WatchServer(watch(), 0, 100, 50);
        Socket socket = slowPost(server)) {
      assertThat(isGivenUp(socket)).isTrue();
    }
  }

  /** More than there are places for connections: each of them is refused, and holds no thread. */
  @Test
  void manySlowPostsKeepNobodyFromTheFigures() throws Exception {
    List<Socket> slow = new ArrayList<>();
    HttpClient client = HttpClient.newHttpClient();
    try (WatchServer server = new WatchServer(watch(), 0, 100)) {
      for (int i = 0; i < 300; i++) {
        slow.add(slowPost(server));
      }
      assertThat(get(client, server, "metrics")).contains("buftrail_watch_refused_total");
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  private static String ask(WatchServer server, String head) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port(server))) {
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void whatIsForAnotherHostOrFromABrowserIsRefused() throws Exception {
    try (WatchServer server = new WatchServer(watch(), 0, 100)) {
      String path = "GET /metrics HTTP/1.1\r\nHost: ";
      assertThat(ask(server, path + "localhost\r\n\r\n")).startsWith("HTTP/1.1 200 ");
      assertThat(ask(server, path + "evil.example\r\n\r\n")).startsWith("HTTP/1.1 421 ");
      String origin = "Origin: http://localhost\r\n";
      assertThat(ask(server, path + "localhost\r\n" + origin + "\r\n")).startsWith("HTTP/1.1 403 ");
      assertThat(ask(server, path + "localhost\r\n" + origin + origin + "\r\n"))
          .startsWith("HTTP/1.1 400 ");
      assertThat(ask(server, "POST / HTTP/1.1\r\nHost: localhost\r\n" + origin + "\r\n"))
          .startsWith("HTTP/1.1 403 ");
    }
    assertThat(taken).isEmpty();
  }

  @Test
  void aLargePostIsTakenWhole() throws Exception {
    String text = "0123456789".repeat(1 << 20);
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    Watch watch = new Watch(null, List.of(new Noting()), terminal);
    try (WatchServer server = new WatchServer(watch, 0, text.length())) {
      HttpRequest asking =
          HttpRequest.newBuilder(URI.create(server.address()))
              .expectContinue(true)
              .POST(HttpRequest.BodyPublishers.ofString(text))
              .build();
      HttpResponse<String> answer = client.send(asking, HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(200);
    }
    assertThat(taken).containsExactly(text);
  }
}
