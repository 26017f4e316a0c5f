package org.buftrail.agent.weave.netty4;

import java.util.Set;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.flow.state.HolderRoot;
import org.buftrail.flow.state.Owners;

/**
 * Classes above Netty's holders whose superclass is {@code Object}. They get {@link HolderRoot} in
 * its place, whether they hold anything themselves or not.
 */
final class HolderRoots {
  /** Netty's, wherever it has been relocated to. */
  private static final Set<String> NAMES =
      Set.of(
          "AbstractDnsRecord",
          "AbstractHttp2StreamFrame",
          "AbstractReferenceCounted",
          "DefaultByteBufHolder",
          "DefaultHttpObject",
          "DefaultSpdyStreamFrame",
          "DefaultStompHeadersSubframe",
          "HttpPostRequestEncoder$WrappedHttpRequest");

  private static final String VERTX = "io/vertx/core/http/impl/http1/VertxHttpObject";

  private HolderRoots() {}

  static boolean contains(String internalName) {
    return internalName.equals(VERTX)
        || (NettyNames.isNetty(internalName) && NAMES.contains(Names.simple(internalName)));
  }

  /**
   * Whether a class may turn out to be one, when it is known under which name somebody has
   * relocated Netty.
   */
  static boolean mayTurnOutToBe(String internalName) {
    return internalName.contains("netty/") && NAMES.contains(Names.simple(internalName));
  }

  /** Where one was loaded before the agent, holders below it are known by their interface alone. */
  static void recognise(Class<?> loaded) {
    String name = loaded.getName().replace('.', '/');
    if (loaded.getSuperclass() == Object.class && (contains(name) || mayTurnOutToBe(name))) {
      Owners.expectOthers();
    }
  }
}
