package org.buftrail.it.states;

import com.google.protobuf.InvalidProtocolBufferException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Takes what the agent pushes, as a collector does, and adds it up. */
final class Receiver implements AutoCloseable {
  private final HttpServer server;
  private final List<byte[]> messages = new ArrayList<>();

  Receiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::take);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void take(HttpExchange exchange) throws IOException {
    boolean isPacked = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
    InputStream body = exchange.getRequestBody();
    byte[] message = (isPacked ? new GZIPInputStream(body) : body).readAllBytes();
    synchronized (messages) {
      messages.add(message);
    }
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  /** The sum of all that came, with what is live of the newest. */
  Told told() throws InvalidProtocolBufferException {
    Told told = new Told();
    synchronized (messages) {
      for (int i = 0; i < messages.size(); i++) {
        ProfileReader.add(messages.get(i), i == messages.size() - 1, told);
      }
    }
    // What is live has not been told as allocated yet.
    return told.move("allocated", "ended").move("allocatedBytes", "endedBytes");
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
