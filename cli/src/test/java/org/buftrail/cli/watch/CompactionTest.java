package org.buftrail.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

final class CompactionTest {
  @Test
  void aCompactionThatFailsIsToldAndTheNextIsTriedAllTheSame() throws Exception {
    BlockingQueue<String> failures = new LinkedBlockingQueue<>();
    CountDownLatch thrice = new CountDownLatch(3);
    Compaction.Work work =
        () -> {
          thrice.countDown();
          if (thrice.getCount() == 2) {
            throw new IOException("the disk is full");
          }
          if (thrice.getCount() == 1) {
            throw new IllegalStateException("broken");
          }
        };
    try (Compaction compaction = new Compaction(work, 1, failures::add)) {
      assertThat(compaction).isNotNull();
      thrice.await();
    }
    assertThat(List.of(failures.take(), failures.take()))
        .containsExactly(
            "compaction failed: the disk is full",
            "compaction failed: unexpected java.lang.IllegalStateException: broken");
    assertThat(failures).isEmpty();
  }
}
