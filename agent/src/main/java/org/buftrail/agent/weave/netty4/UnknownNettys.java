package org.buftrail.agent.weave.netty4;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.buftrail.agent.weave.classfile.ByteSearch;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.agent.weave.classfile.PerLoader;
import org.buftrail.agent.weave.classfile.Supertypes;
import org.jspecify.annotations.Nullable;

/**
 * The Nettys that are left alone, because their buffers cannot be counted right: those before
 * {@value #FIRST}, and any that lacks what is woven.
 *
 * <p>Decided by members of its classes, since a shaded Netty has lost its version. Thread-safe.
 */
final class UnknownNettys {
  /** The first Netty that has all members. */
  static final String FIRST = "4.1.40";

  private static final String OWN_PACKAGE = "io/netty/buffer/";
  private static final String VERSIONS = "META-INF/io.netty.versions.properties";

  /** The class that counts releases. */
  private static final String COUNTING = "AbstractReferenceCountedByteBuf";

  private static final String COUNTING_METHOD = "handleRelease";

  /** Other classes whose fields are read. */
  private static final Set<String> READ =
      Set.of(
          "AbstractPooledDerivedByteBuf",
          "AbstractPooledDerivedByteBuf$PooledNonRetainedSlicedByteBuf",
          "CompositeByteBuf",
          "CompositeByteBuf$Component",
          "FixedCompositeByteBuf",
          "UnpooledDirectByteBuf");

  /** Why the Netty of a package is left alone, as each loader sees it; empty where it is not. */
  private final PerLoader<Map<String, String>> reasons = new PerLoader<>(ConcurrentHashMap::new);

  /**
   * Why the Netty of a class is left alone, in one line; null where it is not.
   *
   * @param counting the file of the class that counts, if it is at hand: a class loads before what
   *     it extends, so most often it must be read
   */
  @Nullable String reason(@Nullable ClassLoader loader, String name, byte @Nullable [] counting) {
    Map<String, String> known = reasons.get(loader);
    String root = packageOf(name);
    String reason = known.get(root);
    if (reason == null) {
      byte[] file =
          counting == null ? Supertypes.file(loader, root + COUNTING + ".class") : counting;
      if (file == null) {
        return null;
      }
      reason = decide(loader, root, file);
      known.put(root, reason);
    }
    return reason.isEmpty() ? null : reason;
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('/') + 1);
  }

  private static String decide(@Nullable ClassLoader loader, String root, byte[] counting) {
    String missing = missing(loader, root, counting);
    return missing == null
        ? ""
        : version(loader, root)
            + " is not followed: the agent needs Netty "
            + FIRST
            + " or later, and finds no "
            + missing;
  }

  private static @Nullable String missing(
      @Nullable ClassLoader loader, String root, byte[] counting) {
    if (!has(counting, COUNTING_METHOD)) {
      return COUNTING + '.' + COUNTING_METHOD;
    }
    for (String name : READ) {
      String field = BufferShape.of(name).field();
      byte[] classFile = Supertypes.file(loader, root + name + ".class");
      // Where a loader gives no files of classes, nothing is known against it.
      if (field != null && classFile != null && !has(classFile, field)) {
        return name + '.' + field;
      }
    }
    return null;
  }

  private static boolean has(byte[] classFile, String member) {
    return ByteSearch.contains(classFile, member.getBytes(StandardCharsets.UTF_8));
  }

  /** The version of a Netty in its own package, if a jar of it says so. */
  private static String version(@Nullable ClassLoader loader, String root) {
    byte[] file = root.equals(OWN_PACKAGE) ? Supertypes.file(loader, VERSIONS) : null;
    Properties versions = new Properties();
    try {
      versions.load(new ByteArrayInputStream(file == null ? new byte[0] : file));
    } catch (IOException | IllegalArgumentException e) {
      versions.clear();
    }
    for (String key : versions.stringPropertyNames()) {
      if (key.endsWith(".version")) {
        return "Netty " + versions.getProperty(key);
      }
    }
    return "the Netty in " + Names.binary(root.substring(0, root.length() - 1));
  }
}
