package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;

final class PodsTest {
  private static Snapshot pod(long leaked) {
    return new SnapshotBuilder()
        .direct("Pool.get", "com.example.Orders.read")
        .released(1_000 - leaked, 10 * (1_000 - leaked))
        .leaked(leaked, 10 * leaked)
        .add()
        .build();
  }

  /** What is said behind the figures of each process. */
  private static List<String> differences(Snapshot... pods) throws IOException {
    StringBuilder text = new StringBuilder();
    SummedProcessesText.write(new Pods("orders", List.of(pods)).sum().processes(), text);
    return text.toString()
        .lines()
        .filter(line -> line.startsWith("  unnamed"))
        .map(line -> line.replaceFirst(".* (B|KiB)", "").trim())
        .collect(Collectors.toList());
  }

  @Test
  void whatLeaksMoreThanTwiceAsOftenAsTheMedianIsToldOrAsSeldom() throws IOException {
    assertThat(differences(pod(120), pod(40), pod(80), pod(40), pod(10), pod(20)))
        .containsExactly(
            "leaks 3 times as often as most", "", "", "", "leaks 4 times less often than most", "");
  }

  @Test
  void whereMostLeakOrNoneDoTheOthersAreTold() throws IOException {
    assertThat(differences(pod(0), pod(30), pod(40)))
        .containsExactly("leaks nothing, unlike most", "", "");
    assertThat(differences(pod(0), pod(0), pod(11))).containsExactly("", "", "leaks, unlike most");
    assertThat(differences(pod(0), pod(0), pod(9))).as("chance").containsExactly("", "", "");
  }
}
