package org.buftrail.jfr.kinds;

import java.util.Locale;

/** What a profile tells about a program: the groups by which users select what to convert. */
public enum Kind {
  /** Running on a processor. */
  CPU,
  /** Running or waiting, as time passes. */
  WALL,
  /** Java objects allocated. */
  ALLOC,
  /** Java objects alive. */
  LIVE,
  /** Waiting for locks. */
  LOCK,
  /** Memory allocated outside the Java heap. */
  NATIVEMEM,
  /** Reading and writing files and sockets. */
  IO,
  /** Exceptions constructed. */
  EXCEPTIONS,
  /** Methods that were traced or timed. */
  TRACE,
  /** Pauses and other work of the garbage collector and the virtual machine. */
  GC,
  /** Netty buffers. */
  NETTY,
  /** Events that the user named. */
  EVENT;

  /** The name that users give, in lower case. */
  public String option() {
    return name().toLowerCase(Locale.ROOT);
  }
}
