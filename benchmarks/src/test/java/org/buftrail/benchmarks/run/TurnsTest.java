package org.buftrail.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link TurnTaker}s in threads where a run has them in JVMs. */
@Timeout(120)
final class TurnsTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Integer> taken = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void forksTakeTurnsByTheIteration() throws IOException {
    try (Turns turns = new Turns()) {
      turns.give(List.of(fork(turns, 0, 3), fork(turns, 1, 3), fork(turns, 2, 3)));
    }

    assertThat(taken).containsExactly(0, 1, 2, 0, 1, 2, 0, 1, 2);
  }

  @Test
  void whoIsThroughIsNotWaitedFor() throws IOException {
    try (Turns turns = new Turns()) {
      turns.give(List.of(fork(turns, 0, 1), fork(turns, 1, 3)));
    }

    assertThat(taken).containsExactly(0, 1, 1, 1);
  }

  @Test
  void aForkThatFailedEndsTheRun() throws IOException {
    Future<?> other;
    try (Turns turns = new Turns()) {
      other = fork(turns, 1, 1_000_000);
      turns.give(List.of(CompletableFuture.failedFuture(new IOException("died")), other));
    }

    assertThatThrownBy(other::get).hasMessageContaining("has ended");
  }

  @Test
  void whoSaysNothingSensibleIsNotAFork() throws IOException {
    try (Turns turns = new Turns()) {
      int port = Integer.parseInt(turns.place(0).split(":", -1)[0]);
      try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), port)) {
        stranger.getOutputStream().write(200);
        turns.give(List.of(fork(turns, 0, 2)));
        assertThat(stranger.getInputStream().read()).isEqualTo(-1);
      }
    }

    assertThat(taken).containsExactly(0, 0);
  }

  @Test
  void aForkOfARunThatHasEndedFails() throws IOException {
    String place;
    try (Turns turns = new Turns()) {
      place = turns.place(0);
    }

    assertThatThrownBy(() -> new TurnTaker(place).take())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("has ended");
  }

  private Future<?> fork(Turns turns, int number, int iterations) {
    TurnTaker taker = new TurnTaker(turns.place(number));
    return threads.submit(
        () -> {
          for (int i = 0; i < iterations; i++) {
            taker.take();
            taken.add(number);
            taker.pass();
          }
        });
  }
}
