package com.example.woven;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.util.concurrent.TimeUnit;
import org.buftrail.flow.LeakScope;

/** Event loops whose threads start when a scope is open that is not the one they were made in. */
public final class Loops {
  private Loops() {}

  /** The scopes of threads of one that is older, one that is not, and everybody's. */
  public static Object run() throws Exception {
    try (LeakScope outer = LeakScope.open("run")) {
      EventExecutor older = new DefaultEventExecutor();
      try (LeakScope inner = LeakScope.open(outer.name() + "'s test")) {
        EventExecutor own = new DefaultEventExecutor();
        String scopes =
            inner
                + ": "
                + scope(older)
                + ", "
                + scope(own)
                + ", "
                + scope(GlobalEventExecutor.INSTANCE);
        older.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        own.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        return scopes;
      }
    }
  }

  private static String scope(EventExecutor executor) throws Exception {
    return executor.submit(() -> String.valueOf(LeakScope.current())).get();
  }
}
