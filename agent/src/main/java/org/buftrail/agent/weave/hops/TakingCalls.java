package org.buftrail.agent.weave.hops;

import java.util.Set;

/**
 * Calls that take an object out of a queue, map, future or the like, known by the names of the
 * JDK's methods. Who takes one has it from then on; who only looks, by an iterator or {@code peek},
 * does not.
 */
final class TakingCalls {
  private static final Set<String> NAMES =
      Set.of(
          "getAndSet",
          "join",
          "poll",
          "pollFirst",
          "pollLast",
          "pop",
          "remove",
          "removeFirst",
          "removeLast",
          "take",
          "takeFirst",
          "takeLast");

  private TakingCalls() {}

  static boolean isName(String method) {
    return NAMES.contains(method);
  }

  /** Whether a call has the name of one, and returns an object of whatever type. */
  static boolean take(String method, String descriptor) {
    return isName(method) && descriptor.endsWith(")Ljava/lang/Object;");
  }
}
