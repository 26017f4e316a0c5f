package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.jfr.ChunkFile.ALLOCATE;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever an application does with the common pool, a conversion does not notice. */
final class CommonPoolTest {
  private static final int EVENTS = 150_000;

  @TempDir private Path directory;
  private Path recording;

  /** Large enough for what was once shared among threads. */
  @BeforeEach
  void make() throws IOException {
    recording = directory.resolve("made.jfr");
    try (ChunkFile chunk = ChunkFile.ofBuffers(recording)) {
      for (int i = 1; i <= EVENTS; i++) {
        chunk.event(ALLOCATE, chunk.at(2L * i).i4(i).flag(true).i8(16L * i));
      }
    }
    assertThat(recording)
        .satisfies(file -> assertThat(file.toFile().length()).isGreaterThan(2 << 20));
  }

  private long convert() throws IOException {
    Conversion conversion = new Converter(Options.DEFAULT).convert(List.of(recording));
    assertThat(conversion.damages()).isEmpty();
    new OtlpWriter().write(conversion.profiles(), OutputStream.nullOutputStream());
    return conversion.stats().rows().get(0).converted();
  }

  @Test
  void mayBeBusy() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    ForkJoinPool pool = ForkJoinPool.commonPool();
    for (int i = 0; i < 4 * ForkJoinPool.getCommonPoolParallelism() + 4; i++) {
      pool.execute(() -> awaitUninterrupted(end));
    }
    try {
      FutureTask<Long> task = new FutureTask<>(this::convert);
      Thread thread = new Thread(task);
      thread.setDaemon(true);
      thread.start();
      assertThat(task.get(120, TimeUnit.SECONDS)).isEqualTo(EVENTS);
    } finally {
      end.countDown();
    }
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        // Goes on waiting.
      }
    }
  }

  /** Tasks that end with the flag set, as those do that catch an interruption. */
  @Test
  void mayHaveInterruptedThreads() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    Thread noise =
        new Thread(
            () -> {
              while (!ended.get()) {
                ForkJoinPool.commonPool().submit(() -> Thread.currentThread().interrupt()).join();
              }
            });
    noise.setDaemon(true);
    noise.start();
    try {
      for (int i = 0; i < 20; i++) {
        assertThat(convert()).isEqualTo(EVENTS);
      }
    } finally {
      ended.set(true);
      noise.join();
    }
  }
}
