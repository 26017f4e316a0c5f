package org.buftrail.it.leaktests;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Bodies that OkHttp receives, where the option {@code resource} has them followed. */
public class BodyTests {
  private static final OkHttpClient CLIENT = new OkHttpClient();
  private static HttpServer server;

  @BeforeAll
  static void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 2);
          exchange.getResponseBody().write(new byte[] {'o', 'k'});
          exchange.close();
        });
    server.start();
  }

  @AfterAll
  static void stop() {
    server.stop(0);
  }

  private static Response get() throws IOException {
    String url = "http://localhost:" + server.getAddress().getPort();
    return CLIENT.newCall(new Request.Builder().url(url).build()).execute();
  }

  @Test
  void leakBody() throws IOException {
    get().body().byteStream().read();
  }

  @Test
  void cleanClosedBody() throws IOException {
    try (Response response = get()) {
      response.body().byteStream().read();
    }
  }

  @Test
  void cleanReadBody() throws IOException {
    get().body().string();
  }
}
