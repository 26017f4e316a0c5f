package org.buftrail.agent.weave.netty4;

import java.util.Set;
import org.buftrail.agent.weave.classfile.Names;

/** Methods of Netty's, and of frameworks' types for buffers, that only read. Stateless. */
final class ReadingCalls {
  /** How the names of methods of buffers begin that neither release a buffer nor keep one. */
  private static final String[] OF_BUFFERS = {
    "alloc",
    "array",
    "as",
    "bytes",
    "capacity",
    "clear",
    "compare",
    "component",
    "copy",
    "discard",
    "duplicate",
    "ensure",
    "equals",
    "forEach",
    "get",
    "has",
    "index",
    "internalNio",
    "is",
    "last",
    "mark",
    "max",
    "memory",
    "nio",
    "num",
    "order",
    "read",
    "refCnt",
    "reset",
    "set",
    "skip",
    "slice",
    "toString",
    "touch",
    "unwrap",
    "write"
  };

  /** Methods without parameters by which something ends or is kept. */
  private static final Set<String> ENDING =
      Set.of("cancel", "close", "delete", "dispose", "free", "release", "retain");

  private ReadingCalls() {}

  /**
   * Whether a method is one.
   *
   * @param given whether one of its arguments may be a buffer
   */
  static boolean contain(String owner, String method, String descriptor, boolean given) {
    if (NettyNames.isInBufferPackage(owner)) {
      String type = Names.simple(owner);
      if (type.equals("ByteBufUtil") || NettyNames.isBuffer(owner)) {
        return type.equals("ByteBufUtil") || startsAsOne(method);
      }
      if (type.equals("Unpooled")) {
        return method.startsWith("copied");
      }
      return !given
          && (type.equals("ByteBufInputStream") ? startsAsOne(method) : isFact(method, descriptor));
    }
    if (given) {
      return NettyNames.isNetty(owner)
          && method.equals("refCnt")
          && owner.endsWith("/util/ReferenceCountUtil");
    }
    boolean isFrameworks = FrameworkHolders.isType(owner);
    return (isFrameworks || (NettyNames.isNetty(owner) && !NettyNames.isOfChannels(owner)))
        && (isFact(method, descriptor) || (isFrameworks && startsAsOne(method)));
  }

  private static boolean startsAsOne(String method) {
    for (String start : OF_BUFFERS) {
      if (method.startsWith(start)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a method takes nothing and has a name that says nothing of an end. */
  private static boolean isFact(String method, String descriptor) {
    return descriptor.startsWith("()") && !ENDING.contains(method);
  }
}
