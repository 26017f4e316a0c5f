package org.buftrail.frameworks;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** Makes requests of a server in this process, with the mistake in a third of them. */
final class Traffic {
  private static final int ALL = 60;

  /** Before an attachment, so that classes are loaded and pools in use. */
  private static final int BEFORE = 20;

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Traffic() {}

  /** One request and its whole answer. */
  interface Requests {
    /**
     * @param text begins with {@code no} where the server is to go wrong
     */
    void send(String text) throws Exception;
  }

  /** Has the requests made, and ends the process. */
  static void run(Requests requests) throws Exception {
    String jar = System.getProperty("frameworks.attach");
    if (jar != null) {
      for (int i = 0; i < BEFORE; i++) {
        requests.send("yes, please " + i);
      }
      attach(jar);
    }
    boolean clean = Boolean.getBoolean("frameworks.clean");
    int planted = 0;
    for (int i = 0; i < ALL; i++) {
      boolean wrong = !clean && i % 3 == 2;
      requests.send((wrong ? "no, thank you " : "yes, please ") + i);
      planted += wrong ? 1 : 0;
    }
    System.out.println("planted: " + planted);
    System.exit(0);
  }

  private static void attach(String jar) throws IOException, InterruptedException {
    Process attaching =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-jar",
                jar,
                "attach",
                Long.toString(ProcessHandle.current().pid()),
                System.getProperty("frameworks.options"))
            .inheritIO()
            .start();
    if (attaching.waitFor() != 0) {
      throw new IllegalStateException("not attached");
    }
  }

  /** A server that a launcher starts, in this process, at the port that it was told. */
  interface Served {
    /** One request and its whole answer. */
    void send(int port, String text) throws Exception;
  }

  /** Like {@link #run}, on a thread, once the server listens. */
  static void begin(Served requests) {
    int port = Integer.getInteger("frameworks.port");
    Thread customers =
        new Thread(
            () -> {
              try {
                awaitServer(port);
                run(text -> requests.send(port, text));
              } catch (Exception e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1);
              }
            });
    customers.start();
  }

  private static void awaitServer(int port) throws InterruptedException {
    for (int i = 0; i < 1_200; i++) {
      try (Socket socket = new Socket("127.0.0.1", port)) {
        return;
      } catch (IOException e) {
        Thread.sleep(50);
      }
    }
    throw new IllegalStateException("nobody serves at " + port);
  }

  /** A buffer of the application's own making. */
  static ByteBuf receipt(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return PooledByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
  }

  /** Sends a text to a server of HTTP in the address. */
  static String get(int port, String text) throws IOException, InterruptedException {
    String words = text.replaceAll("[^a-z0-9]+", "-");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders?" + words)).build();
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  /** Sends a text to a server of HTTP. */
  static String post(int port, String text) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders"))
            .POST(HttpRequest.BodyPublishers.ofString(text))
            .build();
    return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  /** Whether the server is to go wrong. */
  static boolean isRefused(byte first) {
    return first == 'n';
  }
}
