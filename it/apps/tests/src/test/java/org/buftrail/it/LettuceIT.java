package org.buftrail.it;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A Redis client, Lettuce with its own codec and with one of the application. */
final class LettuceIT extends ApplicationTests {
  private static RedisServer server;

  @BeforeAll
  static void startServer(@TempDir Path directory) throws IOException, InterruptedException {
    server = RedisServer.start(directory);
  }

  @AfterAll
  static void stopServer() {
    if (server != null) {
      server.close();
    }
  }

  @Override
  List<String> commandLine() {
    List<String> line = new ArrayList<>(shop("lettuce", "lettuce"));
    line.add(Integer.toString(server.port()));
    return line;
  }

  @Override
  String include() {
    return "org.buftrail.apps.lettuce";
  }

  @Override
  String lostAt() {
    return "PooledByteBufAllocator.directBuffer > OrderCodec.encode > OrderCodec.encode_return"
        + " > OrderCodec.encodeValue";
  }
}
