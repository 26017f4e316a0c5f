package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;

/** Waits until the agent records, loses five buffers, and ends as soon as they are collected. */
public final class LateLeaker {
  private LateLeaker() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    // The agent waits for the first class of Netty.
    UnpooledByteBufAllocator.DEFAULT.directBuffer(1).release();
    for (int i = 0; i < 1_200 && !isRecorded(); i++) {
      Thread.sleep(50);
    }
    Garbage garbage = new Garbage();
    for (int i = 0; i < 5; i++) {
      lose(garbage);
    }
    garbage.awaitCollection();
  }

  /** The last of the agent's events is known. */
  private static boolean isRecorded() {
    for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
      if (type.getName().equals("buftrail.FlowStatistics")) {
        return true;
      }
    }
    return false;
  }

  private static void lose(Garbage garbage) {
    ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.directBuffer(100);
    garbage.add(buffer);
  }
}
