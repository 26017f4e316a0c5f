package org.buftrail.agent.weave.hops;

import java.util.List;
import java.util.Set;

/** Calls that put an object into a collection, known by the names of the JDK's methods. */
final class CollectingCalls {
  private static final Set<String> NAMES =
      Set.of(
          "add",
          "addFirst",
          "addLast",
          "offer",
          "offerFirst",
          "offerLast",
          "push",
          "put",
          "putFirst",
          "putIfAbsent",
          "putLast");

  /** How the names of the JDK's collections end. */
  private static final List<String> COLLECTIONS =
      List.of("Collection", "Deque", "Hashtable", "List", "Map", "Queue", "Set", "Stack", "Vector");

  private CollectingCalls() {}

  static boolean collect(String owner, String method) {
    return isCollection(owner) && NAMES.contains(method);
  }

  /** Whether a type is one of the JDK's collections. */
  static boolean isCollection(String type) {
    return type.startsWith("java/util/") && COLLECTIONS.stream().anyMatch(type::endsWith);
  }
}
