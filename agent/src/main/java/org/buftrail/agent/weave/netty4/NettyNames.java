package org.buftrail.agent.weave.netty4;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.buftrail.agent.weave.classfile.Names;
import org.jspecify.annotations.Nullable;

/** Names of Netty's in class files, wherever it has been relocated to. */
final class NettyNames {
  /** In every class file that names a buffer in any way. */
  static final byte[] BUFFER = "ByteBuf".getBytes(StandardCharsets.UTF_8);

  /** In every class file that names a buffer as a parameter, result or field. */
  static final byte[] BUFFER_TYPE = "ByteBuf;".getBytes(StandardCharsets.UTF_8);

  /** What holders extend beside {@code ByteBufHolder}, and other messages do too. */
  private static final Set<String> WIDER =
      Set.of(
          "ReferenceCounted",
          "DecoderResultProvider",
          "DnsRecord",
          "Http2Frame",
          "MqttMessage",
          "RedisMessage",
          "SpdyFrame");

  private static final String NETTY = "io/netty/";
  private static final String BUFFER_PACKAGE = "buffer/";
  private static final String CHANNEL_PACKAGE = "channel/";

  /** Where else Netty was found, {@code com/example/shaded/netty/}. */
  private static final Set<String> RELOCATED = new CopyOnWriteArraySet<>();

  /** Packages that end as Netty's and have no buffer in them, {@code com/example/io/netty/}. */
  private static final Set<String> OTHERS = new CopyOnWriteArraySet<>();

  private NettyNames() {}

  /** A package, with a slash at its end, turned out to be Netty's under another name. */
  static void addRelocated(String root) {
    RELOCATED.add(root);
  }

  /** A package, with a slash at its end, turned out to be somebody else's despite its name. */
  static void addOther(String root) {
    OTHERS.add(root);
  }

  /**
   * The package, with a slash at its end, that makes a class Netty's by its name alone; null where
   * that is Netty's own, or there is none.
   */
  static @Nullable String relocatedRoot(String internalName) {
    int at = internalName.indexOf(NETTY);
    return at > 0 && internalName.charAt(at - 1) == '/'
        ? internalName.substring(0, at + NETTY.length())
        : null;
  }

  /** Where the name goes on behind Netty's own package, or -1 when the class is not Netty's. */
  private static int behindNetty(String internalName) {
    int at = internalName.indexOf(NETTY);
    if (at == 0 || (at > 0 && internalName.charAt(at - 1) == '/' && !isOthers(internalName, at))) {
      return at + NETTY.length();
    }
    for (String root : RELOCATED) {
      if (internalName.startsWith(root)) {
        return root.length();
      }
    }
    return -1;
  }

  private static boolean isOthers(String internalName, int at) {
    return !OTHERS.isEmpty() && OTHERS.contains(internalName.substring(0, at + NETTY.length()));
  }

  /** The name of a class of Netty's within Netty, {@code util/Timer}, or null. */
  static @Nullable String inNetty(String internalName) {
    int at = behindNetty(internalName);
    return at < 0 ? null : internalName.substring(at);
  }

  /** Whether a class lies in Netty's buffer package, shaded or not. */
  static boolean isInBufferPackage(String internalName) {
    int at = behindNetty(internalName);
    return at >= 0
        && internalName.startsWith(BUFFER_PACKAGE, at)
        && internalName.indexOf('/', at + BUFFER_PACKAGE.length()) < 0;
  }

  /** Whether a class lies in Netty's channel package or below, shaded or not. */
  static boolean isOfChannels(String internalName) {
    int at = behindNetty(internalName);
    return at >= 0 && internalName.startsWith(CHANNEL_PACKAGE, at);
  }

  /** Whether a class is Netty's, shaded or not. */
  static boolean isNetty(String internalName) {
    return behindNetty(internalName) >= 0;
  }

  /** Whether a type is Netty's {@code ByteBufAllocator}. */
  static boolean isAllocator(String internalName) {
    return internalName.endsWith("/ByteBufAllocator") && isInBufferPackage(internalName);
  }

  /** Whether a type is {@code ByteBuf} or one of Netty's own kinds of it. */
  static boolean isBuffer(String internalName) {
    return internalName.endsWith("ByteBuf") && isInBufferPackage(internalName);
  }

  /** Whether a type is the class that Netty's buffers with a count of their own extend. */
  static boolean isCountingBuffer(String internalName) {
    return internalName.endsWith("/AbstractReferenceCountedByteBuf")
        && isInBufferPackage(internalName);
  }

  /** Whether a type is Netty's {@code ByteBufHolder}. */
  static boolean isHolder(String internalName) {
    return internalName.endsWith("/ByteBufHolder") && isInBufferPackage(internalName);
  }

  /** Whether a type is one of {@link #WIDER}. */
  static boolean mayHold(String internalName) {
    return WIDER.contains(Names.simple(internalName)) && isNetty(internalName);
  }

  static boolean isHandler(String internalName) {
    return internalName.endsWith("/ChannelHandler") && isOfChannels(internalName);
  }

  static boolean isContext(String internalName) {
    return internalName.endsWith("/ChannelHandlerContext") && isOfChannels(internalName);
  }
}
