package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Loses composites, views and slices once a file is there, so that an agent can come before. */
public final class Related {
  private static final int EACH = 20;
  private static final Garbage LOST = new Garbage();

  private Related() {}

  /**
   * Runs the program.
   *
   * @param args the file that says "running", and the one that starts the loss
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    // Loads all classes.
    Unpooled.wrappedUnmodifiableBuffer(make(), make()).release();
    Unpooled.wrappedBuffer(make(), make()).release();
    ByteBuf sliced = make();
    sliced.retainedSlice(0, 8).release();
    sliced.release();
    Files.createFile(Path.of(args[0]));
    while (!Files.exists(Path.of(args[1]))) {
      Thread.sleep(2);
    }
    for (int i = 0; i < EACH; i++) {
      lose();
    }
    LOST.awaitCollection();
    // Buffers in the map are known to be collected one collection later.
    for (int i = 0; i < 5; i++) {
      System.gc();
      Thread.sleep(300);
    }
  }

  private static void lose() {
    plain(make());
    view(make().asReadOnly());
    fixed(Unpooled.wrappedUnmodifiableBuffer(make(), make()));
    composite(Unpooled.wrappedBuffer(make(), make()));
    ByteBuf whole = make();
    ByteBuf part = whole.retainedSlice(0, 8);
    whole.release();
    slice(part);
    CompositeByteBuf parted = Unpooled.compositeBuffer();
    parted.addComponent(true, make()).addComponent(true, make());
    ByteBuf taken = parted.component(0).retain();
    parted.release();
    taken(taken);
    Unpooled.wrappedBuffer(make(), make()).release();
  }

  private static ByteBuf make() {
    return PooledByteBufAllocator.DEFAULT.directBuffer(64).writeZero(32);
  }

  private static void plain(ByteBuf buffer) {
    LOST.add(buffer);
  }

  private static void view(ByteBuf buffer) {
    LOST.add(buffer);
  }

  private static void fixed(ByteBuf buffer) {
    LOST.add(buffer);
  }

  private static void composite(ByteBuf buffer) {
    LOST.add(buffer);
  }

  private static void slice(ByteBuf buffer) {
    LOST.add(buffer);
  }

  private static void taken(ByteBuf buffer) {
    LOST.add(buffer);
  }
}
