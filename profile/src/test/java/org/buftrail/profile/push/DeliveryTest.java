package org.buftrail.profile.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesPartialSuccess;
import io.opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are sent, when, and what is said, by a clock that only the waits move. */
final class DeliveryTest {
  private static final byte[] MESSAGE = {1, 2, 3};
  private static final Sender.Outcome ACCEPTED = accepted(0, "");
  private static final Sender.Outcome BUSY = Sender.Outcome.later("status 503", -1);

  private final Deque<Sender.Outcome> outcomes = new ArrayDeque<>();
  private final List<byte[]> sent = new ArrayList<>();

  /** When each request was sent, in milliseconds from the beginning. */
  private final List<Long> times = new ArrayList<>();

  private long nowMillis;
  private long requestMillis;

  private final class TestClock implements Delivery.Clock {
    @Override
    public long nanoTime() {
      // Near the overflow, which a clock may be.
      return Long.MAX_VALUE - 1_000_000 + nowMillis * 1_000_000;
    }

    @Override
    public void sleep(long millis) {
      assertThat(millis).isNotNegative();
      nowMillis += millis;
    }
  }

  private static Sender.Outcome accepted(long rejected, String message) {
    ExportProfilesPartialSuccess said =
        ExportProfilesPartialSuccess.newBuilder()
            .setRejectedProfiles(rejected)
            .setErrorMessage(message)
            .build();
    byte[] answer =
        ExportProfilesServiceResponse.newBuilder().setPartialSuccess(said).build().toByteArray();
    return Sender.Outcome.accepted(PartialSuccess.read(answer));
  }

  private Sender.Outcome exchange(byte[] body) {
    sent.add(body);
    times.add(nowMillis);
    nowMillis += requestMillis;
    return outcomes.size() > 1 ? outcomes.remove() : outcomes.element();
  }

  /** Waits the longest that chance allows. */
  private Delivery delivery(long patienceMillis) {
    return delivery(patienceMillis, new Backoff(bound -> bound - 1));
  }

  private Delivery delivery(long patienceMillis, Backoff backoff) {
    PushTarget target = PushTarget.of("http://receiver", "--endpoint", Map.of()).withGzip(false);
    return new Delivery(
        target, this::exchange, new TestClock(), backoff, Delivery.LARGEST_PART, patienceMillis);
  }

  @ParameterizedTest
  @CsvSource({
    "ACCEPTED, 1, ''",
    "REFUSED, 1, 'the receiver refuses it: why'",
    "INSECURE, 1, 'why; not tried again, since that would not mend it'",
    "UNCERTAIN, 1, 'no answer, it may have arrived: why'",
    "LATER, 4, 'the receiver does not take it now: why; tried 4 times in 5.0 s'",
  })
  void onlyWhatIsSurelyNotThereIsSentAgain(Sender.Fate fate, int requests, String message)
      throws Exception {
    boolean accepted = fate == Sender.Fate.ACCEPTED;
    outcomes.add(accepted ? ACCEPTED : Sender.Outcome.of(fate, "why"));
    Delivery delivery = delivery(5_000);
    if (accepted) {
      delivery.send(MESSAGE);
    } else {
      assertThatThrownBy(() -> delivery.send(MESSAGE))
          .isInstanceOf(IOException.class)
          .hasMessage(message);
    }
    assertThat(sent).hasSize(requests).allMatch(body -> body == MESSAGE);
    assertThat(delivery.requests()).isEqualTo(accepted ? 1 : 0);
    assertThat(delivery.bytes()).isEqualTo(accepted ? MESSAGE.length : 0);
    assertThat(delivery.retries()).isEqualTo(requests - 1);
    assertThat(delivery.partial()).isEmpty();
    assertThat(delivery.warning()).isEmpty();
  }

