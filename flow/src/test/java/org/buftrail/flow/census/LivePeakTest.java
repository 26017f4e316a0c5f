package org.buftrail.flow.census;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Peak;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The peak keeps the flows that were live when their bytes were highest. */
@ExtendWith(Probe.class)
final class LivePeakTest {
  private static final int FEW = 100;

  /** More than a ring holds, so that some have tenured flows. */
  private static final int MANY = 20_000;

  private final Nursery nursery = Tracker.INSTANCE.nursery;
  private final int root = Probe.root();
  private final int[] keep = {Probe.site("keep")};
  private final int[] spike = {Probe.site("spike")};
  private final LivePeak peak = new LivePeak(Tracker.INSTANCE.tree);

  @BeforeEach
  void settle() {
    Probe.settle();
  }

  private List<FakeBuffer> allocate(int count, int bytes, int[] site) {
    List<FakeBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      FakeBuffer buffer = FakeBuffer.direct(bytes).allocatedAt(root);
      buffer.hop(site);
      buffers.add(buffer);
    }
    return buffers;
  }

  private void look() {
    peak.look(nursery, 1);
  }

  private Peak told() {
    return Objects.requireNonNull(peak.peak());
  }

  private static String row(Peak.Row row) {
    String last = row.hops().get(row.hops().size() - 1).site().className();
    return last + " " + row.flows().count() + " " + row.flows().bytes();
  }

  @Test
  void theHighestMomentIsTold() {
    assertThat(peak.peak()).isNull();
    List<FakeBuffer> kept = allocate(FEW, 64, keep);
    look();
    assertThat(told().rows()).extracting(LivePeakTest::row).containsExactly("test.keep 100 6400");
    List<FakeBuffer> shortly = allocate(MANY, 100, spike);
    look();
    shortly.forEach(FakeBuffer::release);
    look();
    allocate(FEW, 10, keep).forEach(FakeBuffer::release);
    look();

    assertThat(told().flows().count()).isEqualTo(MANY + FEW);
    assertThat(told().flows().bytes()).isEqualTo(MANY * 100L + FEW * 64L);
    assertThat(told().rows())
        .extracting(LivePeakTest::row)
        .containsExactly("test.spike 20000 2000000", "test.keep 100 6400");
    assertThat(told().rest().bytes()).isZero();
    kept.forEach(FakeBuffer::release);
  }

  @Test
  void whereverFlowsStandTheyCountOnce() {
    List<FakeBuffer> buffers = allocate(MANY, 64, keep);
    for (int sweeps = 0; sweeps < 4; sweeps++) {
      LivePeak now = new LivePeak(Tracker.INSTANCE.tree);
      now.look(nursery, 1);
      assertThat(Objects.requireNonNull(now.peak()).flows().count()).isEqualTo(MANY);
      nursery.sweep(false);
    }
    buffers.subList(0, MANY / 2).forEach(FakeBuffer::release);
    LivePeak half = new LivePeak(Tracker.INSTANCE.tree);
    half.look(nursery, 3);
    assertThat(Objects.requireNonNull(half.peak()).flows().count()).isEqualTo(MANY / 2 * 3);
    assertThat(half.peak().rows()).hasSize(1);
    buffers.subList(MANY / 2, MANY).forEach(FakeBuffer::release);
  }

  /** Has a thread allocate as it is looked at, so that it is displaced from the ring. */
  private static final class Displaced extends FakeBuffer {
    private Runnable whenAsked = () -> {};

    Displaced() {
      super(true);
    }

    @Override
    public int capacity() {
      Runnable once = whenAsked;
      whenAsked = () -> {};
      once.run();
      return super.capacity();
    }
  }

  @Test
  void whatIsDisplacedWhileALookIsUnderWayIsNotCountedTwice() {
    Displaced buffer = new Displaced();
    buffer.reset(64).allocatedAt(root);
    buffer.hop(keep);
    List<FakeBuffer> others = new ArrayList<>();
    buffer.whenAsked = () -> others.addAll(allocate(MANY, 1, spike));
    look();

    assertThat(told().rows()).extracting(LivePeakTest::row).contains("test.keep 1 64");
    assertThat(others).hasSize(MANY);
    others.forEach(FakeBuffer::release);
    buffer.release();
  }

  @Test
  void whereNothingBeginsItLooksSeldomUntilSomethingDoes() {
    List<FakeBuffer> kept = allocate(FEW, 64, keep);
    for (int i = 0; i < 20; i++) {
      look();
      assertThat(peak.periodMillis()).isEqualTo(50);
    }
    look();
    look();
    assertThat(peak.periodMillis()).isEqualTo(250);
    kept.addAll(allocate(1, 64, keep));
    look();
    assertThat(peak.periodMillis()).isEqualTo(50);
    kept.forEach(FakeBuffer::release);
  }

  @Test
  void looksRestInProportionToWhatTheyTake() {
    assertThat(peak.nanosToNext(System.nanoTime())).isZero();
    look();
    long rest = peak.nanosToNext(System.nanoTime());
    assertThat(rest).isPositive();
    assertThat(peak.nanosToNext(System.nanoTime() + rest)).isNotPositive();
  }
}
