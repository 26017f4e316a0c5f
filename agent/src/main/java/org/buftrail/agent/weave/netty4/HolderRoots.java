package org.buftrail.agent.weave.netty4;

import java.util.Set;
import org.buftrail.agent.weave.Names;
import org.buftrail.flow.HolderRoot;
import org.buftrail.flow.Owners;

/**
 * Classes above Netty's holders whose superclass is {@code Object}. They get {@link HolderRoot} in
 * its place, whether they hold anything themselves or not.
 */
final class HolderRoots {
  private static final Set<String> NAMES =
      Set.of(
          "AbstractHttp2StreamFrame",
          "AbstractReferenceCounted",
          "DefaultByteBufHolder",
          "DefaultHttpObject",
          "DefaultSpdyStreamFrame",
          "DefaultStompHeadersSubframe");

  private HolderRoots() {}

  static boolean contains(String internalName) {
    return NettyNames.isNetty(internalName) && NAMES.contains(Names.simple(internalName));
  }

  /** Where one was loaded before the agent, holders below it are known by their interface alone. */
  static void recognise(Class<?> loaded) {
    if (loaded.getSuperclass() == Object.class && contains(loaded.getName().replace('.', '/'))) {
      Owners.expectOthers();
    }
  }
}
