package org.buftrail.agent.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.buftrail.flow.TrackedProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ThisProcessTest {
  @Test
  void itIsTheOneThatRuns() {
    ProcessHandle handle = ProcessHandle.current();
    TrackedProcess process = new ThisProcess("sample=8").process();
    assertThat(process.pid()).isEqualTo(handle.pid());
    assertThat(process.name()).isNotEmpty().doesNotContain("/", " ");
    assertThat(process.startedAtMillis())
        .isEqualTo(handle.info().startInstant().orElseThrow().toEpochMilli());
    assertThat(process.java()).isEqualTo(System.getProperty("java.version"));
    assertThat(process.options()).isEqualTo("sample=8");
  }

  @Test
  void aLaterStartHasOtherOptions() {
    ThisProcess process = new ThisProcess("sample=8");
    assertThat(process.process().options()).isEqualTo("sample=8");
    process.runWith("sample=9");
    assertThat(process.process().options()).isEqualTo("sample=9");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "http=9090;httpToken=0123456789abcdef;sample=8 | http=9090;httpToken=…;sample=8",
        "otlpHeaders=Authorization=Basic x;include=a.b | otlpHeaders=…;include=a.b",
        "otlp=https://me:pass@host:4318;sample=8 | otlp=https://…@host:4318;sample=8",
        "include=com.example;sample=8 | include=com.example;sample=8",
      })
  void optionsAreShownWithoutSecrets(String options, String shown) {
    assertThat(ThisProcess.withoutSecrets(options)).isEqualTo(shown);
  }

  @ParameterizedTest
  @CsvSource({
    "com.example.OrderService 8080 --fast, OrderService",
    "/srv/app/orders.jar --port 1, orders.jar",
    "app.module/com.example.Main, Main",
    "'', ''"
  })
  void theMainClassNamesIt(String command, String name) {
    assertThat(ThisProcess.name(Map.of(), command)).isEqualTo(name);
  }

  @Test
  void theServicesNameComesFirst() {
    assertThat(ThisProcess.name(Map.of("OTEL_SERVICE_NAME", "orders"), "com.example.Main"))
        .isEqualTo("orders");
    assertThat(ThisProcess.name(Map.of("OTEL_RESOURCE_ATTRIBUTES", "no pairs"), "a.Main"))
        .isEqualTo("Main");
  }
}
