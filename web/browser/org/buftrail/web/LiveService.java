package org.buftrail.web;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.cli.demo.HttpLoad;

/** The demo's service under the packaged agent, with a live page and load on it. */
final class LiveService {
  private static final Path JAR = Path.of(System.getProperty("buftrail.jar"));
  private static final Pattern ADDRESS =
      Pattern.compile("live page at (http://\\S+/)#token=(\\S+)");
  private static final long START_SECONDS = 60;

  private final Process process;
  private final Path log;
  private final Thread load;
  private volatile boolean ended;

  LiveService(Path directory) throws IOException, InterruptedException {
    Path jars = Files.createDirectory(directory.resolve("jars"));
    try (JarFile jar = new JarFile(JAR.toFile())) {
      for (JarEntry entry : jar.stream().filter(e -> e.getName().startsWith("demo/")).toList()) {
        try (InputStream in = jar.getInputStream(entry)) {
          Files.copy(in, jars.resolve(entry.getName().substring("demo/".length())));
        }
      }
    }
    log = directory.resolve("service.log");
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-javaagent:" + JAR + "=include=org.buftrail.examples;http=0;snapshotDir=snapshots",
                "-Xmx256m",
                "-cp",
                jars + File.separator + "*",
                "org.buftrail.examples.DemoService",
                "0",
                directory.toString())
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    int port = Integer.parseInt(awaited(directory.resolve("port")));
    load = new Thread(() -> drive(port), "load");
    load.setDaemon(true);
    load.start();
  }

  private String awaited(Path file) throws IOException, InterruptedException {
    for (int i = 0; i < START_SECONDS * 10 && !Files.exists(file); i++) {
      if (process.waitFor(100, TimeUnit.MILLISECONDS)) {
        break;
      }
    }
    if (!Files.exists(file)) {
      throw new IOException("the service did not start:\n" + Files.readString(log));
    }
    return Files.readString(file);
  }

  private void drive(int port) {
    try {
      while (!ended) {
        HttpLoad.run(port, Duration.ofSeconds(1));
      }
    } catch (IOException e) {
      if (!ended) {
        throw new UncheckedIOException(e);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Address and token of the page. */
  Matcher page() throws IOException, InterruptedException {
    for (int i = 0; i < START_SECONDS * 10; i++) {
      Matcher matcher = ADDRESS.matcher(Files.readString(log));
      if (matcher.find()) {
        return matcher;
      }
      Thread.sleep(100);
    }
    throw new IOException("there is no live page:\n" + Files.readString(log));
  }

  long pid() {
    return process.pid();
  }

  void stop() throws InterruptedException {
    ended = true;
    load.join();
    process.destroyForcibly().waitFor();
  }
}
