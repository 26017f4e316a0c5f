package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.buffer.UnpooledHeapByteBuf;
import java.nio.ByteBuffer;

/** Drops one buffer of each kind without a release, each in a method of its own. */
public final class Dropping {
  private static final ByteBufAllocator POOLED = PooledByteBufAllocator.DEFAULT;
  private static final Garbage DROPPED = new Garbage();

  private Dropping() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    wrappedArray();
    wrappedHeapNio();
    wrappedDirectNio();
    wrappedReadOnlyNio();
    copiedArray();
    unpooledHeap();
    retainedByMany();
    slice();
    compositeOfWrapped();
    fixedCompositeOfHeap();
    unpooledDirect();
    pooledHeap();
    pooledDirect();
    pooledSlice();
    compositeOfPooled();
    compositeInComposite();
    fixedCompositeOfDirect();
    ofTheApplication();
    if (args.length > 0) {
      adaptiveHeap();
      adaptiveDirect();
    }
    DROPPED.awaitCollection();
  }

  private static void wrappedArray() {
    DROPPED.add(Unpooled.wrappedBuffer(new byte[1]));
  }

  private static void wrappedHeapNio() {
    DROPPED.add(Unpooled.wrappedBuffer(ByteBuffer.allocate(2)));
  }

  private static void wrappedDirectNio() {
    DROPPED.add(Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(3)));
  }

  private static void wrappedReadOnlyNio() {
    DROPPED.add(Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(4).asReadOnlyBuffer()));
  }

  private static void copiedArray() {
    DROPPED.add(Unpooled.copiedBuffer(new byte[5]));
  }

  private static void unpooledHeap() {
    DROPPED.add(UnpooledByteBufAllocator.DEFAULT.heapBuffer(6));
  }

  private static void retainedByMany() {
    DROPPED.add(UnpooledByteBufAllocator.DEFAULT.heapBuffer(7).retain(4));
  }

  private static void slice() {
    ByteBuf whole = Unpooled.buffer(8).writeLong(1);
    DROPPED.add(whole.retainedSlice(0, 4));
    DROPPED.add(whole);
  }

  private static void compositeOfWrapped() {
    ByteBuf part = Unpooled.wrappedBuffer(new byte[9]);
    DROPPED.add(part);
    DROPPED.add(Unpooled.compositeBuffer().addComponent(true, part));
  }

  private static void fixedCompositeOfHeap() {
    ByteBuf first = Unpooled.buffer(10).writeZero(10);
    ByteBuf second = Unpooled.buffer(11).writeZero(11);
    DROPPED.add(first);
    DROPPED.add(second);
    DROPPED.add(Unpooled.wrappedUnmodifiableBuffer(first, second));
  }

  private static void unpooledDirect() {
    DROPPED.add(UnpooledByteBufAllocator.DEFAULT.directBuffer(100));
  }

  private static void pooledHeap() {
    DROPPED.add(POOLED.heapBuffer(101));
  }

  private static void pooledDirect() {
    DROPPED.add(POOLED.directBuffer(102));
  }

  private static void pooledSlice() {
    ByteBuf whole = POOLED.directBuffer(103).writeLong(1);
    DROPPED.add(whole.retainedSlice(0, 4));
    DROPPED.add(whole);
    whole.release();
  }

  private static void compositeOfPooled() {
    CompositeByteBuf composite = POOLED.compositeDirectBuffer();
    ByteBuf direct = POOLED.directBuffer(104);
    ByteBuf heap = UnpooledByteBufAllocator.DEFAULT.heapBuffer(105);
    composite.addComponents(true, direct, heap);
    DROPPED.add(direct);
    DROPPED.add(heap);
    DROPPED.add(composite);
  }

  private static void compositeInComposite() {
    CompositeByteBuf composite = POOLED.compositeDirectBuffer();
    CompositeByteBuf inner = POOLED.compositeDirectBuffer();
    ByteBuf direct = POOLED.directBuffer(106).writeZero(106);
    inner.addComponent(true, direct);
    composite.addComponent(true, inner);
    DROPPED.add(direct);
    DROPPED.add(inner);
    DROPPED.add(composite);
  }

  private static void fixedCompositeOfDirect() {
    ByteBuf first = Unpooled.directBuffer(107).writeZero(107);
    ByteBuf second = Unpooled.directBuffer(108).writeZero(108);
    DROPPED.add(first);
    DROPPED.add(second);
    DROPPED.add(Unpooled.wrappedUnmodifiableBuffer(first, second));
  }

  private static void ofTheApplication() {
    DROPPED.add(new OwnAllocation().make());
  }

  private static void adaptiveHeap() throws ReflectiveOperationException {
    DROPPED.add(Allocators.named("adaptive").heapBuffer(109));
  }

  private static void adaptiveDirect() throws ReflectiveOperationException {
    DROPPED.add(Allocators.named("adaptive").directBuffer(110));
  }

  /** An allocator that gives a class of the application's own, whose release may mean anything. */
  private static final class OwnAllocation extends io.netty.buffer.AbstractByteBufAllocator {
    ByteBuf make() {
      return heapBuffer(111);
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      return new OwnBuffer(this, initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      return UnpooledByteBufAllocator.DEFAULT.directBuffer(initialCapacity, maxCapacity);
    }

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }
  }

  private static final class OwnBuffer extends UnpooledHeapByteBuf {
    OwnBuffer(ByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
      super(allocator, initialCapacity, maxCapacity);
    }
  }
}
