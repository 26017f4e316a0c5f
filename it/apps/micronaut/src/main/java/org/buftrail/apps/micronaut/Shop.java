package org.buftrail.apps.micronaut;

import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.io.IOException;
import java.util.Map;
import org.buftrail.apps.driver.Application;
import org.buftrail.apps.driver.Driver;
import org.buftrail.apps.driver.HttpCalls;

/** The application. */
public final class Shop {
  private Shop() {}

  /** Serves on a port of its own choice until standard input ends. */
  public static void main(String[] args) throws Exception {
    Map<String, Object> settings =
        Map.of("micronaut.server.port", -1, "micronaut.server.host", "127.0.0.1");
    try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, settings)) {
      Driver.drive(new Customers(new HttpCalls(server.getPort())));
    }
  }

  /** Every sort of request that the shop serves. */
  private record Customers(HttpCalls http) implements Application {
    @Override
    public String call(int i) throws IOException, InterruptedException {
      return switch (i % 4) {
        case 0 -> http.get("/hello/" + i);
        case 1 -> http.get("/catalogue");
        case 2 -> http.post("/orders", "pear," + i);
        default -> http.post("/orders", HttpCalls.text(20_000) + "," + i);
      };
    }

    @Override
    public void lose(int i) throws IOException, InterruptedException {
      String answer = http.post("/orders", "none");
      if (!answer.contains("422")) {
        throw new IllegalStateException(answer);
      }
    }
  }
}
