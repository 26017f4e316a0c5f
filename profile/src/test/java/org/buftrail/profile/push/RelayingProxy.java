package org.buftrail.profile.push;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy that works: it passes on what it is asked to, by HTTP's CONNECT or by SOCKS 5. */
final class RelayingProxy implements AutoCloseable {
  private static final int VERSION_5 = 5;
  private static final int TO_A_NAME = 3;

  private final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
  private final Proxy.Type type;
  private final int receiver;
  private final List<String> asked = new CopyOnWriteArrayList<>();

  /**
   * @param receiver the port on this host where everything goes
   */
  RelayingProxy(Proxy.Type type, int receiver) throws IOException {
    this.type = type;
    this.receiver = receiver;
    daemon(this::accept);
  }

  Proxy address() {
    return new Proxy(
        type, new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort()));
  }

  /** Hosts and ports that it was asked for. */
  List<String> asked() {
    return asked;
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "relaying-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = socket.accept();
        daemon(() -> serve(client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket client) {
    // Not a plain socket, which would ask the JVM's selector of proxies, and be led to here.
    try (client;
        Socket server = new Socket(Proxy.NO_PROXY)) {
      server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), receiver));
      if (type == Proxy.Type.SOCKS) {
        greetBySocks(client);
      } else {
        greetByHttp(client);
      }
      daemon(() -> copy(server, client));
      copy(client, server);
    } catch (IOException e) {
      // One of them has gone.
    }
  }

  private void greetBySocks(Socket client) throws IOException {
    DataInputStream in = new DataInputStream(client.getInputStream());
    OutputStream out = client.getOutputStream();
    require(in.readUnsignedByte() == VERSION_5);
    in.skipBytes(in.readUnsignedByte());
    out.write(new byte[] {VERSION_5, 0});
    require(in.readUnsignedByte() == VERSION_5);
    in.skipBytes(2);
    require(in.readUnsignedByte() == TO_A_NAME);
    byte[] host = in.readNBytes(in.readUnsignedByte());
    asked.add(new String(host, StandardCharsets.US_ASCII) + ":" + in.readUnsignedShort());
    out.write(new byte[] {VERSION_5, 0, 0, 1, 0, 0, 0, 0, 0, 0});
  }

  private void greetByHttp(Socket client) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = client.getInputStream().read();
      require(next >= 0);
      head.append((char) next);
    }
    asked.add(head.substring("CONNECT ".length(), head.indexOf(" HTTP/1.1")));
    client.getOutputStream().write(RawReceiver.ascii("HTTP/1.1 200 Connected\r\n\r\n"));
  }

  private static void require(boolean right) throws IOException {
    if (!right) {
      throw new IOException("not what a client says");
    }
  }

  private static void copy(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      in.transferTo(to.getOutputStream());
      to.shutdownOutput();
    } catch (IOException e) {
      // One of them has gone.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
