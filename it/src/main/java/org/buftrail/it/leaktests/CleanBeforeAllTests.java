package org.buftrail.it.leaktests;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.buftrail.junit.DetectBufferLeaks;
import org.buftrail.junit.Until;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The twin of {@link LeakingBeforeAllTests}. */
public class CleanBeforeAllTests {
  private static ByteBuf ofClass = Unpooled.EMPTY_BUFFER;
  private static ByteBuf ofTest = Unpooled.EMPTY_BUFFER;

  @BeforeAll
  static void allocate() {
    ofClass = Buffers.direct();
  }

  @AfterAll
  static void release() {
    ofClass.release();
    ofTest.release();
  }

  @Test
  @DetectBufferLeaks(allowedUntil = Until.CLASS)
  void cleanAllocatesForTheClass() {
    ofTest = Buffers.direct();
  }

  @Test
  void cleanUsesTheClassOnes() {
    ofClass.writeByte(1);
  }
}
