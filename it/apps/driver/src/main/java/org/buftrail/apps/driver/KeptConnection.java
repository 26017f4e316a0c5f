package org.buftrail.apps.driver;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * A connection of HTTP/1.1 that is kept open, with as little work of its own as can be: what it
 * costs is taken from the server that shares the machine with it.
 */
final class KeptConnection implements OpenRate.Connection {
  private final Socket socket;
  private final InputStream in;
  private final List<byte[]> requests;

  /** Opens it, for these requests in turn. */
  KeptConnection(int port, List<byte[]> requests) throws IOException {
    this.requests = requests;
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
  }

  /** A request with so many letters of body; none in one that gets. */
  static byte[] request(String method, String path, int length) {
    String head = method + " " + path + " HTTP/1.1\r\nhost: 127.0.0.1\r\n";
    if (!method.equals("GET")) {
      head += "content-type: text/plain\r\ncontent-length: " + length + "\r\n";
    }
    return (head + "\r\n" + HttpCalls.text(length)).getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public void call(int i) throws IOException {
    socket.getOutputStream().write(requests.get(i % requests.size()));
    String status = line();
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new IOException(status);
    }
    int length = 0;
    boolean chunked = false;
    for (String line = line(); !line.isEmpty(); line = line()) {
      String header = line.toLowerCase(Locale.ROOT);
      if (header.startsWith("content-length:")) {
        length = Integer.parseInt(header.substring(header.indexOf(':') + 1).trim());
      }
      chunked |= header.startsWith("transfer-encoding:") && header.contains("chunked");
    }
    if (!chunked) {
      in.skipNBytes(length);
      return;
    }
    for (int size = size(); size > 0; size = size()) {
      in.skipNBytes(size + 2);
    }
    line();
  }

  private int size() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the server closed the connection");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
