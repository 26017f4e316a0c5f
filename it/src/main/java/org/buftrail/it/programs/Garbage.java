package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** Waits until objects that nobody holds any more have been collected. */
public final class Garbage {
  private final List<WeakReference<Object>> objects = new ArrayList<>();

  /** Takes any object, so as not to be a hop itself. */
  public void add(Object object) {
    objects.add(new WeakReference<>(object));
    if (object.getClass().getSimpleName().contains("LeakAware")) {
      // The wrapper of Netty's detector goes before what it wraps.
      add(((ByteBuf) object).unwrap());
    }
  }

  public void awaitCollection() throws InterruptedException {
    for (int round = 0; round < 300; round++) {
      System.gc();
      if (objects.stream().allMatch(object -> object.get() == null)) {
        // Before Java 16 only a queue tells the agent, a moment later.
        Thread.sleep(200);
        return;
      }
      Thread.sleep(50);
    }
    throw new IllegalStateException("not collected");
  }
}
