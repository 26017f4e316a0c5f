package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.buftrail.model.Snapshot;
import org.buftrail.model.SummedProcesses;
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

  @Test
  void whichOfTwoLeaksAtOnePlaceIsOfSomeASumCannotSay() {
    Snapshot both = refusing("com.example.Orders.handle", "com.example.Orders.retry");
    Snapshot one = refusing("com.example.Orders.handle");
    assertThat(partial(sum(both, one))).containsExactly("unnamed");
    assertThat(partial(sum(sum(both, one), one))).containsExactly("some of 2 added up before");
  }

  @Test
  void whatWasAddedUpTwiceIsSaidToBeSoOnce() {
    Snapshot[] pods = new Snapshot[5];
    Arrays.fill(pods, pod(10));
    pods[4] = pod(0);
    Snapshot sum = sum(sum(pods), pod(0));
    assertThat(partial(sum)).containsExactly("4 of 5 added up before");
    assertThat(partial(sum(sum, pod(0)))).containsExactly("4 of 5 added up before");
  }

  @Test
  void aSumIsCountedByItsProcesses() {
    Snapshot sum = sum(pod(10), pod(10));
    assertThat(partial(sum(sum, sum, sum, sum, pod(0)))).containsExactly("some of 9");
  }

  private static Snapshot refusing(String... by) {
    SnapshotBuilder builder = new SnapshotBuilder();
    for (String caller : by) {
      builder.direct("Pool.get", caller, "com.example.Orders.refuse").leaked(10, 100).add();
    }
    return builder.build();
  }

  private static Snapshot sum(Snapshot... pods) {
    return new Pods("orders", List.of(pods)).sum();
  }

  private static List<String> partial(Snapshot sum) {
    return Objects.requireNonNull(sum.processes()).partialLeaks().stream()
        .map(SummedProcesses.PartialLeak::processes)
        .collect(Collectors.toList());
  }
}
