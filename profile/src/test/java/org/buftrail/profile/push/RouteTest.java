package org.buftrail.profile.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** TLS and proxies. */
@Timeout(120)
@Tag("slow")
final class RouteTest {
  private static final byte[] BODY = new byte[100];
  private static final String TRUST = "javax.net.ssl.trustStore";
  private static final String PASSWORD = "changeit";

  @TempDir private static Path directory = Path.of("");

  /** Keys with a certificate of that host; made once, since that starts a program. */
  private static Path keys(String host) throws Exception {
    Path file = directory.resolve(host + ".p12");
    if (Files.exists(file)) {
      return file;
    }
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + host,
                "-ext",
                "SAN=dns:" + host,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    return file;
  }

  private static ServerSocket listen(Path keys) throws Exception {
    KeyStore store = KeyStore.getInstance(keys.toFile(), PASSWORD.toCharArray());
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(factory.getKeyManagers(), null, null);
    return context
        .getServerSocketFactory()
        .createServerSocket(0, 5, InetAddress.getLoopbackAddress());
  }

  private static PushTarget target(RawReceiver receiver) {
    return PushTarget.of("https://localhost:" + receiver.port(), "--endpoint", Map.of());
  }

  private static RawReceiver receiver(Path keys) throws Exception {
    return new RawReceiver(
        out -> out.write(RawReceiver.ascii("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")),
        listen(keys));
  }

  @Test
  void aCertificateMustBeTrustedAndBeThatOfTheHost() throws Exception {
    Path right = keys("localhost");
    Path other = keys("other.example");
    try (RawReceiver good = receiver(right);
        RawReceiver wrong = receiver(other)) {
      Sender.Outcome untrusted = new Sender(target(good)).send(BODY);
      assertThat(untrusted.fate()).isEqualTo(Sender.Fate.INSECURE);
      assertThat(untrusted.reason())
          .startsWith("no secure connection (")
          .contains("unable to find valid certification path")
          .doesNotContain("Exception");
      trusting(
          right,
          () ->
              assertThat(new Sender(target(good)).send(BODY).fate())
                  .isEqualTo(Sender.Fate.ACCEPTED));
      trusting(
          other,
          () -> {
            Sender.Outcome misnamed = new Sender(target(wrong)).send(BODY);
            assertThat(misnamed.fate()).isEqualTo(Sender.Fate.INSECURE);
            assertThat(misnamed.reason()).contains("localhost");
          });
      assertThat(wrong.requests()).isZero();
      assertThat(good.requests()).isEqualTo(1);
    }
  }

  private static void trusting(Path store, Runnable work) {
    System.setProperty(TRUST, store.toString());
    System.setProperty(TRUST + "Password", PASSWORD);
    try {
      work.run();
    } finally {
      System.clearProperty(TRUST);
      System.clearProperty(TRUST + "Password");
    }
  }

  @Test
  void aWrongCertificateIsNotTriedAgain() throws Exception {
    try (RawReceiver receiver = receiver(keys("localhost"))) {
      Delivery delivery = new Delivery(target(receiver), Delivery.LARGEST_PART, 60_000);
      assertThatThrownBy(() -> delivery.send(BODY))
          .hasMessageStartingWith("no secure connection (")
          .hasMessageEndingWith("; not tried again, since that would not mend it");
      assertThat(delivery.retries()).isZero();
    }
  }

