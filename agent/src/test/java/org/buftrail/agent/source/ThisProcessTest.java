package org.buftrail.agent.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.buftrail.model.TrackedProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
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

  /** One who began to find out before must not bring the old options back. */
  @Test
  @Timeout(60)
  void aLaterStartHasOtherOptionsWhoeverAsksMeanwhile() throws InterruptedException {
    ThisProcess process = new ThisProcess("sample=8");
    AtomicLong asked = new AtomicLong();
    AtomicBoolean ends = new AtomicBoolean();
    Thread other =
        new Thread(
            () -> {
              while (!ends.get()) {
                process.process();
                asked.incrementAndGet();
              }
            });
    other.start();
    // Each round waits for the other thread, which may have to wait for a processor.
    long enough = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    try {
      for (int i = 0; i < 1_500 && System.nanoTime() < enough; i++) {
        process.runWith("sample=9");
        long began = System.nanoTime();
        while (System.nanoTime() - began < i * 100L) {
          Thread.onSpinWait();
        }
        process.runWith("sample=10");
        long before = asked.get();
        while (asked.get() < before + 2) {
          Thread.onSpinWait();
        }
        assertThat(process.process().options()).isEqualTo("sample=10");
      }
    } finally {
      ends.set(true);
      other.join();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "otlp=http://host:4318/key=abc;sample=8 | otlp=http://host:4318/key=…;sample=8",
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
    "C:\\app\\orders.jar --port 1, orders.jar",
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
