package org.buftrail.agent.weave.classfile;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PerLoaderTest {
  /** Claims to be equal to all others. */
  private static final class Loader extends ClassLoader {
    @Override
    public boolean equals(Object other) {
      throw new AssertionError("nobody may ask");
    }

    @Override
    public int hashCode() {
      throw new AssertionError("nobody may ask");
    }
  }

  private final PerLoader<List<String>> values = new PerLoader<>(ArrayList::new);

  @Test
  void eachLoaderHasAValueOfItsOwn() {
    ClassLoader one = new Loader();
    ClassLoader other = new Loader();
    values.get(one).add("one");
    values.get(null).add("bootstrap");
    assertThat(values.get(one)).containsExactly("one");
    assertThat(values.get(other)).isEmpty();
    assertThat(values.get(null)).containsExactly("bootstrap");
    assertThat(values.size()).isEqualTo(2);
  }

  @Test
  @SuppressWarnings("ThreadPriorityCheck") // the collector's turn
  void theValueOfALoaderThatIsGoneGoesToo() {
    for (int i = 0; i < 100; i++) {
      values.get(new Loader());
    }
    ClassLoader kept = new Loader();
    for (int i = 0; i < 100 && values.size() > 1; i++) {
      System.gc();
      Thread.yield();
      values.get(kept);
    }
    assertThat(values.size()).isEqualTo(1);
  }
}
