package com.example.woven;

import io.netty.util.HashedWheelTimer;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.buftrail.flow.LeakScope;

/** Event loops and timers whose threads start in one test and then work for another. */
public final class Loops {
  private static final EventExecutor LOOP =
      new DefaultEventExecutor(new DefaultThreadFactory("loop", /* daemon= */ true));
  private static final HashedWheelTimer TIMER =
      new HashedWheelTimer(new DefaultThreadFactory("timer", /* daemon= */ true));

  private Loops() {}

  /** The scopes of what is handed by a second test: at once, later, to everybody's, to a timer. */
  public static Object run() throws Exception {
    try (LeakScope outer = LeakScope.open("run")) {
      try (LeakScope first = LeakScope.open("first, in " + outer.name())) {
        later();
        timed();
        if (!scopes().startsWith(outer + " > " + first.name())) {
          return "wrong in the first";
        }
      }
      try (LeakScope second = LeakScope.open("second, in " + outer.name())) {
        return second.name() + ": " + scopes() + "; " + later() + "; " + timed();
      }
    }
  }

  private static String scopes() throws Exception {
    return scope(LOOP) + "; " + scope(GlobalEventExecutor.INSTANCE);
  }

  private static String scope(EventExecutor executor) throws Exception {
    return executor.submit(() -> String.valueOf(LeakScope.current())).get();
  }

  private static String later() throws Exception {
    return LOOP.schedule(() -> String.valueOf(LeakScope.current()), 5, TimeUnit.MILLISECONDS).get();
  }

  private static String timed() throws Exception {
    CompletableFuture<String> scope = new CompletableFuture<>();
    TIMER.newTimeout(
        timeout -> scope.complete(String.valueOf(LeakScope.current())), 5, TimeUnit.MILLISECONDS);
    return scope.get();
  }
}
