package org.buftrail.agent.weave.hops;

import java.util.Map;
import java.util.Set;

/**
 * Methods of the JDK and of common libraries that take any object and do no more than look at it.
 */
final class PlainCalls {
  private static final Set<String> ALL = Set.of();

  /** The names of the methods by their class; all of the class where none is named. */
  private static final Map<String, Set<String>> METHODS =
      Map.ofEntries(
          Map.entry("java/lang/Object", Set.of("equals", "getClass", "hashCode", "toString")),
          Map.entry("java/lang/String", Set.of("valueOf")),
          Map.entry("java/lang/StringBuilder", Set.of("append", "insert")),
          Map.entry("java/lang/System", Set.of("identityHashCode")),
          Map.entry("java/lang/Class", Set.of("cast", "isInstance")),
          Map.entry("java/io/PrintStream", Set.of("print", "println")),
          Map.entry(
              "java/io/InputStream",
              Set.of(
                  "available",
                  "mark",
                  "markSupported",
                  "read",
                  "readAllBytes",
                  "readNBytes",
                  "reset",
                  "skip",
                  "skipNBytes",
                  "transferTo")),
          Map.entry("java/util/Objects", ALL),
          Map.entry("kotlin/jvm/internal/Intrinsics", ALL),
          Map.entry("org/slf4j/Logger", ALL));

  private PlainCalls() {}

  static boolean onlyRead(String owner, String method) {
    Set<String> methods = METHODS.get(owner);
    return methods != null && (methods == ALL || methods.contains(method));
  }
}
