package org.buftrail.it.programs;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.ServerChannel;

/** A transport of Netty's by its name; not every one is there in every version. */
final class Transport {
  /** Exit code of a program whose transport the machine does not have. */
  private static final int UNAVAILABLE = 3;

  private static final String CHANNEL = "io.netty.channel.";

  private final String prefix;

  private Transport(String prefix) {
    this.prefix = prefix;
  }

  static Transport of(String name) throws ReflectiveOperationException {
    switch (name) {
      case "epoll":
        return available(CHANNEL + "epoll.Epoll");
      case "io_uring":
        return available(CHANNEL + "uring.IoUring");
      default:
        return new Transport(CHANNEL + "socket.nio.Nio");
    }
  }

  private static Transport available(String prefix) throws ReflectiveOperationException {
    Object cause = Class.forName(prefix).getMethod("unavailabilityCause").invoke(null);
    if (cause != null) {
      System.err.println(cause);
      System.exit(UNAVAILABLE);
    }
    return new Transport(prefix);
  }

  /** One event loop. */
  EventLoopGroup group() throws ReflectiveOperationException {
    if (prefix.endsWith("IoUring")) {
      Class<?> factory = Class.forName(CHANNEL + "IoHandlerFactory");
      Object handlers = Class.forName(prefix + "IoHandler").getMethod("newFactory").invoke(null);
      return Class.forName(CHANNEL + "MultiThreadIoEventLoopGroup")
          .asSubclass(EventLoopGroup.class)
          .getConstructor(int.class, factory)
          .newInstance(1, handlers);
    }
    String group = prefix.replace(".socket.", ".") + "EventLoopGroup";
    return Class.forName(group)
        .asSubclass(EventLoopGroup.class)
        .getConstructor(int.class)
        .newInstance(1);
  }

  Class<? extends ServerChannel> server() throws ClassNotFoundException {
    return Class.forName(prefix + "ServerSocketChannel").asSubclass(ServerChannel.class);
  }

  Class<? extends Channel> client() throws ClassNotFoundException {
    return Class.forName(prefix + "SocketChannel").asSubclass(Channel.class);
  }
}