  /** What follows a retry may be any outcome; an uncertain one ends it. */
  @Test
  void whatMayHaveArrivedOnARetryIsNotSentAgain() {
    outcomes.addAll(List.of(BUSY, BUSY, Sender.Outcome.of(Sender.Fate.UNCERTAIN, "cut"), ACCEPTED));
    Delivery delivery = delivery(60_000);
    assertThatThrownBy(() -> delivery.send(MESSAGE))
        .hasMessage("no answer, it may have arrived: cut");
    assertThat(sent).hasSize(3);
    assertThat(delivery.requests()).isZero();
    assertThat(delivery.retries()).isEqualTo(2);
  }

  /** Up to twice as long each time, a minute at most, and cut at the end of the patience. */
  @Test
  void waitsTwiceAsLongEachTime() {
    outcomes.add(BUSY);
    assertThatThrownBy(() -> delivery(200_000).send(MESSAGE))
        .hasMessage("the receiver does not take it now: status 503; tried 10 times in 200.0 s");
    assertThat(times)
        .containsExactly(
            0L, 1_000L, 3_000L, 7_000L, 15_000L, 31_000L, 63_000L, 123_000L, 183_000L, 200_000L);
  }

  @Test
  void waitsHalfAsLongAtLeast() {
    outcomes.add(BUSY);
    Backoff shortest = new Backoff(bound -> 0);
    assertThatThrownBy(() -> delivery(10_000, shortest).send(MESSAGE))
        .hasMessageEndingWith("tried 6 times in 10.0 s");
    assertThat(times).containsExactly(0L, 500L, 1_500L, 3_500L, 7_500L, 10_000L);
  }

