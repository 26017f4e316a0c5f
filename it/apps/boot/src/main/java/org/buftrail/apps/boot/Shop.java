package org.buftrail.apps.boot;

import java.io.IOException;
import org.buftrail.apps.driver.Application;
import org.buftrail.apps.driver.Driver;
import org.buftrail.apps.driver.HttpCalls;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The application. */
@SpringBootApplication(proxyBeanMethods = false)
public class Shop {
  /** Serves on a port of its own choice until standard input ends. */
  public static void main(String[] args) throws IOException {
    System.setProperty("server.port", "0");
    System.setProperty("spring.main.banner-mode", "off");
    try (ConfigurableApplicationContext context = SpringApplication.run(Shop.class, args)) {
      Integer port = context.getEnvironment().getProperty("local.server.port", Integer.class);
      Driver.drive(new Customers(new HttpCalls(port == null ? 0 : port)));
    }
  }

  /** Every sort of request that the shop serves. */
  private record Customers(HttpCalls http) implements Application {
    /**
     * From here on each call is the first of its handler, whose parameters Spring looks up then.
     */
    private static final int FIRST_LATE = 60;

    @Override
    public String call(int i) throws IOException, InterruptedException {
      if (i >= FIRST_LATE) {
        return http.get((i == FIRST_LATE ? "/late/" : "/later/") + i + "?times=2");
      }
      return switch (i % 6) {
        case 0 -> http.get("/hello/" + i + "?times=" + i % 7);
        case 1 -> http.get("/catalogue?lines=100");
        case 2 -> http.post("/orders", "pear," + i);
        case 3 -> http.post("/orders", HttpCalls.text(20_000) + "," + i);
        case 4 -> http.post("/echo", HttpCalls.text(50_000 + i));
        default -> http.get("/items/" + i);
      };
    }

    @Override
    public int port() {
      return http.port();
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
