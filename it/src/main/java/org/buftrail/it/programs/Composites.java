package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;

/** Composites that leak, that are released, that give a component up, and that swallow another. */
public final class Composites {
  private static final ByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;

  private Composites() {}

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    Garbage leaked = new Garbage();
    leak(leaked);
    release();
    giveUp();
    swallow(leaked);
    leaked.awaitCollection();
  }

  private static void leak(Garbage leaked) {
    CompositeByteBuf composite = ALLOCATOR.compositeDirectBuffer();
    composite.addComponent(true, ALLOCATOR.directBuffer(100));
    composite.addComponents(true, ALLOCATOR.directBuffer(50));
    passLeaked(composite);
    leaked.add(composite);
  }

  private static void release() {
    CompositeByteBuf composite = ALLOCATOR.compositeDirectBuffer();
    composite.addComponent(true, ALLOCATOR.directBuffer(30));
    passReleased(composite);
    composite.release();
  }

  private static void giveUp() {
    CompositeByteBuf composite = ALLOCATOR.compositeDirectBuffer();
    ByteBuf component = ALLOCATOR.directBuffer(20).writeLong(1);
    composite.addComponent(true, component);
    passReleased(composite);
    component.retain();
    composite.removeComponent(0);
    passGivenUp(component);
    component.release();
    composite.release();
  }

  private static void swallow(Garbage leaked) {
    CompositeByteBuf composite = ALLOCATOR.compositeDirectBuffer();
    CompositeByteBuf other = ALLOCATOR.compositeDirectBuffer();
    other.addComponent(true, ALLOCATOR.directBuffer(64).writeLong(1));
    composite.addFlattenedComponents(true, other);
    passSwallowing(composite);
    leaked.add(composite);
  }

  private static void passLeaked(ByteBuf buffer) {
    buffer.markReaderIndex();
  }

  private static void passReleased(ByteBuf buffer) {
    buffer.markReaderIndex();
  }

  private static void passGivenUp(ByteBuf buffer) {
    buffer.markReaderIndex();
  }

  private static void passSwallowing(ByteBuf buffer) {
    buffer.markReaderIndex();
  }
}