  @Test
  void theNextMessageBeginsWithAShortWait() throws Exception {
    outcomes.addAll(List.of(BUSY, BUSY, BUSY, ACCEPTED, BUSY, ACCEPTED));
    Delivery delivery = delivery(60_000);
    delivery.send(MESSAGE);
    delivery.send(MESSAGE);
    assertThat(times).containsExactly(0L, 1_000L, 3_000L, 7_000L, 7_000L, 8_000L);
    assertThat(delivery.requests()).isEqualTo(2);
    assertThat(delivery.bytes()).isEqualTo(2L * MESSAGE.length);
    assertThat(delivery.retries()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({
    // What the receiver asks for, and up to half of the own wait more.
    "0, 500",
    "7, 7_500",
    // Five minutes at most.
    "300, 300_500",
    "301, 300_500",
    "2147483647, 300_500",
  })
  void waitsAsLongAsTheReceiverAsks(long seconds, String waited) throws Exception {
    outcomes.addAll(List.of(Sender.Outcome.later("status 503", seconds), ACCEPTED));
    delivery(1_000_000).send(MESSAGE);
    assertThat(times).containsExactly(0L, Long.parseLong(waited.replace("_", "")));
  }

  @Test
  void aWaitThatIsTooLongIsNotBegunAndSaidSo() {
    outcomes.add(Sender.Outcome.later("status 503", 3_600));
    requestMillis = 100;
    assertThatThrownBy(() -> delivery(5_000).send(MESSAGE))
        .hasMessage(
            "the receiver does not take it now: status 503; tried once in 0.1 s, "
                + "since it asks to wait 3600 s and --give-up is 5 s");
    assertThat(times).containsExactly(0L);
  }

  @Test
  void aWaitThatJustFitsIsBegun() throws Exception {
    outcomes.addAll(List.of(Sender.Outcome.later("status 503", 5), ACCEPTED));
    delivery(5_000).send(MESSAGE);
    assertThat(times).containsExactly(0L, 5_000L);
  }

  @Test
  void withoutPatienceItIsTriedOnce() {
    outcomes.add(BUSY);
    assertThatThrownBy(() -> delivery(0).send(MESSAGE))
        .hasMessage("the receiver does not take it now: status 503; tried once in 0.0 s");
    assertThat(times).containsExactly(0L);
  }

  @Test
  void whatTheRequestsTakeIsPartOfThePatience() {
    outcomes.add(BUSY);
    requestMillis = 2_000;
    assertThatThrownBy(() -> delivery(5_000).send(MESSAGE))
        .hasMessageEndingWith("tried 2 times in 5.0 s");
    assertThat(times).containsExactly(0L, 3_000L);
  }

  @Test
  void theFirstRejectionAndTheFirstWarningAreKept() throws Exception {
    outcomes.addAll(
        List.of(ACCEPTED, accepted(1, "a"), accepted(0, "b"), accepted(2, "c"), accepted(0, "d")));
    Delivery delivery = delivery(0);
    for (int i = 0; i < 5; i++) {
      delivery.send(MESSAGE);
    }
    assertThat(delivery.partial()).isEqualTo("the receiver rejected 1 profile: a");
    assertThat(delivery.warning()).isEqualTo("the receiver warns: b");
  }

  /** What it did before changes nothing but its counts, which are the sums of each message's. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aUsedDeliveryDoesWhatAFreshOneDoes(long seed) {
    Random random = new Random(seed);
    Delivery used = delivery(20_000);
    int requests = 0;
    int retries = 0;
    long bytes = 0;
    for (int message = 0; message < 40; message++) {
      byte[] body = new byte[1 + random.nextInt(50)];
      List<Sender.Outcome> coming = randomOutcomes(random);
      requestMillis = random.nextInt(2_000);
      Delivery fresh = delivery(20_000);
      String expected = outcome(fresh, body, coming);
      assertThat(outcome(used, body, coming)).as("seed %s, %s", seed, message).isEqualTo(expected);
      requests += fresh.requests();
      retries += fresh.retries();
      bytes += fresh.bytes();
      assertThat(used.requests()).isEqualTo(requests);
      assertThat(used.retries()).isEqualTo(retries);
      assertThat(used.bytes()).isEqualTo(bytes);
    }
    assertThat(requests).isBetween(1, 39);
    assertThat(retries).isPositive();
  }

  private static List<Sender.Outcome> randomOutcomes(Random random) {
    List<Sender.Outcome> coming = new ArrayList<>();
    for (int busy = random.nextInt(6); busy > 0; busy--) {
      coming.add(Sender.Outcome.later("busy " + busy, random.nextInt(8) - 1));
    }
    Sender.Fate[] fates = Sender.Fate.values();
    Sender.Fate last = fates[random.nextInt(fates.length)];
    coming.add(random.nextBoolean() ? ACCEPTED : Sender.Outcome.of(last, "why"));
    return coming;
  }

  /** What became of a message, in a text: its end, and when it was sent. */
  private String outcome(Delivery delivery, byte[] body, List<Sender.Outcome> coming) {
    outcomes.clear();
    outcomes.addAll(coming);
    times.clear();
    sent.clear();
    nowMillis = 0;
    String end = "accepted";
    try {
      delivery.send(body);
    } catch (IOException | InterruptedException e) {
      end = String.valueOf(e.getMessage());
    }
    assertThat(sent).allMatch(bytes -> bytes == body);
    return end + times;
  }

  @Test
  void anInterruptEndsTheWait() {
    outcomes.add(BUSY);
    PushTarget target = PushTarget.of("http://receiver", "--endpoint", Map.of());
    Delivery delivery =
        new Delivery(
            target,
            this::exchange,
            Delivery.Clock.SYSTEM,
            new Backoff(),
            Delivery.LARGEST_PART,
            60_000);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> delivery.send(MESSAGE)).isInstanceOf(InterruptedException.class);
    assertThat(sent).hasSize(1);
  }

  @Test
  void packsWhatItSends() throws Exception {
    byte[] message = new byte[100_000];
    new Random(1).nextBytes(message);
    outcomes.add(ACCEPTED);
    PushTarget target = PushTarget.of("http://receiver", "--endpoint", Map.of()).withGzip(true);
    Delivery delivery =
        new Delivery(target, this::exchange, new TestClock(), new Backoff(), 1 << 20, 0);
    delivery.send(message);
    byte[] body = sent.get(0);
    assertThat(new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes())
        .isEqualTo(message);
    assertThat(delivery.bytes()).isEqualTo(body.length);
  }
}
