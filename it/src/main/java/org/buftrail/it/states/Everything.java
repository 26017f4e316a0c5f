package org.buftrail.it.states;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.IllegalReferenceCountException;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.it.programs.Garbage;

/**
 * Everything that can be at once: what was released, leaked, held, dropped and is live; suspects,
 * misuses, resources, and two roots of one name. Each number is a prime of its own. It stands still
 * three times: after the first half, after the second, and when one more has leaked.
 */
public final class Everything {
  private static final ByteBufAllocator POOL = PooledByteBufAllocator.DEFAULT;

  /** The first half of the suspects is that old when the second comes. */
  private static final int GROWING_MILLIS = 16_000;

  private static final List<Object> KEPT = new ArrayList<>();

  private final Ledger ledger = new Ledger(new Meters());
  private final Garbage garbage = new Garbage();

  private Everything() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    new Everything().run();
  }

  private void run() throws Exception {
    long began = System.nanoTime();
    times(19, this::suspect);
    times(101, this::release);
    times(7, this::leak);
    times(3, this::hold);
    times(13, this::drop);
    times(53, this::keep);
    times(59, () -> shelve(1));
    times(61, () -> shelve(3));
    times(43, () -> wrap(new byte[512]));
    times(5, () -> wrap(new byte[512], new byte[512]));
    ledger.add("stack.rows", 1);
    misuse(17, 23);
    times(29, this::closeLease);
    times(2, this::loseLease);
    times(31, this::keepLease);
    garbage.awaitCollection();
    ledger.standStill();
    long rest = GROWING_MILLIS - (System.nanoTime() - began) / 1_000_000;
    Thread.sleep(Math.max(0, rest));
    times(28, this::suspect);
    ledger.add("suspects", 1);
    times(37, this::releaseLater);
    times(5, this::closeLease);
    times(2, () -> wrap(new byte[512]));
    misuse(2, 6);
    times(11, this::leakLater);
    garbage.awaitCollection();
    ledger.standStill();
    times(1, this::leakLast);
    times(54, this::suspect);
    garbage.awaitCollection();
    ledger.standStill();
  }

  private static void times(int times, Runnable act) {
    for (int i = 0; i < times; i++) {
      act.run();
    }
  }

  private void suspect() {
    pile(POOL.directBuffer(512));
    ledger.flow("pile", "live", "direct", 512);
    ledger.add("pile.suspect", 1);
    ledger.add("pile.suspectBytes", 512);
  }

  private static void pile(ByteBuf buffer) {
    KEPT.add(buffer);
  }

  private void release() {
    finish(POOL.directBuffer(512));
    ledger.flow("finish", "released", "direct", 512);
  }

  private static void finish(ByteBuf buffer) {
    buffer.release();
  }

  private void releaseLater() {
    finishLater(POOL.heapBuffer(1024));
    ledger.flow("finishLater", "released", "heap", 1024);
  }

  private static void finishLater(ByteBuf buffer) {
    buffer.release();
  }

  private void leak() {
    ByteBuf buffer = POOL.directBuffer(512);
    lose(buffer);
    garbage.add(buffer);
    ledger.flow("lose", "leaked", "direct", 512);
  }

  private static void lose(ByteBuf buffer) {
    buffer.writeByte(1);
  }

  private void leakLater() {
    ByteBuf buffer = POOL.heapBuffer(1024);
    loseLater(buffer);
    garbage.add(buffer);
    ledger.flow("loseLater", "leaked", "heap", 1024);
  }

  private static void loseLater(ByteBuf buffer) {
    buffer.writeByte(1);
  }

  private void leakLast() {
    ByteBuf buffer = POOL.directBuffer(1024);
    loseLast(buffer);
    garbage.add(buffer);
    ledger.flow("loseLast", "leaked", "direct", 1024);
  }

  private static void loseLast(ByteBuf buffer) {
    buffer.writeByte(1);
  }

  /** A composite of two, whose bytes are those of what it holds. */
  private void hold() {
    CompositeByteBuf composite = POOL.compositeDirectBuffer();
    composite.addComponent(true, POOL.directBuffer(512));
    composite.addComponent(true, POOL.directBuffer(512));
    loseWhole(composite);
    garbage.add(composite);
    ledger.flow("loseWhole", "leaked", "direct", 1024);
    ledger.flow("loseWhole", "held", "direct", 0);
    ledger.flow("loseWhole", "held", "direct", 0);
  }

  private static void loseWhole(ByteBuf buffer) {
    buffer.markReaderIndex();
  }

  private void drop() {
    ByteBuf buffer = Unpooled.buffer(1024);
    forget(buffer);
    garbage.add(buffer);
    ledger.flow("forget", "dropped", "heap", 1024);
  }

  private static void forget(ByteBuf buffer) {
    buffer.writeByte(1);
  }

  private void keep() {
    cache(POOL.heapBuffer(1024));
    ledger.flow("cache", "live", "heap", 1024);
  }

  private static void cache(ByteBuf buffer) {
    KEPT.add(buffer);
  }

  /** The same way with reference counts of another range. */
  private void shelve(int more) {
    put(POOL.heapBuffer(512).retain(more));
    ledger.flow("put", "live", "heap", 512);
  }

  private static void put(ByteBuf buffer) {
    KEPT.add(buffer);
  }

  /** One array and two, whose buffers have roots of one name and the same way. */
  private void wrap(byte[]... arrays) {
    stack(Unpooled.wrappedBuffer(arrays));
    if (arrays.length > 1) {
      ledger.flow("stack", "live", "heap", 0);
    }
    for (byte[] array : arrays) {
      ledger.flow("stack", "live", "heap", array.length);
    }
  }

  private static void stack(ByteBuf buffer) {
    KEPT.add(buffer);
  }

  private void misuse(int releases, int uses) {
    ByteBuf twice = POOL.heapBuffer(512);
    finishFirst(twice);
    times(releases, () -> refused(() -> releaseAgain(twice)));
    ByteBuf used = POOL.heapBuffer(512);
    finishFirst(used);
    times(uses, () -> refused(() -> readDead(used)));
    ledger.flow("finishFirst", "released", "heap", 512);
    ledger.flow("finishFirst", "released", "heap", 512);
    ledger.add("releaseAgain.releases", releases);
    ledger.add("readDead.uses", uses);
    ledger.add("misuses", releases + uses);
  }

  private static void finishFirst(ByteBuf buffer) {
    buffer.release();
  }

  private static void releaseAgain(ByteBuf buffer) {
    buffer.release();
  }

  private static void readDead(ByteBuf buffer) {
    buffer.getByte(0);
  }

  private static void refused(Runnable misuse) {
    try {
      misuse.run();
    } catch (IllegalReferenceCountException expected) {
      return;
    }
    throw new IllegalStateException("Netty took it");
  }

  private void closeLease() {
    new Lease().close();
    ledger.resource("released");
  }

  private void loseLease() {
    garbage.add(new Lease());
    ledger.resource("leaked");
  }

  private void keepLease() {
    KEPT.add(new Lease());
    ledger.resource("live");
  }
}
