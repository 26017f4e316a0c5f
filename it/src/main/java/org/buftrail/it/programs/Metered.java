package org.buftrail.it.programs;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Holds buffers of 1,024 bytes, and waits for a meter to say so. With an argument, that is the
 * class of a binder, which it makes itself.
 */
public final class Metered {
  private static final int TIMEOUT_SECONDS = 60;

  private Metered() {}

  /** Runs the program. */
  public static void main(String[] args) throws ReflectiveOperationException, InterruptedException {
    ByteBuf held = Unpooled.directBuffer(1_024);
    MeterRegistry registry = new SimpleMeterRegistry();
    Metrics.addRegistry(registry);
    if (args.length > 0) {
      Class<?> binder = Class.forName(args[0]);
      ((MeterBinder) binder.getDeclaredConstructor().newInstance()).bindTo(registry);
    }
    for (int i = 0; i < TIMEOUT_SECONDS * 10; i++) {
      Gauge live = registry.find("buftrail.live.bytes").tag("memory", "direct").gauge();
      if (live != null && live.value() == 1_024) {
        System.out.print("metered");
        break;
      }
      Thread.sleep(100);
    }
    held.release();
  }
}
