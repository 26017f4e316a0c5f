package org.buftrail.it.states;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.buftrail.it.programs.Garbage;

/**
 * An application with a Netty and a loader of its own. Told how much to do, it says what it did, by
 * types of the JDK alone.
 */
public final class Guest implements BiFunction<String, Integer, Map<String, Long>> {
  private static final List<Object> KEPT = new ArrayList<>();

  private final Garbage garbage = new Garbage();
  private Ledger ledger = new Ledger();
  private ByteBufAllocator pool = PooledByteBufAllocator.DEFAULT;

  /** Makes one that has done nothing. */
  public Guest() {}

  @Override
  public Map<String, Long> apply(String act, Integer times) {
    ledger = new Ledger();
    for (int i = 0; i < times; i++) {
      act(act);
    }
    try {
      garbage.awaitCollection();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return ledger.sums();
  }

  private void act(String act) {
    switch (act) {
      case "finish":
        finish(pool.directBuffer(512));
        ledger.flow("finish", "released", "direct", 512);
        break;
      case "lose":
        lose(pool.directBuffer(512));
        ledger.flow("lose", "leaked", "direct", 512);
        break;
      case "keep":
        cache(pool.heapBuffer(512));
        ledger.flow("cache", "live", "heap", 512);
        break;
      case "open":
        KEPT.add(new Lease());
        ledger.resource("live");
        break;
      case "close":
        new Lease().close();
        ledger.resource("released");
        break;
      default:
        throw new IllegalArgumentException(act);
    }
  }

  private static void finish(ByteBuf buffer) {
    buffer.release();
  }

  private void lose(ByteBuf buffer) {
    garbage.add(buffer);
  }

  private void cache(ByteBuf buffer) {
    KEPT.add(buffer);
  }
}
