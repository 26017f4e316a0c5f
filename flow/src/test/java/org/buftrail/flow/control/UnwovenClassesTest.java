package org.buftrail.flow.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;

class UnwovenClassesTest {
  private static final int CLASSES = 150;
  private static final int NAMED = 100;

  @Test
  void theFirstAreNamedAndAllAreCounted() {
    for (int i = 0; i < CLASSES; i++) {
      assertThat(UnwovenClasses.add("com.example.Class" + i, "reason " + i)).isTrue();
      assertThat(UnwovenClasses.add("com.example.Class0", "another")).isFalse();
    }
    TrackerStatus status = FlowTracker.INSTANCE.snapshot().status();
    List<String> expected =
        IntStream.range(0, NAMED)
            .mapToObj(i -> "com.example.Class" + i + " reason " + i)
            .collect(Collectors.toList());
    assertThat(status.unwoven())
        .extracting(each -> each.className() + " " + each.reason())
        .isEqualTo(expected);
    assertThat(status.unwovenClasses()).isEqualTo(CLASSES);
  }
}
