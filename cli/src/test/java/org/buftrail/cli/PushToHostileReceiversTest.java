package org.buftrail.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One line and exit code 1, whatever the receiver does. */
@Timeout(120)
final class PushToHostileReceiversTest {
  @TempDir private Path directory;
  private final AtomicInteger requests = new AtomicInteger();
  private Path recording = Path.of("");
  private ServerSocket socket;
  private volatile String answer = "";
  private volatile String then = "";

  @BeforeEach
  void listen() throws IOException, InterruptedException {
    recording = Recordings.make(directory);
    socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    Thread receiver = new Thread(this::accept, "receiver");
    receiver.setDaemon(true);
    receiver.start();
  }

  @AfterEach
  void stop() throws IOException {
    socket.close();
  }

  private void accept() {
    while (!socket.isClosed()) {
      try (Socket connection = socket.accept()) {
        InputStream in = connection.getInputStream();
        int first = in.read();
        requests.addAndGet(first < 0 ? 0 : 1);
        connection.getOutputStream().write(answer.getBytes(ISO_8859_1));
        while (!then.isEmpty()) {
          connection.getOutputStream().write(then.getBytes(ISO_8859_1));
        }
        connection.shutdownOutput();
        in.transferTo(OutputStream.nullOutputStream());
      } catch (IOException e) {
        // The sender went away.
      }
    }
  }

  private String push(String scheme) {
    String endpoint = scheme + "://localhost:" + socket.getLocalPort();
    Run run = Run.of("push", recording.toString(), "--endpoint", endpoint, "--give-up", "20");
    assertThat(run.exit()).as(run.err()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.errLines()).hasSize(1);
    assertThat(requests.get()).isEqualTo(1);
    String line = run.errLines().get(0);
    String start = "buftrail: " + recording + " to " + endpoint + "/v1development/profiles: ";
    assertThat(line).startsWith(start).doesNotContain("Exception").doesNotContain("Error");
    return line.substring(start.length());
  }

  @Test
  void continueForEver() {
    then = "HTTP/1.1 100 Continue\r\n\r\n";
    assertThat(push("http"))
        .isEqualTo(
            "no answer, it may have arrived: the exchange failed (the receiver goes on to say that"
                + " it will answer, and does not)");
  }

  @Test
  void anAnswerThatIsCut() {
    answer = "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\nabc";
    assertThat(push("http"))
        .isEqualTo(
            "no answer, it may have arrived: connection closed (after 3 of 999 bytes of the"
                + " answer)");
  }

  @Test
  void headersForEver() {
    answer = "HTTP/1.1 200 OK\r\n";
    then = "X-A: " + "y".repeat(5_000) + "\r\n";
    assertThat(push("http")).endsWith("(the head of the answer is too long)");
  }

  @Test
  void noTls() {
    answer = "HTTP/1.1 400 Bad Request\r\n\r\n";
    assertThat(push("https"))
        .startsWith("no secure connection (")
        .endsWith("; not tried again, since that would not mend it");
  }
}
