package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.buftrail.it.programs.OpensFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients without a token that mean no good: the page answers others meanwhile, and the
 * application, which may have 300 descriptors, has the same number open afterwards as before.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(300)
final class PageUnderAttackIT {
  private static final Pattern PAGE =
      Pattern.compile("live page at http://127\\.0\\.0\\.1:(\\d+)/#token=([0-9a-f]{32})");

  /** Descriptors that the application may have. */
  private static final int LIMIT = 300;

  /** Connections that the page may have; one more while the next is accepted. */
  private static final int CONNECTIONS = 65;

  /** As a state in the kernel's table of connections. */
  private static final String LISTENING = "0A";

  private static final String CLOSE = "Host: localhost\r\nConnection: close\r\n";

  private static final String GET = "GET / HTTP/1.1\r\n" + CLOSE;

  @TempDir private Path directory = Path.of("");
  private final List<Socket> open = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // by start
  private RunningProgram program;

  private int port;
  private String token = "";
  private long before;

  private void start(Setting setting) throws Exception {
    program =
        new RunningProgram(
            directory,
            Path.of("/bin/sh"),
            List.of(
                "-c",
                "ulimit -n " + LIMIT + "; exec \"$@\"",
                "sh",
                setting.java().toString(),
                "-javaagent:" + Setting.JAR + "=http=0",
                "-cp",
                setting.classPath(),
                OpensFiles.class.getName()));
    program.await("ready");
    await("the page", () -> PAGE.matcher(program.err()).find());
    Matcher page = PAGE.matcher(program.err());
    assertThat(page.find()).isTrue();
    port = Integer.parseInt(page.group(1));
    token = page.group(2);
    assertServes();
    await("the first request's end", () -> connections() == 0);
    before = descriptors();
  }

  /** The application has not noticed. */
  @AfterEach
  void stop() throws Exception {
    try (RunningProgram ended = program) {
      for (Socket client : open) {
        client.close();
      }
      await("all connections closed", () -> connections() == 0);
      // The JDK keeps one for itself from the first time on that it breaks a connection off.
      assertThat(descriptors()).isLessThanOrEqualTo(before + 1);
      assertServes();
      ended.stop();
      assertThat(Files.readString(directory.resolve("result"))).isEqualTo("0 9");
      assertThat(ended.err()).doesNotContain("\tat ").doesNotContain("Exception");
      assertThat(directory.resolve("stdout.txt")).isEmptyFile();
    }
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private void await(String what, Condition condition) throws Exception {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.holds()) {
      assertThat(System.nanoTime() - until)
          .as("waiting for %s; %s open: %s", what, connections(), program.err())
          .isNegative();
      Thread.sleep(20);
    }
  }

  /** Descriptors of the application, but for the one that it opens and closes all the time. */
  private long descriptors() throws IOException {
    return targets().stream().filter(target -> !target.endsWith("/ready")).count();
  }

  /** Connections that the application has, of which there is a listener beside them. */
  private long connections() throws IOException {
    List<String> tcp = new ArrayList<>();
    for (String table : new String[] {"tcp", "tcp6"}) {
      for (String line : Files.readAllLines(Path.of("/proc", program.pid(), "net", table))) {
        String[] fields = line.trim().split(" +", -1);
        if (!fields[3].equals(LISTENING)) {
          tcp.add("socket:[" + fields[9] + "]");
        }
      }
    }
    return targets().stream().filter(tcp::contains).count();
  }

  private List<String> targets() throws IOException {
    List<String> targets = new ArrayList<>();
    try (Stream<Path> all = Files.list(Path.of("/proc", program.pid(), "fd"))) {
      for (Path each : all.toList()) {
        try {
          targets.add(Files.readSymbolicLink(each).toString());
        } catch (IOException e) {
          // Closed meanwhile.
        }
      }
    }
    return targets;
  }

  private Socket connect() throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
    client.setSoTimeout(20_000);
    open.add(client);
    return client;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The whole answer to what is sent. */
  private String ask(String request) throws IOException {
    try (Socket client = connect()) {
      client.getOutputStream().write(bytes(request));
      return new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      open.remove(open.size() - 1);
    }
  }

