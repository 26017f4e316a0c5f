package org.buftrail.apps.driver;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;

/** An HTTP client without Netty. */
public final class HttpCalls {
  private static final int WHOLE = 200;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String base;
  private final int port;

  public HttpCalls(int port) {
    this.port = port;
    base = "http://127.0.0.1:" + port;
  }

  /** The port of the server. */
  public int port() {
    return port;
  }

  /** The answer as text. */
  public String get(String path) throws IOException, InterruptedException {
    return answer(HttpRequest.newBuilder(URI.create(base + path)).build());
  }

  /** The answer as text. */
  public String post(String path, String body) throws IOException, InterruptedException {
    return answer(
        HttpRequest.newBuilder(URI.create(base + path))
            .header("content-type", "text/plain")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  /** So many letters, the same each time. */
  public static String text(int length) {
    StringBuilder text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append((char) ('a' + i % 26));
    }
    return text.toString();
  }

  private String answer(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    Map<String, ?> headers = new TreeMap<>(response.headers().map());
    headers.remove("date");
    return request.method()
        + " "
        + request.uri().getPath()
        + "\n"
        + response.statusCode()
        + " "
        + headers
        + "\n"
        + body(response.body());
  }

  private static String body(byte[] body) {
    if (body.length <= WHOLE) {
      return new String(body, StandardCharsets.ISO_8859_1);
    }
    CRC32 sum = new CRC32();
    sum.update(body);
    return body.length + " bytes with the sum " + sum.getValue();
  }
}
