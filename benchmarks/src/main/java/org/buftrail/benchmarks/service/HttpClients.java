package org.buftrail.benchmarks.service;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A program that sends requests on several connections, two of which are always under way on each,
 * whenever its input has a byte, and answers it with one.
 *
 * <p>Arguments: the port, and how many requests a byte stands for.
 */
public final class HttpClients {
  static final int GO = 1;
  static final int DONE = 2;

  private static final int CONNECTIONS = 8;
  private static final int UNDER_WAY = 2;

  private final SocketChannel[] connections = new SocketChannel[CONNECTIONS];
  private final ByteBuffer requests;
  private final ByteBuffer responses;

  private HttpClients(int port) throws IOException {
    InetSocketAddress server = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    for (int i = 0; i < CONNECTIONS; i++) {
      connections[i] = SocketChannel.open(server);
    }
    requests = several(HttpHandlers.request());
    responses = several(HttpHandlers.response());
  }

  private static ByteBuffer several(byte[] each) {
    ByteBuffer all = ByteBuffer.allocateDirect(UNDER_WAY * each.length);
    for (int i = 0; i < UNDER_WAY; i++) {
      all.put(each);
    }
    return all;
  }

  /** Ends with its input. */
  public static void main(String[] args) throws IOException {
    HttpClients clients = new HttpClients(Integer.parseInt(args[0]));
    int rounds = Integer.parseInt(args[1]) / (CONNECTIONS * UNDER_WAY);
    while (System.in.read() == GO) {
      clients.send();
      for (int i = 0; i < rounds; i++) {
        clients.receive(i + 1 < rounds);
      }
      System.out.write(DONE);
      System.out.flush();
    }
  }

  private void send() throws IOException {
    for (SocketChannel each : connections) {
      send(each);
    }
  }

  private void send(SocketChannel connection) throws IOException {
    requests.clear();
    while (requests.hasRemaining()) {
      connection.write(requests);
    }
  }

  private void receive(boolean goesOn) throws IOException {
    for (SocketChannel each : connections) {
      responses.clear();
      while (responses.hasRemaining()) {
        if (each.read(responses) < 0) {
          throw new IOException("the server has closed a connection");
        }
      }
      if (goesOn) {
        send(each);
      }
    }
  }
}