  @Test
  void aReceiverWithoutTlsIsNotTriedAgain() throws Exception {
    try (ServerSocket plain = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread answering =
          new Thread(
              () -> {
                try (Socket connection = plain.accept()) {
                  connection.getInputStream().read();
                  connection.getOutputStream().write(RawReceiver.ascii("HTTP/1.1 400 No\r\n\r\n"));
                  connection.shutdownOutput();
                  connection.getInputStream().readAllBytes();
                } catch (IOException e) {
                  // Closed.
                }
              });
      answering.start();
      String url = "https://localhost:" + plain.getLocalPort();
      Sender.Outcome outcome =
          new Sender(PushTarget.of(url, "--endpoint", Map.of()).withTimeout(5_000)).send(BODY);
      assertThat(outcome.fate()).as(outcome.reason()).isEqualTo(Sender.Fate.INSECURE);
      answering.join();
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private static void through(Proxy proxy, Work work) throws Exception {
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(
        new ProxySelector() {
          @Override
          public List<Proxy> select(URI uri) {
            return List.of(proxy);
          }

          @Override
          public void connectFailed(URI uri, SocketAddress address, IOException e) {}
        });
    try {
      work.run();
    } finally {
      ProxySelector.setDefault(before);
    }
  }

  private static Proxy proxy(RawReceiver receiver) {
    InetSocketAddress at = new InetSocketAddress(InetAddress.getLoopbackAddress(), receiver.port());
    return new Proxy(Proxy.Type.HTTP, at);
  }

  @Test
  void aProxyIsAskedForTheWholeAddress() throws Exception {
    try (RawReceiver receiver = RawReceiver.answering("200 OK", new byte[0])) {
      PushTarget target = PushTarget.of("http://c.invalid:4318?key=1", "--endpoint", Map.of());
      through(
          proxy(receiver),
          () -> assertThat(new Sender(target).send(BODY).fate()).isEqualTo(Sender.Fate.ACCEPTED));
      assertThat(receiver.heads())
          .singleElement()
          .asString()
          .startsWith("POST http://c.invalid:4318/v1development/profiles?key=1 HTTP/1.1\r\n")
          .contains("\r\nHost: c.invalid:4318\r\n");
    }
  }

  @Test
  void aProxyIsAskedForATunnelWhereThereIsTls() throws Exception {
    try (RawReceiver receiver = RawReceiver.answering("407 No", new byte[0])) {
      PushTarget target = PushTarget.of("https://c.invalid", "--endpoint", Map.of());
      through(
          proxy(receiver),
          () -> {
            Sender.Outcome outcome = new Sender(target).send(BODY);
            assertThat(outcome.fate()).isEqualTo(Sender.Fate.LATER);
            assertThat(outcome.reason())
                .isEqualTo("the exchange failed (the proxy refuses with status 407)");
          });
      assertThat(receiver.heads())
          .containsExactly("CONNECT c.invalid:443 HTTP/1.1\r\nHost: c.invalid:443\r\n\r\n");
    }
  }

  @Test
  void aTunnelLeadsToTheReceiver() throws Exception {
    Path keys = keys("localhost");
    try (RawReceiver receiver = receiver(keys);
        RelayingProxy proxy = new RelayingProxy(Proxy.Type.HTTP, receiver.port())) {
      assertThat(sendThrough(proxy, keys, "https://localhost:4318").fate())
          .isEqualTo(Sender.Fate.ACCEPTED);
      assertThat(proxy.asked()).containsExactly("localhost:4318");
      assertThat(receiver.heads()).singleElement().asString().startsWith("POST /v1development/");
    }
  }

  @Test
  void aSocksProxyLeadsToTheReceiver() throws Exception {
    Path keys = keys("collector.invalid");
    try (RawReceiver secure = receiver(keys);
        RawReceiver plain = RawReceiver.answering("200 OK", new byte[0]);
        RelayingProxy toSecure = new RelayingProxy(Proxy.Type.SOCKS, secure.port());
        RelayingProxy toPlain = new RelayingProxy(Proxy.Type.SOCKS, plain.port())) {
      assertThat(sendThrough(toSecure, keys, "https://collector.invalid").fate())
          .isEqualTo(Sender.Fate.ACCEPTED);
      assertThat(sendThrough(toPlain, keys, "http://collector.invalid:4318").fate())
          .isEqualTo(Sender.Fate.ACCEPTED);
      // The names are for the proxy to look up.
      assertThat(toSecure.asked()).containsExactly("collector.invalid:443");
      assertThat(toPlain.asked()).containsExactly("collector.invalid:4318");
    }
  }

  private static Sender.Outcome sendThrough(RelayingProxy proxy, Path keys, String url)
      throws Exception {
    PushTarget target = PushTarget.of(url, "--endpoint", Map.of()).withTimeout(30_000);
    List<Sender.Outcome> outcomes = new ArrayList<>();
    through(
        proxy.address(), () -> trusting(keys, () -> outcomes.add(new Sender(target).send(BODY))));
    return outcomes.get(0);
  }
}
