package org.buftrail.report.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An answer: a status, headers, and a body that is known or is written while it is sent. */
public final class Response {
  private final int status;
  private final byte @Nullable [] bytes;
  private final Body body;
  private final Map<String, String> headers = new LinkedHashMap<>();

  public interface Body {
    /**
     * Writes all of it.
     *
     * @throws IOException if it cannot; then the connection is broken, so that nobody takes a part
     *     for the whole
     */
    void write(OutputStream out) throws IOException;
  }

  private Response(int status, byte @Nullable [] bytes, Body body) {
    this.status = status;
    this.bytes = bytes;
    this.body = body;
  }

  /** Returns a response with a body that is known. */
  public static Response of(int status, byte[] body) {
    return new Response(status, body, out -> out.write(body));
  }

  /** Returns a response with a body that is written while it is sent. */
  public static Response of(int status, Body body) {
    return new Response(status, null, body);
  }

  /** Sets a header; neither its name nor its value may have a line break. */
  public Response header(String name, String value) {
    headers.put(name, value);
    return this;
  }

  /** Whether this header is set. */
  public boolean has(String name) {
    return headers.containsKey(name);
  }

  Body body() {
    return body;
  }

  /** Whether the body is known before it is sent. */
  boolean isKnown() {
    return bytes != null;
  }

  /** The first part of the answer, up to the empty line. */
  byte[] head(boolean inChunks, long nowMillis) {
    StringBuilder head = new StringBuilder(512);
    head.append("HTTP/1.1 ").append(status).append(status == 200 ? " OK" : " ").append("\r\n");
    add(head, "Date", HttpDate.format(nowMillis));
    add(head, "Connection", "close");
    headers.forEach((name, value) -> add(head, name, value));
    if (bytes != null) {
      add(head, "Content-Length", Integer.toString(bytes.length));
    } else if (inChunks) {
      add(head, "Transfer-Encoding", "chunked");
    }
    return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void add(StringBuilder head, String name, String value) {
    head.append(name).append(": ").append(value).append("\r\n");
  }

  /** Head and body in one. */
  byte[] whole(boolean withBody, long nowMillis) {
    byte[] head = head(false, nowMillis);
    byte[] known = bytes == null || !withBody ? new byte[0] : bytes;
    byte[] whole = new byte[head.length + known.length];
    System.arraycopy(head, 0, whole, 0, head.length);
    System.arraycopy(known, 0, whole, head.length, known.length);
    return whole;
  }
}
