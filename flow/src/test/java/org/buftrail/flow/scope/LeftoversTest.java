package org.buftrail.flow.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.FakeComposite;
import org.buftrail.flow.LeakScope;
import org.buftrail.flow.Probe;
import org.buftrail.model.Leftover;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A reader of a list of leftovers can tell them apart. */
@ExtendWith(Probe.class)
final class LeftoversTest {
  private final int root = Probe.root();

  private FakeBuffer leak(int bytes) {
    return FakeBuffer.direct(bytes).allocatedAt(root).hop(Probe.site("Left"));
  }

  @Test
  void compositesAndOthersOnOnePathAreOneLeftover() {
    try (LeakScope scope = LeakScope.open("scope")) {
      FakeBuffer plain = leak(13);
      FakeComposite composite = new FakeComposite(true);
      composite.reset(17).allocatedAt(root).hop(Probe.site("Left"));
      assertThat(scope.leftovers())
          .extracting(Leftover::count, Leftover::bytes)
          .containsExactly(tuple(2L, 13L));
      plain.release();
      composite.release();
    }
  }

  @Test
  void scopesOfOneNameThatWereHandedOverAreOneScope() {
    try (LeakScope outer = LeakScope.open("outer")) {
      FakeBuffer[] live = new FakeBuffer[3];
      for (int i = 0; i < live.length; i++) {
        try (LeakScope inner = LeakScope.open("inner")) {
          live[i] = leak(11);
          inner.handOver();
        }
      }
      assertThat(outer.leftovers())
          .extracting(Leftover::scope, Leftover::count, Leftover::bytes)
          .containsExactly(tuple("inner", 3L, 33L));
      for (FakeBuffer buffer : live) {
        buffer.release();
      }
    }
  }
}
