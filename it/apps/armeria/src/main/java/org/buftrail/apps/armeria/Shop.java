package org.buftrail.apps.armeria;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.AggregationOptions;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.io.IOException;
import org.buftrail.apps.driver.Application;
import org.buftrail.apps.driver.Driver;
import org.buftrail.apps.driver.HttpCalls;

/** The application. */
public final class Shop {
  private Shop() {}

  /** Serves on a port of its own choice until standard input ends. */
  public static void main(String[] args) throws Exception {
    try (Server server =
        Server.builder()
            .http(0)
            .service("/hello", (context, request) -> HttpResponse.of("hello"))
            .service("/catalogue", (context, request) -> HttpResponse.of("a line\n".repeat(3_000)))
            .service("/echo", (context, request) -> echo(request))
            .service("/orders", Shop::order)
            .build()) {
      server.start().join();
      Driver.drive(new Customers(new HttpCalls(server.activeLocalPort())));
    }
  }

  private static HttpResponse echo(HttpRequest request) {
    return HttpResponse.of(
        request
            .aggregate()
            .thenApply(
                whole -> HttpResponse.of(HttpStatus.OK, MediaType.PLAIN_TEXT, whole.content())));
  }

  private static HttpResponse order(ServiceRequestContext context, HttpRequest request) {
    return HttpResponse.of(
        request
            .aggregate(AggregationOptions.usePooledObjects(context.alloc(), context.eventLoop()))
            .thenApply(Shop::take));
  }

  /** Forgets the body of what is no order. */
  private static HttpResponse take(AggregatedHttpRequest request) {
    HttpData order = request.content();
    int length = order.length();
    if (order.toStringUtf8().equals("none")) {
      return HttpResponse.of(HttpStatus.UNPROCESSABLE_ENTITY);
    }
    order.close();
    return HttpResponse.of(length + " letters");
  }

  /** Every sort of request that the shop serves. */
  private record Customers(HttpCalls http) implements Application {
    @Override
    public String call(int i) throws IOException, InterruptedException {
      return switch (i % 5) {
        case 0 -> http.get("/hello?" + i);
        case 1 -> http.get("/catalogue");
        case 2 -> http.post("/orders", "pear," + i);
        case 3 -> http.post("/orders", HttpCalls.text(20_000) + "," + i);
        default -> http.post("/echo", HttpCalls.text(50_000 + i));
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
