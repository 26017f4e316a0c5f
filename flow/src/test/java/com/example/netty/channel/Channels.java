package com.example.netty.channel;

/** Frames as those of a channel that writes what it has queued. */
public final class Channels {
  private Channels() {}

  public static void flush(Runnable call) {
    doWrite(call);
  }

  private static void doWrite(Runnable call) {
    write(call);
  }

  private static void write(Runnable call) {
    call.run();
  }
}
