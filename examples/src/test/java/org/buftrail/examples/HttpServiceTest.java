package org.buftrail.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HttpServiceTest {
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private HttpService service;

  @BeforeEach
  void start() throws InterruptedException {
    service = new HttpService(0);
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void answersEachEndpoint() throws IOException, InterruptedException {
    assertThat(get("/hello").body()).isEqualTo("{\"greeting\":\"hello\"}");
    assertThat(get("/proxy").body()).isEqualTo("{\"greeting\":\"hello\"}");
    assertThat(post("/echo", "as it came").body()).isEqualTo("as it came");
    assertThat(get("/report").body().lines()).hasSize(4 * 17).contains("section 4", "row 4.16");
    assertThat(get("/nowhere").statusCode()).isEqualTo(404);
  }

  @Test
  void leaksOneBufferForEachOrderThatItRefuses() throws IOException, InterruptedException {
    HttpResponse<String> order = post("/orders", "widget,3");
    assertThat(order.statusCode()).isEqualTo(201);
    assertThat(order.body()).isEqualTo("ordered widget,3");
    assertThat(service.planted().count()).isZero();

    assertThat(post("/orders", "widget,0").statusCode()).isEqualTo(400);
    assertThat(post("/orders", "nonsense").statusCode()).isEqualTo(400);
    assertThat(service.planted().count()).isEqualTo(2);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(request(path).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    return client.send(
        request(path).POST(BodyPublishers.ofString(body)).build(), BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + service.port() + path));
  }
}
