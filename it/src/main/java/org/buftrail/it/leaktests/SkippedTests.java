package org.buftrail.it.leaktests;

import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Tests whose assumption is not met while they hold a buffer. */
public final class SkippedTests {
  @Test
  void skippedBeforeTheRelease() {
    releaseIfReadable();
  }

  @TestFactory
  Stream<DynamicTest> dynamic() {
    return Stream.of(dynamicTest("skippedDynamically", SkippedTests::releaseIfReadable));
  }

  @Test
  void leak() {
    PooledByteBufAllocator.DEFAULT.directBuffer(8);
  }

  private static void releaseIfReadable() {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(8);
    assumeTrue(buffer.isReadable());
    buffer.release();
  }
}
