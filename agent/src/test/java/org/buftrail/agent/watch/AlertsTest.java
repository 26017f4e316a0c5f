package org.buftrail.agent.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.agent.source.SnapshotBuilder;
import org.buftrail.options.AmountReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class AlertsTest {
  private final List<String> heard = new ArrayList<>();

  private Alerts alerts(String text) {
    return new Alerts(Threshold.parse(text), (name, message, now) -> heard.add(message));
  }

  private void look(Alerts alerts, long leaked, long live) {
    alerts.look(SnapshotBuilder.none().direct("directBuffer app.A.a", 0, leaked, live).build());
  }

  @Test
  void saysOnceAgainWhenDoubledAndAgainAfterItFell() {
    Alerts alerts = alerts("liveBytes>1000");
    look(alerts, 0, 10);
    assertThat(heard).isEmpty();
    look(alerts, 0, 11);
    look(alerts, 0, 20);
    assertThat(heard).containsExactly("liveBytes is 1100, above 1000");
    look(alerts, 0, 23);
    assertThat(heard).hasSize(2);
    look(alerts, 0, 9);
    look(alerts, 0, 12);
    assertThat(heard).hasSize(2);
    look(alerts, 0, 7);
    look(alerts, 0, 12);
    assertThat(heard).hasSize(3);
  }

  @Test
  void everyMetricIsMeasured() {
    Alerts alerts =
        alerts("liveBytes>399, directBytes>399,leakedBytes>299,live>3,leaked>2,oldest>3s");
    look(alerts, 3, 4);
    assertThat(heard)
        .containsExactly(
            "liveBytes is 400, above 399",
            "directBytes is 400, above 399",
            "leakedBytes is 300, above 299",
            "live is 4, above 3",
            "leaked is 3, above 2",
            "oldest is 4000 ms, above 3000 ms");
  }

  @Test
  void aThresholdOf0IsPassedByTheFirst() {
    Alerts alerts = alerts("leaked>0");
    look(alerts, 0, 0);
    assertThat(heard).isEmpty();
    look(alerts, 1, 0);
    look(alerts, 2, 0);
    look(alerts, 3, 0);
    assertThat(heard).containsExactly("leaked is 1, above 0", "leaked is 3, above 0");
  }

  @Test
  void suspectsAreHeardOfAgainAfterTheyWereGone() {
    Alerts alerts = alerts("suspects>0");
    alerts.look(SnapshotBuilder.none().direct("directBuffer app.A.a", 0, 0, 30).build());
    assertThat(heard).isEmpty();
    alerts.look(SnapshotBuilder.none().growing("directBuffer app.A.a", 30).build());
    alerts.look(SnapshotBuilder.none().growing("directBuffer app.A.a", 60).build());
    assertThat(heard).containsExactly("suspects is 1, above 0");
    alerts.look(SnapshotBuilder.none().build());
    alerts.look(SnapshotBuilder.none().growing("directBuffer app.A.a", 90).build());
    assertThat(heard).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "live,'live' is not of the form liveBytes>512m",
    "bytes>1,'bytes' is not one of leaked, leakedBytes",
    "liveBytes>1x,'1x' is not a size such as",
    "liveBytes>,'' is not a size such as",
    "oldest>5,'5' is not a time such as",
    "live>1k,'1k' is not a number",
    "liveBytes>99999999999g,'99999999999g' is too large",
  })
  void whatIsWrongIsSaid(String text, String message) {
    assertThatThrownBy(() -> Threshold.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void amountsAreReadAsPeopleWriteThem() {
    assertThat(AmountReader.bytes("12")).isEqualTo(12);
    assertThat(AmountReader.bytes("64k")).isEqualTo(65_536);
    assertThat(AmountReader.bytes("512 MiB")).isEqualTo(512L << 20);
    assertThat(AmountReader.bytes("2GB")).isEqualTo(2L << 30);
    assertThat(AmountReader.millis("500ms")).isEqualTo(500);
    assertThat(AmountReader.millis("10m")).isEqualTo(600_000);
    assertThat(AmountReader.millis("1d")).isEqualTo(86_400_000);
  }
}
