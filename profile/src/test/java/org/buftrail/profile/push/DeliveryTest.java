package org.buftrail.profile.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class DeliveryTest {
  private static final byte[] MESSAGE = new byte[10];

  private static Delivery delivery(RawReceiver receiver, long patienceMillis) {
    return new Delivery(receiver.target(5_000), Delivery.LARGEST_PART, patienceMillis);
  }

  @Test
  void aWaitThatIsTooLongIsNotBegunAndSaidSo() throws IOException {
    try (RawReceiver receiver = RawReceiver.answering("503 No\r\nRetry-After: 3600", new byte[0])) {
      assertThatThrownBy(() -> delivery(receiver, 5_000).send(MESSAGE))
          .hasMessageMatching(
              "the receiver does not take it now: status 503; tried once in \\d\\.\\d s, "
                  + "since it asks to wait 3600 s and --give-up is 5 s");
      assertThat(receiver.requests()).isEqualTo(1);
    }
  }

  @Test
  void theTimeThatItWasTriedIsSaid() throws IOException {
    try (RawReceiver receiver = RawReceiver.answering("503 No", new byte[0])) {
      assertThatThrownBy(() -> delivery(receiver, 1_500).send(MESSAGE))
          .hasMessageMatching(".*: status 503; tried [23] times in 1\\.[5-9] s");
    }
  }

  @Test
  void aDateIsWaitedFor() throws Exception {
    ZonedDateTime date = ZonedDateTime.now(ZoneOffset.UTC).plusSeconds(3);
    String after = DateTimeFormatter.RFC_1123_DATE_TIME.format(date);
    long start = System.nanoTime();
    try (RawReceiver receiver = RawReceiver.answering("503 No\r\nRetry-After: " + after, MESSAGE)) {
      assertThatThrownBy(() -> delivery(receiver, 4_500).send(MESSAGE))
          .hasMessageContaining("tried ");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(2));
      assertThat(receiver.requests()).isGreaterThan(1);
    }
  }
}
