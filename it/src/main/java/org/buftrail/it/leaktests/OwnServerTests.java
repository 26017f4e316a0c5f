package org.buftrail.it.leaktests;

import io.netty.channel.DefaultEventLoopGroup;
import io.netty.channel.EventLoopGroup;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Event loops, servers and clients of each test. */
class OwnServerTests {
  @Test
  void leakByLoop() {
    inLoop(Buffers::direct);
  }

  @Test
  void cleanByLoop() {
    inLoop(() -> Buffers.direct().release());
  }

  private static void inLoop(Runnable task) {
    EventLoopGroup loops = new DefaultEventLoopGroup(1);
    loops.submit(task).syncUninterruptibly();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  @Test
  void leakByServer() {
    ask(Wire.KEPT, true);
  }

  @Test
  void cleanByServer() {
    ask(Wire.RELEASED, true);
  }

  @Test
  void leakByClient() {
    ask(Wire.RELEASED, false);
  }

  private static void ask(byte request, boolean releases) {
    try (Wire wire = new Wire()) {
      wire.ask(request, releases);
    }
  }
}
