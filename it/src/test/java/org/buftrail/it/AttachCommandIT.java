package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.io.TempDir;

/** {@code attach} and {@code detach} of a Netty server under load. */
final class AttachCommandIT {
  private static final String INCLUDE = "include=org.buftrail.examples";

  @TempDir private Path directory;

  @EachSetting(newestNetty = true, java = 17, outerJvms = true)
  void aServerUnderLoadIsFollowedFromAttachToDetachAndAgain(Setting setting) throws Exception {
    try (RunningProgram server = serve(setting);
        Load load = new Load(port())) {
      load.run(300);
      ForkedJvm.Result attached =
          server.command("attach", INCLUDE, "report=flows.json", "config=more.conf");
      assertThat(attached.exit()).as(attached.err()).isEqualTo(2);
      assertThat(attached.err().lines())
          .singleElement()
          .asString()
          .contains("option 'config': there is no file")
          .contains("more.conf");
      attached = server.command("attach", INCLUDE, "report=flows.json");
      assertThat(attached.exit()).as(attached.err()).isZero();
      assertThat(attached.err())
          .contains("following Netty buffers, hops in org.buftrail.examples")
          .contains("buffers are followed from now on through a map");
      int before = load.refused();
      load.run(300);
      int planted = load.refused() - before;
      ForkedJvm.Result again = server.command("attach", INCLUDE);
      assertThat(again.exit()).isEqualTo(1);
      assertThat(again.err()).contains("tracking is on already; detach first");
      FlowsFile flows = server.dump();
      assertThat(flows.total("suppressedErrors")).isZero();
      long refused =
          flows.paths().stream()
              .filter(path -> path.hops().endsWith("OrderEndpoint.refuse"))
              .mapToLong(path -> path.leaked() + path.live())
              .sum();
      assertThat(refused).isBetween((long) planted, planted + 2L);
      ForkedJvm.Result detached = server.command("detach");
      assertThat(detached.exit()).as(detached.err()).isZero();
      assertThat(detached.err()).contains("the tracking was taken out of");
      FlowsFile after = server.dump();
      load.run(200);
      assertThat(server.dump().total("allocated")).isEqualTo(after.total("allocated"));
      assertThat(server.command("detach").exit()).isEqualTo(1);
      assertThat(server.command("attach", INCLUDE, "sample=2").exit()).isZero();
      load.run(100);
      assertThat(server.dump().total("allocated")).isGreaterThan(after.total("allocated"));
      assertThat(load.failed()).isZero();
      server.endInput();
    }
  }

  private RunningProgram serve(Setting setting) throws IOException {
    List<String> jars = new ArrayList<>();
    try (JarFile jar = new JarFile(Setting.JAR.toFile())) {
      for (JarEntry entry : Collections.list(jar.entries())) {
        if (entry.getName().startsWith("demo/") && entry.getName().endsWith(".jar")) {
          Path file = directory.resolve(entry.getName().substring("demo/".length()));
          try (InputStream in = jar.getInputStream(entry)) {
            Files.copy(in, file);
          }
          jars.add(file.toString());
        }
      }
    }
    return new RunningProgram(
        directory,
        setting.java(),
        List.of(
            "-Dio.netty.leakDetection.level=disabled",
            "-cp",
            String.join(System.getProperty("path.separator"), jars),
            "org.buftrail.examples.DemoService",
            "0",
            "."));
  }

  private int port() throws Exception {
    Path port = directory.resolve("port");
    for (int i = 0; i < 600 && !Files.exists(port); i++) {
      Thread.sleep(50);
    }
    return Integer.parseInt(Files.readString(port));
  }

  /** Sends orders, every fifth of them one that the server refuses and leaks. */
  private static final class Load implements AutoCloseable {
    private final HttpClient client =
        HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI orders;
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Thread background;

    Load(int port) {
      orders = URI.create("http://127.0.0.1:" + port + "/orders");
      background = new Thread(this::loadForEver);
      background.start();
    }

    /** Orders that are served, so that the server is busy whatever is asked of it. */
    private void loadForEver() {
      while (!stopped.get()) {
        order("apple,3", 201);
      }
    }

    /** Sends so many, and waits for the answers. */
    void run(int count) {
      for (int i = 0; i < count; i++) {
        if (i % 5 == 0) {
          order("none", 400);
          refused.incrementAndGet();
        } else {
          order("pear,2", 201);
        }
      }
    }

    private void order(String body, int expected) {
      HttpRequest request =
          HttpRequest.newBuilder(orders).POST(HttpRequest.BodyPublishers.ofString(body)).build();
      try {
        int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status != expected) {
          failed.incrementAndGet();
        }
      } catch (IOException | InterruptedException e) {
        failed.incrementAndGet();
      }
    }

    int refused() {
      return refused.get();
    }

    int failed() {
      return failed.get();
    }

    @Override
    public void close() {
      stopped.set(true);
    }
  }
}
