package org.buftrail.apps.vertx;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.buftrail.apps.driver.Application;
import org.buftrail.apps.driver.Driver;
import org.buftrail.apps.driver.HttpCalls;

/** The application. */
public final class Shop {
  private Shop() {}

  /** Serves on a port of its own choice until standard input ends. */
  public static void main(String[] args) throws Exception {
    Vertx vertx = Vertx.vertx();
    HttpServer server =
        vertx
            .createHttpServer()
            .requestHandler(Shop::serve)
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .get(60, TimeUnit.SECONDS);
    Driver.drive(new Customers(new HttpCalls(server.actualPort())));
    vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }

  private static void serve(HttpServerRequest request) {
    switch (request.path()) {
      case "/catalogue" -> request.response().end("a line\n".repeat(3_000));
      case "/echo" -> request.body().onSuccess(body -> request.response().end(body));
      case "/orders" -> request.body().onSuccess(body -> order(request, body));
      default -> request.response().end("hello " + request.path());
    }
  }

  /** Forgets the receipt of what is no order. */
  private static void order(HttpServerRequest request, Buffer body) {
    Buffer receipt = Receipts.encode(body.toString());
    if (body.toString().equals("none")) {
      refuse(request, receipt);
      return;
    }
    request.response().end(Buffer.buffer(receipt.getBytes()));
    Receipts.release(receipt);
  }

  private static void refuse(HttpServerRequest request, Buffer receipt) {
    request.response().setStatusCode(422).end("not an order of " + receipt.length());
  }

  /** Every sort of request that the shop serves. */
  private record Customers(HttpCalls http) implements Application {
    @Override
    public String call(int i) throws IOException, InterruptedException {
      return switch (i % 5) {
        case 0 -> http.get("/hello/" + i);
        case 1 -> http.get("/catalogue");
        case 2 -> http.post("/orders", "pear," + i);
        case 3 -> http.post("/orders", HttpCalls.text(20_000) + "," + i);
        default -> http.post("/echo", HttpCalls.text(50_000 + i));
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
