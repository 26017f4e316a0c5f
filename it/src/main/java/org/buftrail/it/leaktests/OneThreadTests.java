package org.buftrail.it.leaktests;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import org.buftrail.junit.DetectBufferLeaks;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The thread of the test does all. */
class OneThreadTests {
  private final ByteBuf ofConstructor = Buffers.direct();
  private ByteBuf ofBeforeEach = Unpooled.EMPTY_BUFFER;
  private boolean keepsBoth;

  @BeforeEach
  void allocate(TestInfo test) {
    ofBeforeEach = Buffers.written(Buffers.heap());
    keepsBoth = test.getDisplayName().startsWith("leakOfConstructorAndBeforeEach");
  }

  @AfterEach
  void release() {
    if (!keepsBoth) {
      ofConstructor.release();
      ofBeforeEach.release();
    }
  }

  @Test
  void leakOfConstructorAndBeforeEach() {
    ofConstructor.writeByte(1);
  }

  @Test
  void cleanOfConstructorAndBeforeEach() {
    ofConstructor.writeByte(1);
  }

  @Test
  void leakDirect() {
    Buffers.written(Buffers.direct());
  }

  @Test
  void cleanDirect() {
    Buffers.written(Buffers.direct()).release();
  }

  @Test
  void leakHeap() {
    Buffers.written(Buffers.heap());
  }

  @Test
  void cleanHeap() {
    Buffers.written(Buffers.heap()).release();
  }

  @Test
  void leakRetained() {
    Buffers.written(Buffers.direct()).retain().release();
  }

  @Test
  void cleanRetained() {
    Buffers.written(Buffers.direct()).retain().release(2);
  }

  @Test
  void leakComposite() {
    composite();
  }

  @Test
  void cleanComposite() {
    composite().release();
  }

  private static CompositeByteBuf composite() {
    return PooledByteBufAllocator.DEFAULT
        .compositeBuffer()
        .addComponent(true, Buffers.written(Buffers.direct()));
  }

  @Test
  void leakSlice() {
    ByteBuf whole = Buffers.written(Buffers.direct());
    whole.retainedSlice(0, 4);
    whole.release();
  }

  @Test
  void cleanSlice() {
    ByteBuf whole = Buffers.written(Buffers.direct());
    whole.retainedSlice(0, 4).release();
    whole.release();
  }

  @Test
  void leakByDoubleRelease() {
    ByteBuf buffer = Buffers.direct();
    buffer.release();
    Buffers.releaseQuietly(buffer);
  }

  @Test
  void leakByUseAfterRelease() {
    ByteBuf buffer = Buffers.written(Buffers.direct());
    buffer.release();
    Buffers.readQuietly(buffer);
  }

  @Test
  void cleanByUseBeforeRelease() {
    ByteBuf buffer = Buffers.written(Buffers.direct());
    buffer.readLong();
    buffer.release();
  }

  @Test
  void cleanUnpooledInTheHeap() {
    Buffers.written(Unpooled.buffer(256));
    Unpooled.wrappedBuffer(new byte[8]);
  }

  @Test
  void leakReleasedTooLate() {
    Buffers.releaseAfter(5_000, Buffers.direct());
  }

  /** Waits no longer than it takes, however busy the machine is. */
  @Test
  @DetectBufferLeaks(graceMillis = 10_000)
  void cleanReleasedLate() {
    Buffers.releaseAfter(30, Buffers.direct());
  }
}
