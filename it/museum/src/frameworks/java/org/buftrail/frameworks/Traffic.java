package org.buftrail.frameworks;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

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
