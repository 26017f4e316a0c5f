package org.buftrail.profile;

import java.util.Locale;

/** The subject of a profile: the groups by which users select what to convert. */
public enum Kind {
  CPU("Threads running on a processor"),
  WALL("Threads running or waiting, as time passes"),
  ALLOC("Java objects allocated"),
  LIVE("Java objects alive"),
  LOCK("Waiting for locks"),
  NATIVEMEM("Memory allocated outside the Java heap"),
  IO("Reading and writing files and sockets"),
  EXCEPTIONS("Exceptions constructed"),
  TRACE("Methods and spans that were traced or timed"),
  GC("Pauses and other work of the garbage collector and the virtual machine"),
  NETTY("Netty buffers"),
  EVENT("Events that the user named");

  private final String text;

  Kind(String text) {
    this.text = text;
  }

  /** What its profiles are of, without a full stop. */
  public String text() {
    return text;
  }

  /** The name that users give, in lower case. */
  public String option() {
    return name().toLowerCase(Locale.ROOT);
  }
}
