package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Debian's Redis server on a port of this host, without files. */
record RedisServer(Process process, int port) implements AutoCloseable {
  /** Skips the tests, and says so, where there is none. */
  static RedisServer start(Path directory) throws IOException, InterruptedException {
    Optional<Path> program =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
            .map(path -> Path.of(path, "redis-server"))
            .filter(Files::isExecutable)
            .findFirst();
    if (program.isEmpty()) {
      System.err.println("Redis clients are not tested: that needs redis-server");
    }
    assumeThat(program).as("redis-server").isPresent();
    int port = freePort();
    Process process =
        new ProcessBuilder(
                program.orElseThrow().toString(),
                "--bind",
                "127.0.0.1",
                "--port",
                Integer.toString(port),
                "--save",
                "",
                "--appendonly",
                "no")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("redis.txt").toFile())
            .start();
    RedisServer server = new RedisServer(process, port);
    server.awaitListening(directory);
    return server;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitListening(Path directory) throws IOException, InterruptedException {
    for (int i = 0; i < 600 && process.isAlive(); i++) {
      try {
        new Socket(InetAddress.getLoopbackAddress(), port).close();
        return;
      } catch (IOException notYet) {
        Thread.sleep(50);
      }
    }
    assertThat(process.isAlive()).as(Files.readString(directory.resolve("redis.txt"))).isTrue();
    throw new AssertionError("Redis does not listen");
  }

  @Override
  public void close() {
    process.destroy();
  }
}
