package org.buftrail.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class MetricsHandlersTest {
  private final MetricsHandler held = new Handler();
  private final MetricsHandler other = new Handler();

  private static final class Handler implements MetricsHandler {
    @Override
    public String name() {
      return "test";
    }

    @Override
    public Set<String> wanted() {
      return Set.of();
    }

    @Override
    public void onMetrics(FlowMetrics metrics) {}
  }

  @AfterEach
  void removeThem() {
    MetricsHandlers.remove(held);
    MetricsHandlers.remove(other);
  }

  @Test
  void whoIsRemovedIsCalledNoMore() {
    MetricsHandler third = new Handler();
    MetricsHandlers.add(held);
    MetricsHandlers.addWeakly(other);
    MetricsHandlers.addWeakly(third);
    assertThat(MetricsHandlers.all()).contains(held, other, third);
    MetricsHandlers.remove(other);
    assertThat(MetricsHandlers.all()).contains(held, third).doesNotContain(other);
    MetricsHandlers.remove(held);
    assertThat(MetricsHandlers.all()).contains(third).doesNotContain(held, other);
    MetricsHandlers.remove(third);
    assertThat(MetricsHandlers.all()).doesNotContain(held, other, third);
  }

  @Test
  void whoIsAddedWeaklyIsCalledForAsLongAsSomebodyElseHoldsIt() {
    MetricsHandlers.addWeakly(other);
    WeakReference<MetricsHandler> dropped = addDropped();
    while (dropped.get() != null) {
      System.gc();
    }
    assertThat(MetricsHandlers.all()).contains(other).doesNotContainNull();
  }

  private static WeakReference<MetricsHandler> addDropped() {
    MetricsHandler dropped = new Handler();
    MetricsHandlers.addWeakly(dropped);
    assertThat(MetricsHandlers.all()).contains(dropped);
    return new WeakReference<>(dropped);
  }
}
