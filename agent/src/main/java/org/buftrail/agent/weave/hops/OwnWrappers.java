package org.buftrail.agent.weave.hops;

/**
 * Classes of the application that wrap one buffer and are no carriers by what they extend, as the
 * class that is woven sees them. Names are internal ones.
 */
@FunctionalInterface
public interface OwnWrappers {
  /** Whether values of a type may be such wrappers. */
  boolean includes(String type);

  /**
   * Notes that a method gives a buffer to an object of a type, which may keep it unseen.
   *
   * @param method {@code com.example.Router.decode}
   */
  default void noteGiven(String type, String method) {}
}
