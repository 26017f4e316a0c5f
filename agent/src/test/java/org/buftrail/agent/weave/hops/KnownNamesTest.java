package org.buftrail.agent.weave.hops;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Names that are looked up by bytes in a class file. */
final class KnownNamesTest {
  private final KnownNames names = new KnownNames();

  /** A name between other bytes, as it stands in a class file. */
  private boolean contains(String name) {
    byte[] file = ("(L" + name + ";)V").getBytes(StandardCharsets.UTF_8);
    return names.contains(file, 2, 2 + name.length(), name.hashCode());
  }

  private void add(String name) {
    byte[] file = ("[[L" + name + ";").getBytes(StandardCharsets.UTF_8);
    names.add(file, 3, 3 + name.length(), name.hashCode());
  }

  @Test
  void thousandsAreFoundAndNoOthers() {
    for (int i = 0; i < 5_000; i++) {
      add("com/example/Service" + i);
    }
    for (int i = 0; i < 5_000; i++) {
      assertThat(contains("com/example/Service" + i)).isTrue();
      assertThat(contains("com/example/Servant" + i)).isFalse();
    }
  }

  @Test
  void namesOfOneHashAreToldApart() {
    assertThat("com/Aa").hasSameHashCodeAs("com/BB");
    add("com/Aa");
    assertThat(contains("com/BB")).isFalse();
    add("com/BB");
    add("com/BB");
    assertThat(contains("com/Aa")).isTrue();
    assertThat(contains("com/BB")).isTrue();
  }

  @Test
  void beyondABoundNoneIsAdded() {
    for (int i = 0; i < 20_001; i++) {
      add("com/example/Service" + i);
    }
    assertThat(contains("com/example/Service19999")).isTrue();
    assertThat(contains("com/example/Service20000")).isFalse();
  }
}
