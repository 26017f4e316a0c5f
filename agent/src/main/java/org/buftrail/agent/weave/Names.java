package org.buftrail.agent.weave;

import java.nio.charset.StandardCharsets;

/** Names in class files: ours, and Netty's wherever it has been relocated to. */
final class Names {
  static final String FLOWS = "org/buftrail/flow/Flows";
  static final String RESOURCES = "org/buftrail/flow/Resources";
  static final String TRAIL = "org/buftrail/flow/Trail";
  static final String HOLDER = "org/buftrail/flow/BufferHolder";
  static final String JOINED = "org/buftrail/flow/Joined";

  /** In every class file that names a buffer as a parameter, result or field. */
  static final byte[] BUFFER_TYPE = "ByteBuf;".getBytes(StandardCharsets.UTF_8);

  private static final String[] JDK = {"java/", "javax/", "jdk/", "sun/", "com/sun/"};
  private static final String BUFFER_PACKAGE = "netty/buffer/";
  private static final String CONTEXT = "netty/channel/ChannelHandlerContext";

  private Names() {}

  /** Whether a class is the JDK's. */
  static boolean isOfJdk(String internalName) {
    for (String prefix : JDK) {
      if (internalName.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a class lies in Netty's buffer package, shaded or not. */
  static boolean isInBufferPackage(String internalName) {
    int at = internalName.lastIndexOf('/') + 1 - BUFFER_PACKAGE.length();
    return at >= 0
        && internalName.startsWith(BUFFER_PACKAGE, at)
        && (at == 0 || internalName.charAt(at - 1) == '/');
  }

  /** Whether a class is Netty's, shaded or not. */
  static boolean isNetty(String internalName) {
    int at = internalName.indexOf("netty/");
    return at == 0 || (at > 0 && internalName.charAt(at - 1) == '/');
  }

  /** Whether a type is Netty's {@code ByteBufAllocator}. */
  static boolean isAllocator(String internalName) {
    return simple(internalName).equals("ByteBufAllocator") && isInBufferPackage(internalName);
  }

  /** Whether a type is {@code ByteBuf} or one of Netty's own kinds of it. */
  static boolean isBuffer(String internalName) {
    return internalName.endsWith("ByteBuf") && isInBufferPackage(internalName);
  }

  /** Whether a type is the class that Netty's buffers with a count of their own extend. */
  static boolean isCountingBuffer(String internalName) {
    return simple(internalName).equals("AbstractReferenceCountedByteBuf")
        && isInBufferPackage(internalName);
  }

  /** Whether a type is Netty's {@code ByteBufHolder}. */
  static boolean isHolder(String internalName) {
    return simple(internalName).equals("ByteBufHolder") && isInBufferPackage(internalName);
  }

  static boolean isContext(String internalName) {
    return internalName.endsWith(CONTEXT);
  }

  static String simple(String internalName) {
    return internalName.substring(internalName.lastIndexOf('/') + 1);
  }

  static String binary(String internalName) {
    return internalName.replace('/', '.');
  }
}
