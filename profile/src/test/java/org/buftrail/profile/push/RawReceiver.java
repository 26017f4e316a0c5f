package org.buftrail.profile.push;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers each request with bytes that no decent server would send, at a pace of its own. */
final class RawReceiver implements AutoCloseable {
  private final ServerSocket socket;
  private final Answer answer;
  private final List<Socket> connections = new CopyOnWriteArrayList<>();
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private final AtomicInteger requests = new AtomicInteger();
  private final List<String> heads = new CopyOnWriteArrayList<>();

  /** Writes an answer. */
  interface Answer {
    void write(OutputStream out) throws IOException, InterruptedException;
  }

  RawReceiver(Answer answer) throws IOException {
    this(answer, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
  }

  /** One that listens with TLS, for instance. */
  RawReceiver(Answer answer, ServerSocket socket) {
    this.answer = answer;
    this.socket = socket;
    daemon(this::accept);
  }

  /** One that answers with a head and a body. */
  static RawReceiver answering(String head, byte[] body) throws IOException {
    return new RawReceiver(
        out -> {
          out.write(ascii("HTTP/1.1 " + head + "\r\nContent-Length: " + body.length + "\r\n\r\n"));
          out.write(body);
        });
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Says nothing until the receiver is closed. */
  static void hold() throws InterruptedException {
    new CountDownLatch(1).await();
  }

  private void daemon(Runnable work) {
    Thread thread = new Thread(work, "raw-receiver");
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = socket.accept();
        connections.add(connection);
        daemon(() -> serve(connection));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      read(connection.getInputStream());
      requests.incrementAndGet();
      answer.write(connection.getOutputStream());
    } catch (IOException | InterruptedException e) {
      // The sender went away.
    }
  }

  private void read(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("cut off");
      }
      head.append((char) next);
    }
    heads.add(head.toString());
    for (String line : head.toString().split("\r\n", -1)) {
      if (line.startsWith("Content-Length: ")) {
        in.readNBytes(Integer.parseInt(line.substring("Content-Length: ".length())));
      }
    }
  }

  /** The heads of the requests, in their order. */
  List<String> heads() {
    return heads;
  }

  /** Requests that came whole. */
  int requests() {
    return requests.get();
  }

  int port() {
    return socket.getLocalPort();
  }

  String url() {
    return "http://127.0.0.1:" + port();
  }

  PushTarget target(int timeoutMillis) {
    return PushTarget.of(url(), "--endpoint", Map.of()).withTimeout(timeoutMillis);
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket connection : connections) {
      connection.close();
    }
    threads.forEach(Thread::interrupt);
  }
}
