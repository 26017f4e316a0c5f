package org.buftrail.report.memory;

/** The owners of a JVM's memory, in the order in which they are shown. */
public enum Owner {
  HEAP("Java heap"),
  METASPACE("metaspace"),
  ARCHIVE("class-data archive"),
  CODE("compiled code"),
  STACKS("stacks of threads"),
  COLLECTOR("tables of the collector"),
  NETTY("chunks of Netty's allocators"),
  DIRECT("other direct buffers"),
  MAPPED("mapped files"),
  LIBRARIES("libraries and the JDK's files"),
  JVM("the JVM's own (NMT)"),
  UNKNOWN("not known");

  private final String title;

  Owner(String title) {
    this.title = title;
  }

  /** The name in the table. */
  public String title() {
    return title;
  }
}
