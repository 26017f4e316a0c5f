package org.buftrail.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TrackedResourceTest {
  /** Says no more than it must. */
  private static final class Session implements TrackedResource {
    @Override
    public String type() {
      return "com.acme.Session";
    }

    @Override
    public List<String> open() {
      return List.of("new");
    }

    @Override
    public List<String> close() {
      return List.of("end");
    }
  }

  @Test
  void aTypeIsCalledAsItIsAndFollowedWholeAndMayBeClosedTwice() {
    Session session = new Session();
    assertThat(session.name()).isEqualTo("com.acme.Session");
    assertThat(session.isMine(new Object())).isTrue();
    assertThat(session.bytes(new Object())).isZero();
    assertThat(session.isClosedOnce()).isFalse();
  }
}
