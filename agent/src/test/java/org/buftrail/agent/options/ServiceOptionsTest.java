package org.buftrail.agent.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServiceOptionsTest {
  private static ServiceOptions parse(String argument, String... environment) {
    Map<String, String> env =
        environment.length == 0 ? Map.of() : Map.of(environment[0], environment[1]);
    return Options.parse(argument, new Properties(), env).services;
  }

  @Test
  void nothingOpensAPortOrWritesAFileUnasked() {
    ServiceOptions options = parse("include=app");
    assertThat(options.jmx).isTrue();
    assertThat(options.page).isNull();
    assertThat(options.push).isNull();
    assertThat(options.snapshotDirectory).isNull();
    assertThat(options.metricsHandlers).isEmpty();
  }

  @Test
  void handlersInTheJarHaveShortNames() {
    assertThat(parse("metricsHandlers=micrometer,a.B,opentelemetry").metricsHandlers)
        .containsExactly(
            "org.buftrail.metrics.FlowMeters", "a.B", "org.buftrail.metrics.FlowInstruments");
  }

  @Test
  void everythingCanBeAskedFor() {
    ServiceOptions options =
        parse(
            "jmx=false;every=10m;alert=liveBytes>512m,leaked>10;snapshotFiles=3;snapshotBytes=1g;"
                + "http=8077;otlp=http://c:4318;otlpEvery=5s;metricsHandlers=a.B, c.D;metricsEvery=1m");
    assertThat(options.jmx).isFalse();
    assertThat(options.everyMillis).isEqualTo(600_000);
    assertThat(options.alerts).hasSize(2);
    assertThat(options.snapshotFiles).isEqualTo(3);
    assertThat(options.snapshotBytes).isEqualTo(1L << 30);
    assertThat(options.snapshotDirectory).isEqualTo(Path.of("buftrail-snapshots").toAbsolutePath());
    assertThat(options.page).isNotNull();
    assertThat(options.push).hasToString("http://c:4318/v1development/profiles");
    assertThat(options.pushMillis).isEqualTo(5_000);
    assertThat(options.metricsHandlers).containsExactly("a.B", "c.D");
    assertThat(options.metricsMillis).isEqualTo(60_000);
  }

  @Test
  void anIntervalOf0IsNoneWhereNoneIsTheDefault() {
    assertThat(parse("every=0s").everyMillis).isZero();
    assertThat(parse("every=0s").snapshotDirectory).isNull();
    assertThatThrownBy(() -> parse("otlpEvery=0s"))
        .hasMessage("option 'otlpEvery' is '0s': it must be 1s or more");
  }

  @Test
  void theEnvironmentSpeaksToo() {
    assertThat(parse("", "BUFTRAIL_SNAPSHOT_DIR", "/var/tmp/x").snapshotDirectory)
        .isEqualTo(Path.of("/var/tmp/x"));
    assertThat(
            Objects.requireNonNull(
                    parse("otlp=on", "OTEL_EXPORTER_OTLP_ENDPOINT", "http://e:1").push)
                .toString())
        .isEqualTo("http://e:1/v1development/profiles");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "every=10|option 'every': '10' is not a time such as 30s, 10m or 2h",
        "every=5ms|option 'every' is '5ms': it must be 1s or more",
        "alert=heap>1|option 'alert': 'heap' is not one of leaked, leakedBytes,",
        "snapshotBytes=big|option 'snapshotBytes': 'big' is not a size such as 64k, 512m or 2g",
        "snapshotFiles=0|option 'snapshotFiles' is '0': it must be a number from 1 to",
        "http=0.0.0.0:80|option 'http': 0.0.0.0 can be reached from other hosts",
        "otlp=collector|option 'otlp' is 'collector': it must be a URL such as",
        "fewerHops=yes|option 'fewerHops' is 'yes': it must be true or false",
        "jmx=yes|option 'jmx' is 'yes': it must be true or false",
        "htp=1|unknown option 'htp' (did you mean 'http'?)",
      })
  void whatIsWrongIsOneLine(String argument, String message) {
    assertThatThrownBy(() -> parse(argument))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message)
        .hasMessageNotContaining("\n");
  }
}
