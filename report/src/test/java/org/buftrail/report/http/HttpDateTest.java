package org.buftrail.report.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;

final class HttpDateTest {
  @Test
  void theExampleOfTheStandard() {
    assertThat(HttpDate.format(Instant.parse("1994-11-06T08:49:37Z").toEpochMilli()))
        .isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
  }

  @Test
  void eachDayIsAsTheJdkSaysIt() {
    DateTimeFormatter format = DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'");
    LocalDateTime at = LocalDateTime.of(2026, 1, 1, 23, 5, 9);
    for (int day = 0; day < 800; day++) {
      LocalDateTime next = at.plusDays(day);
      assertThat(HttpDate.format(next.toEpochSecond(ZoneOffset.UTC) * 1_000))
          .isEqualTo(format.withLocale(java.util.Locale.ENGLISH).format(next));
    }
  }
}
