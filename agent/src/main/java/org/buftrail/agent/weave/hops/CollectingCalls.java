package org.buftrail.agent.weave.hops;

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

  private CollectingCalls() {}

  static boolean collect(String owner, String method) {
    return isOfCollection(owner) && NAMES.contains(method);
  }

  /** Whether a type is one of the JDK's collections, or another of its package. */
  static boolean isOfCollection(String type) {
    return type.startsWith("java/util/") && !type.startsWith("java/util/concurrent/atomic/");
  }
}
