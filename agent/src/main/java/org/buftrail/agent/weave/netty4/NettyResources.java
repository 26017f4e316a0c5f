package org.buftrail.agent.weave.netty4;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.buftrail.agent.weave.classfile.ByteSearch;
import org.buftrail.agent.weave.classfile.ClassHead;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.agent.weave.classfile.Rewriter;
import org.buftrail.agent.weave.resources.ResourceRule;
import org.buftrail.agent.weave.resources.ResourceVisitor;
import org.buftrail.flow.woven.Resources;
import org.jspecify.annotations.Nullable;

/**
 * What Netty's own leak detector follows beside buffers, and of which an application has few:
 * OpenSSL engines and contexts, timers, messages of DNS and of HAProxy. Each is a resource under
 * its own name, wherever its Netty has been relocated to, from the moment its class loads.
 * Thread-safe.
 */
final class NettyResources {
  private static final String SSL = "handler/ssl/";
  private static final String DNS = "handler/codec/dns/";

  /** What closes them, by their classes. */
  private static final Map<String, String> CLOSES =
      Map.of(
          SSL + "ReferenceCountedOpenSslEngine",
          "release",
          SSL + "ReferenceCountedOpenSslContext",
          "release",
          "util/HashedWheelTimer",
          "stop",
          DNS + "AbstractDnsMessage",
          "deallocate",
          "handler/codec/haproxy/HAProxyMessage",
          "deallocate");

  /** Classes below these whose objects are released by a finalizer. */
  private static final Map<String, String> SELF_CLOSING =
      Map.of(
          SSL + "ReferenceCountedOpenSslEngine", SSL + "OpenSslEngine",
          SSL + "ReferenceCountedOpenSslContext", SSL + "OpenSslContext");

  /** Further types by which they are passed on. */
  private static final Set<String> TYPES =
      Set.of(
          SSL + "SslContext",
          "util/Timer",
          DNS + "DnsMessage",
          DNS + "DnsQuery",
          DNS + "DnsResponse",
          DNS + "DefaultDnsQuery",
          DNS + "DefaultDnsResponse",
          DNS + "DatagramDnsQuery",
          DNS + "DatagramDnsResponse");

  /** One of these is in the file of each class that constructs what others may construct. */
  private static final byte[] TIMER = bytes("netty/util/HashedWheelTimer");

  private static final byte[] DNS_MESSAGE = bytes("netty/handler/codec/dns/D");
  private static final byte[] HAPROXY_MESSAGE = bytes("netty/handler/codec/haproxy/HAProxyMessage");
  private static final String ENGINE = "javax/net/ssl/SSLEngine";
  private static final String RELEASE = "release";
  private static final String COUNT = "refCnt";

  /** By the internal name of its class, which a JVM may have from several packages. */
  private final Map<String, ResourceRule> rules = new ConcurrentHashMap<>();

  /** Whether a declared type may be one of these. */
  static boolean isType(String internalName) {
    String inNetty = NettyNames.inNetty(internalName);
    return inNetty == null
        ? internalName.equals(ENGINE)
        : CLOSES.containsKey(inNetty) || TYPES.contains(inNetty);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Whether a class may construct one of these. */
  static boolean areMadeIn(byte[] classFile) {
    return ByteSearch.contains(classFile, TIMER)
        || ByteSearch.contains(classFile, DNS_MESSAGE)
        || ByteSearch.contains(classFile, HAPROXY_MESSAGE);
  }

  /** Whether a class opens and closes one of these. */
  static boolean isOwner(String internalName) {
    String inNetty = NettyNames.inNetty(internalName);
    return inNetty != null && CLOSES.containsKey(inNetty);
  }

  /** The class woven, or null where it is none of these. */
  byte @Nullable [] weave(
      Rewriter rewriter,
      @Nullable ClassLoader loader,
      String name,
      @Nullable Class<?> loaded,
      byte[] classFile) {
    if (!isOwner(name)) {
      return null;
    }
    ResourceRule rule = rules.computeIfAbsent(name, NettyResources::rule);
    return ResourceVisitor.weave(
        rewriter, loader, loaded, classFile, new ClassHead(classFile), List.of(rule));
  }

  private static ResourceRule rule(String name) {
    String inNetty = String.valueOf(NettyNames.inNetty(name));
    String root = name.substring(0, name.length() - inNetty.length());
    String close = String.valueOf(CLOSES.get(inNetty));
    String selfClosing = SELF_CLOSING.get(inNetty);
    boolean counted = close.equals(RELEASE);
    int id =
        Resources.registerKnown(
            Names.binary(name),
            counted ? COUNT : null,
            selfClosing == null ? null : Names.binary(root + selfClosing));
    return new ResourceRule(
        id,
        name,
        List.of(new ResourceRule.Member(name, ResourceRule.CONSTRUCTOR, null)),
        List.of(new ResourceRule.Member(name, close, null)),
        counted);
  }
}
