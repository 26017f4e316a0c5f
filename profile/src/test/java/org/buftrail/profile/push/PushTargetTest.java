package org.buftrail.profile.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class PushTargetTest {
  private static PushTarget target(String otlp, Map<String, String> environment) {
    return PushTarget.of(otlp.equals("on") ? null : otlp, "option 'otlp'", environment);
  }

  private static String url(String otlp, Map<String, String> environment) {
    return target(otlp, environment).url().toString();
  }

  @Test
  void theOptionComesFirstThenTheEnvironment() {
    Map<String, String> environment =
        Map.of(
            "OTEL_EXPORTER_OTLP_ENDPOINT", "http://all:4318/base/",
            "OTEL_EXPORTER_OTLP_PROFILES_ENDPOINT", "https://own/x");
    assertThat(url("http://c:1", environment)).isEqualTo("http://c:1/v1development/profiles");
    assertThat(url("http://c:1/some/path", environment)).isEqualTo("http://c:1/some/path");
    assertThat(url("on", environment)).isEqualTo("https://own/x");
    assertThat(url("on", Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://all:4318/base/")))
        .isEqualTo("http://all:4318/base/v1development/profiles");
    assertThat(url("on", Map.of())).isEqualTo("http://localhost:4318/v1development/profiles");
  }

  @Test
  void headersTimeoutAndCompressionComeFromTheEnvironment() {
    PushTarget target =
        target(
            "http://c",
            Map.of(
                "OTEL_EXPORTER_OTLP_HEADERS", "a=1, b = x%2Cy",
                "OTEL_EXPORTER_OTLP_TIMEOUT", "500",
                "OTEL_EXPORTER_OTLP_PROFILES_TIMEOUT", "700",
                "OTEL_EXPORTER_OTLP_COMPRESSION", "none",
                "OTEL_RESOURCE_ATTRIBUTES", "service.name=r,deployment.environment=prod"));
    assertThat(target.headers()).isEqualTo(Map.of("a", "1", "b", "x,y"));
    assertThat(target.timeoutMillis()).isEqualTo(700);
    assertThat(target.isGzip()).isFalse();
    assertThat(target.resource())
        .containsEntry("service.name", "r")
        .containsEntry("deployment.environment", "prod");
    assertThat(target("http://c", Map.of()).resource()).isEmpty();
  }

  @Test
  void theQueryIsKeptAndNotPrinted() {
    PushTarget target = target("http://c:1/in%2Fto?key=a%26b", Map.of());
    assertThat(target.url().toString()).isEqualTo("http://c:1/in%2Fto?key=a%26b");
    assertThat(target.toString()).isEqualTo("http://c:1/in%2Fto");
    assertThat(url("http://[::1]:1?x=y", Map.of()))
        .isEqualTo("http://[::1]:1/v1development/profiles?x=y");
  }

  @Test
  void impossiblePortsAndPasswordsAreSaidAtOnce() {
    assertThatThrownBy(() -> target("http://127.0.0.1:99999", Map.of()))
        .hasMessage("option 'otlp' is 'http://127.0.0.1:99999': the port must be 1 to 65535");
    assertThatThrownBy(() -> target("http://user:secret@host", Map.of()))
        .hasMessageContaining("must not name a user and a password")
        .hasMessageContaining("OTEL_EXPORTER_OTLP_HEADERS=Authorization=")
        .hasMessageNotContaining("secret");
    assertThatThrownBy(() -> target("http://user:sec ret@host", Map.of()))
        .hasMessageContaining("it must be a URL")
        .hasMessageNotContaining("sec ret");
  }

  @Test
  void headersThatHttpDoesNotAllowAreSaidAtOnce() {
    PushTarget target = target("http://c", Map.of());
    for (String name : new String[] {"x a", "", "a:b", "\u00e4", "a\n"}) {
      assertThatThrownBy(() -> target.withHeaders(Map.of(name, "v"), "--header"))
          .hasMessageStartingWith("--header: '")
          .hasMessageContaining("is no name of a header");
    }
    for (String value : new String[] {"a\nb", "a\r", "\0"}) {
      assertThatThrownBy(() -> target.withHeaders(Map.of("x", value), "--header"))
          .hasMessage("--header: the value of x has a line break or a control character");
    }
    assertThat(target.withHeaders(Map.of("x-1", "a\tb=="), "--header").headers()).hasSize(1);
    assertThatThrownBy(() -> target("on", Map.of("OTEL_EXPORTER_OTLP_HEADERS", "a=x%0Ay")))
        .hasMessageStartingWith("OTEL_EXPORTER_OTLP_HEADERS: the value of a");
  }

  @Test
  void whatIsWrongIsSaid() {
    assertThatThrownBy(() -> target("collector:4318", Map.of()))
        .hasMessageStartingWith("option 'otlp' is 'collector:4318': it must be a URL such as");
    assertThatThrownBy(() -> target("on", Map.of("OTEL_EXPORTER_OTLP_COMPRESSION", "zstd")))
        .hasMessageContaining("OTEL_EXPORTER_OTLP_COMPRESSION is 'zstd'");
    assertThatThrownBy(() -> target("on", Map.of("OTEL_EXPORTER_OTLP_TIMEOUT", "soon")))
        .hasMessageContaining("it must be a number of milliseconds");
    assertThatThrownBy(() -> target("on", Map.of("OTEL_EXPORTER_OTLP_HEADERS", "abc")))
        .hasMessageContaining("HEADERS is not of the form");
  }
}
