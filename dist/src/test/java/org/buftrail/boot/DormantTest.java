package org.buftrail.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.IllegalClassFormatException;
import java.nio.charset.StandardCharsets;
import java.security.ProtectionDomain;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DormantTest {
  private static final byte[] PLAIN = ascii("java/nio/ByteBuffer");
  private static final byte[] NETTY = ascii("io/netty/channel/Channel");
  private static final byte[] WOVEN = {1};
  private static final long EVER = TimeUnit.DAYS.toMillis(1);

  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger starts = new AtomicInteger();

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Stands still until {@link #go}, and gives its transformer then. */
  private final class Stuck implements Dormant.Start {
    private final AtomicReference<Dormant> owner = new AtomicReference<>();

    @Override
    public void run() {
      starts.incrementAndGet();
      try {
        go.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      Objects.requireNonNull(owner.get()).accept(new Weaving());
    }

    @Override
    public int progress() {
      return asked.incrementAndGet() < 0 ? 1 : 0;
    }
  }

  private static final class Weaving implements ClassFileTransformer {
    @Override
    public byte[] transform(
        @Nullable ClassLoader loader,
        @Nullable String name,
        @Nullable Class<?> redefined,
        @Nullable ProtectionDomain domain,
        byte[] file) {
      return WOVEN;
    }
  }

  private Dormant dormant(long stillMillis) {
    Stuck stuck = new Stuck();
    Dormant made = new Dormant(stuck, stillMillis);
    stuck.owner.set(made);
    return made;
  }

  private static byte @Nullable [] load(Dormant dormant, @Nullable Class<?> redefined, byte[] file)
      throws IllegalClassFormatException {
    ClassLoader loader = DormantTest.class.getClassLoader();
    return dormant.transform(loader, "a/A", redefined, null, file);
  }

  @AfterEach
  void letGo() {
    go.countDown();
  }

  @Test
  void theFirstClassThatNamesNettyWaitsAndIsWoven() throws Exception {
    Dormant dormant = dormant(EVER);
    assertThat(load(dormant, null, PLAIN)).isNull();
    assertThat(starts).hasValue(0);
    go.countDown();
    assertThat(load(dormant, null, NETTY)).isEqualTo(WOVEN);
    assertThat(load(dormant, null, PLAIN)).isEqualTo(WOVEN);
    assertThat(starts).hasValue(1);
  }

  /** As when the start needs a lock that the loading thread holds. */
  @Test
  void nobodyWaitsForAStartThatStandsStill() throws Exception {
    Dormant dormant = dormant(1);
    assertThat(load(dormant, null, NETTY)).isNull();
    int once = asked.get();
    assertThat(load(dormant, null, NETTY)).isNull();
    assertThat(asked).as("waited again").hasValue(once);
    // The thread that starts may not have come so far.
    while (starts.get() == 0) {
      Thread.onSpinWait();
    }
    assertThat(starts).hasValue(1);
  }

  @Test
  void whoRetransformsAClassDoesNotWait() throws Exception {
    assertThat(load(dormant(EVER), String.class, NETTY)).isNull();
  }

  @Test
  void aThreadThatIsInterruptedWaitsAndStaysInterrupted() throws Exception {
    Dormant dormant = dormant(EVER);
    Thread.currentThread().interrupt();
    Thread later =
        new Thread(
            () -> {
              while (asked.get() < 2) {
                Thread.onSpinWait();
              }
              go.countDown();
            });
    later.start();
    assertThat(load(dormant, null, NETTY)).isEqualTo(WOVEN);
    assertThat(Thread.interrupted()).isTrue();
    later.join();
  }
}
