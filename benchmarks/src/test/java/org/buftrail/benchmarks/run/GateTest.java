package org.buftrail.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class GateTest {
  private final Comparison comparison = new Comparison();

  private void measured(String benchmark, Arm arm, double... nanos) {
    Measurement measurement =
        comparison.of(
            new Comparison.Key(benchmark, arm),
            () -> new Measurement(arm, benchmark, "ns/op", 1, false, "a JVM"));
    for (double each : nanos) {
      measurement.rounds.add(
          new Measurement.Round(
              List.of(each), List.of(each), List.of(), 0, Double.NaN, List.of(), Map.of()));
    }
  }

  private void measured(double none, double again, double all, double kept) {
    measured("pooled", Arm.NONE, none, none, none);
    measured("pooled", Arm.AGAIN, again, again, again);
    measured("pooled", Arm.ALL, all, all, all);
    measured("pooled", Arm.OTHER, kept, kept, kept);
  }

  @Test
  void whatCostsNoMoreThanThreePercentMorePasses() {
    measured(50, 50, 102.9, 100);

    assertThat(Gate.failures(comparison)).isEmpty();
  }

  @Test
  void whatCostsMoreThanThatIsNamed() {
    measured(50, 50, 103.1, 100);

    assertThat(Gate.failures(comparison))
        .containsExactly(
            "pooled costs 1.031 times what it costs with the kept agent, at most 1.030");
  }

  @Test
  void chanceOfEitherSideWidensTheBound() {
    measured(50, 46, 107, 100);
    assertThat(Gate.failures(comparison)).isEmpty();

    assertThat(Gate.bound(1.2)).isEqualTo(1.2);
    assertThat(Gate.bound(0.8)).isEqualTo(1.25);
    assertThat(Gate.bound(1.01)).isEqualTo(1.03);
  }

  @Test
  void aMeasurementThatGaveNothingDoesNotPass() {
    measured(50, 50, Double.NaN, 100);

    assertThat(Gate.failures(comparison)).hasSize(1);
  }

  @Test
  void theOptionNamesTheKeptAgentAndTheArms() {
    Request request =
        Request.parse(new String[] {"compare", "--gate", "/kept.jar"}, Path.of("/own.jar"));

    assertThat(request.gate()).isTrue();
    assertThat(request.other()).isEqualTo(Path.of("/kept.jar"));
    assertThat(request.agent()).isEqualTo(Path.of("/own.jar"));
    assertThat(request.arms()).isEqualTo(Gate.ARMS);
  }

  @Test
  void aStartIsNotMeasuredInTurn() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                Request.parse(
                    new String[] {"startup", "--gate", "/kept.jar"}, Path.of("/own.jar")));
  }
}