  private void assertServes() throws IOException {
    assertThat(ask(GET + "\r\n")).startsWith("HTTP/1.1 200 ").contains("</html>");
    String authorized = "GET /metrics HTTP/1.1\r\n" + CLOSE + "Authorization: Bearer " + token;
    assertThat(ask(authorized + "\r\n\r\n"))
        .startsWith("HTTP/1.1 200 ")
        .contains("\nbuftrail_buffers_allocated_total ");
  }

  private void closeAll() throws IOException {
    for (Socket client : open) {
      client.close();
    }
    open.clear();
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void slowClientsKeepNobodyWaitingAndAreClosed(Setting setting) throws Exception {
    start(setting);
    for (int i = 0; i < 4; i++) {
      connect().getOutputStream().write(bytes("GET / HT"));
    }
    assertServes();
    await("the slow ones closed", () -> connections() == 0);
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void idleClientsAreBoundedAtOnceAndInAll(Setting setting) throws Exception {
    start(setting);
    for (int round = 0; round < 50; round++) {
      for (int i = 0; i < 200; i++) {
        connect();
      }
      assertThat(connections()).isLessThanOrEqualTo(CONNECTIONS);
      assertServes();
      closeAll();
    }
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void portScansLeaveNothing(Setting setting) throws Exception {
    start(setting);
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 800; i++) {
        connect().close();
        open.clear();
      }
      assertThat(connections()).isLessThanOrEqualTo(CONNECTIONS);
    }
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void whoAsksAndDoesNotReadTakesNothing(Setting setting) throws Exception {
    start(setting);
    for (int i = 0; i < 400; i++) {
      connect().getOutputStream().write(bytes(GET + "\r\n"));
    }
    assertThat(connections()).isLessThanOrEqualTo(CONNECTIONS);
    assertServes();
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void halfOpenOnesAndBodiesThatDoNotComeAreClosed(Setting setting) throws Exception {
    start(setting);
    for (int i = 0; i < 40; i++) {
      Socket half = connect();
      half.getOutputStream().write(bytes("GET / HTTP/1.1\r\n"));
      half.shutdownOutput();
      connect()
          .getOutputStream()
          .write(
              bytes("POST /api/reset HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900\r\n\r\nx"));
    }
    assertServes();
    await("all closed", () -> connections() == 0);
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void largeRequestsAreRefusedInOneLine(Setting setting) throws Exception {
    start(setting);
    assertThat(ask(GET + "X: " + "a".repeat(1 << 20) + "\r\n\r\n"))
        .startsWith("HTTP/1.1 431 ")
        .endsWith("\r\n\r\n431: the headers of the request are too large\n");
    StringBuilder many = new StringBuilder(GET);
    for (int i = 0; i < 10_000; i++) {
      many.append("X").append(i).append(": y\r\n");
    }
    assertThat(ask(many + "\r\n")).startsWith("HTTP/1.1 431 ");
    assertThat(ask("GET /" + "a".repeat(5 << 20) + " HTTP/1.1\r\n"))
        .endsWith("\r\n\r\n414: the address is too long\n");
    assertThat(ask((GET + "\r\n").repeat(50)).split("</html>", -1)).hasSize(2);
  }

  /** What sends on and on is cut off, and the answer is not waited for. */
  @EachSetting(newestNetty = true, outerJvms = true)
  void whoDoesNotStopSendingIsClosed(Setting setting) throws Exception {
    start(setting);
    Socket client = connect();
    client.getOutputStream().write(bytes(GET + "Content-Length: 1000000000\r\n\r\n"));
    long start = System.nanoTime();
    try {
      while (System.nanoTime() - start < TimeUnit.SECONDS.toNanos(30)) {
        client.getOutputStream().write(new byte[1 << 16]);
      }
      assertThat(false).as("still open").isTrue();
    } catch (SocketException e) {
      assertThat(e).isNotNull();
    }
  }
}
