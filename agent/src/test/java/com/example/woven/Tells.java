package com.example.woven;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.util.IllegalReferenceCountException;
import io.netty.util.ResourceLeakDetector;
import java.nio.ByteBuffer;

/** Uses of Netty's buffers of which each is told in its own way. */
@SuppressWarnings("CheckReturnValue") // what is told is the result
public final class Tells {
  private static final ByteBufAllocator POOLED = PooledByteBufAllocator.DEFAULT;
  private static final ByteBufAllocator UNPOOLED = UnpooledByteBufAllocator.DEFAULT;

  static {
    // Which of the others are wrapped is left to chance.
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
  }

  private Tells() {}

  /** Makes buffers of each kind of memory. */
  public static Object make() {
    return new Object[] {
      UNPOOLED.heapBuffer(8),
      UNPOOLED.directBuffer(8),
      POOLED.heapBuffer(8),
      POOLED.directBuffer(8),
      UNPOOLED.compositeHeapBuffer(4),
      POOLED.compositeDirectBuffer(4),
    };
  }

  /** Makes buffers by methods for everybody. */
  public static Object makeUnpooled() {
    return new Object[] {
      Unpooled.buffer(8), Unpooled.directBuffer(8), Unpooled.wrappedBuffer(new byte[4]),
    };
  }

  /** Makes buffers that show what they are. */
  public static Object shapes() {
    ByteBuffer direct = ByteBuffer.allocateDirect(4);
    return new Object[] {
      UNPOOLED.heapBuffer(8),
      UNPOOLED.directBuffer(8),
      Unpooled.wrappedBuffer(direct),
      Unpooled.wrappedBuffer(direct.asReadOnlyBuffer()),
      POOLED.directBuffer(8),
      UNPOOLED.compositeBuffer(4).addComponent(true, Unpooled.wrappedBuffer(new byte[4])),
      Unpooled.wrappedUnmodifiableBuffer(
          Unpooled.wrappedBuffer(new byte[4]), Unpooled.wrappedBuffer(new byte[4])),
    };
  }

  /** Retains and releases one. */
  public static Object count() {
    ByteBuf buffer = UNPOOLED.heapBuffer(8);
    buffer.retain();
    buffer.retain(2);
    buffer.release();
    buffer.release(2);
    return buffer.release();
  }

  /** Gives one more room, and less. */
  public static Object resize() {
    return UNPOOLED.heapBuffer(8).capacity(16).capacity(4);
  }

  /** Takes a part of one that has a count of its own. */
  public static Object derive() {
    ByteBuf buffer = POOLED.heapBuffer(8).writeZero(8);
    return buffer.retainedSlice(2, 4);
  }

  /** Puts buffers together and takes one away. */
  public static Object compose() {
    CompositeByteBuf whole = UNPOOLED.compositeHeapBuffer(8);
    whole.addComponent(true, UNPOOLED.heapBuffer(4).writeZero(4));
    whole.addComponents(true, UNPOOLED.heapBuffer(4).writeZero(4));
    return whole.removeComponent(0);
  }

  /** Puts the parts of one into another. */
  public static Object merge() {
    CompositeByteBuf parts = UNPOOLED.compositeHeapBuffer(8);
    parts.addComponent(true, UNPOOLED.heapBuffer(4).writeZero(4));
    return UNPOOLED.compositeHeapBuffer(8).addFlattenedComponents(true, parts);
  }

  /** Keeps one for ever. */
  public static Object keep() {
    return Unpooled.unreleasableBuffer(UNPOOLED.heapBuffer(8));
  }

  /** Asks for one of those that threads have. */
  public static Object ofTheThread() {
    ByteBuf none = ByteBufUtil.threadLocalDirectBuffer();
    return none == null ? "none" : none;
  }

  private static void refused(Runnable use) {
    try {
      use.run();
      throw new AssertionError("it was let pass");
    } catch (IllegalReferenceCountException expected) {
      // As it should.
    }
  }

  /** Uses one after its end in each way. */
  public static Object misuse() {
    ByteBuf buffer = UNPOOLED.heapBuffer(8);
    buffer.release();
    refused(buffer::release);
    refused(() -> buffer.release(1));
    refused(buffer::retain);
    refused(() -> buffer.retain(1));
    refused(buffer::readByte);
    return buffer;
  }

  /** Uses a composite after its end. */
  public static Object misuseComposite() {
    CompositeByteBuf buffer = UNPOOLED.compositeHeapBuffer(8);
    buffer.release();
    refused(() -> buffer.getByte(0));
    return buffer;
  }

  /** Asks somebody else's allocator, in each way. */
  public static Object borrow() {
    ByteBufAllocator own = new Borrowing();
    return new Object[] {
      own.buffer(),
      own.ioBuffer(8),
      own.heapBuffer(8, 16),
      own.directBuffer(),
      own.compositeBuffer(),
      own.compositeHeapBuffer(4),
      own.compositeDirectBuffer(4),
      own.calculateNewCapacity(1, 2),
    };
  }

  /** Built like Netty's allocators, which report a buffer further in. */
  private static final class Extending extends AbstractByteBufAllocator {
    @Override
    public ByteBuf heapBuffer(int initial) {
      return super.heapBuffer(initial);
    }

    /** Bridged for those that know the superclass. */
    @Override
    protected UnpooledHeapByteBuf newHeapBuffer(int initial, int most) {
      return new UnpooledHeapByteBuf(this, initial, most);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initial, int most) {
      return new UnpooledDirectByteBuf(this, initial, most);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }

  /** Asks somebody else's allocator that extends Netty's. */
  public static Object extend() {
    return new Extending().heapBuffer(8);
  }

  /** Has a method like one of a buffer's, and is none. */
  private static final class Growing {
    ByteBuf capacity(int bytes) {
      return UNPOOLED.heapBuffer(bytes);
    }
  }

  /** Asks somebody who makes none by himself. */
  public static Object grow() {
    return new Growing().capacity(8);
  }

  /** Parts of a buffer, behind it; a composite of it comes last. */
  public static Object parts() {
    ByteBuf buffer = POOLED.heapBuffer(8).writeZero(8);
    ByteBuf slice = buffer.retainedSlice(2, 4);
    return new Object[] {
      buffer,
      slice,
      slice.slice(1, 2),
      slice.duplicate(),
      UNPOOLED.compositeBuffer(4).addComponent(true, buffer),
    };
  }
}
