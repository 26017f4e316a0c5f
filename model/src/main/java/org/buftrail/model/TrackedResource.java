package org.buftrail.model;

import java.util.List;

/**
 * A type of resource that is followed like a buffer, from where it is opened to where it is closed.
 *
 * <p>For types that the option {@code resource} cannot describe: those of which only some objects
 * are wanted, or whose size no method without parameters gives. Made known as a service in {@code
 * META-INF/services/org.buftrail.model.TrackedResource}, by the option {@code
 * trackedResources=CLASS}, or by {@code TrackedResources.add} of {@code buftrail-flow}.
 *
 * <p>{@link #isMine} and {@link #bytes} are called by the threads that open, pass on and close an
 * object, as they do so; they must be thread-safe and quick, and should wait for no lock. One that
 * throws is counted, logged once and asked no more: from then on no further object of the type is
 * followed, and those under way keep the size that they had. Nothing reaches the application.
 */
public interface TrackedResource {
  /** The type's name in paths and reports, such as {@code com.example.Session}. */
  default String name() {
    return type();
  }

  /** The binary name of the class or interface; its subtypes are meant too. */
  String type();

  /**
   * The members that open one, as the option {@code resource} has them after {@code open=}: {@code
   * new}, {@code connect}, {@code com.example.Sessions.open(java.lang.String)}.
   */
  List<String> open();

  /** The members that close one, in the same form. */
  List<String> close();

  /** Whether an object of the type that was opened just now is to be followed. */
  default boolean isMine(Object opened) {
    return true;
  }

  /**
   * The bytes that an open object stands for, from 0 to 2^31-1; what lies outside counts as the
   * nearer of the two. Reports show what was said last.
   */
  default long bytes(Object open) {
    return 0;
  }

  /** Whether closing twice is an error, to be reported with the path to the first close. */
  default boolean isClosedOnce() {
    return false;
  }
}
