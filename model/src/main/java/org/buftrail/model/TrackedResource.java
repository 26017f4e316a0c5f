package org.buftrail.model;

import java.util.List;

/**
 * A type of resource that is followed like a buffer, from where it is opened to where it is closed.
 *
 * <p>For types that the option {@code resource} cannot describe: those of which only some objects
 * are wanted, or that have a size. Made known as a service in {@code
 * META-INF/services/org.buftrail.model.TrackedResource}, by the option {@code
 * trackedResources=CLASS}, or by {@link TrackedResources#add}.
 *
 * <p>{@link #isMine} and {@link #bytes} are called on any thread, at the moment of opening and
 * closing and by the tracker's own threads; they must be thread-safe and quick. One that throws is
 * counted, logged once and asked no more: from then on no further object of the type is followed,
 * and those under way count 0 bytes. Nothing reaches the application.
 */
public interface TrackedResource {
  /** What the type is called in paths and reports, such as {@code com.example.Session}. */
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
   * nearer of the two.
   */
  default long bytes(Object open) {
    return 0;
  }

  /** Whether closing twice is an error, to be reported with the path to the first close. */
  default boolean isClosedOnce() {
    return false;
  }
}
