package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Frequency;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Recording;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.Unsigned;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events that are asked for by name add up as what they are, or are said to be missing. */
@TestInstance(Lifecycle.PER_CLASS)
final class NamedEventsTest {
  private static final int EVENTS = 501;

  private Path file = Path.of("");
  private Path without = Path.of("");

  @Name("shop.Order")
  @StackTrace(false)
  static final class Order extends Event {
    byte bits;
    short delta;
    int change;
    long balance;
    float half;
    double third;
    String customer = "";
    Class<?> kind = Order.class;

    @Unsigned byte age;
    @Unsigned int checksum;

    @Timespan(Timespan.MILLISECONDS)
    long wait;

    @Timespan(Timespan.MICROSECONDS)
    long pause;

    @Timespan(Timespan.TICKS)
    long ticks;

    @DataAmount long size;

    @DataAmount(DataAmount.BITS)
    long sent;

    @Percentage float share;
    @Frequency long rate;
  }

  @BeforeAll
  void record(@TempDir Path directory) throws IOException {
    file = directory.resolve("orders.jfr");
    without = directory.resolve("without.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(Order.class);
      recording.start();
      for (int i = 0; i < EVENTS; i++) {
        order().commit();
      }
      recording.dump(file);
    }
    try (ChunkFile chunk = new ChunkFile(without, true).type("shop.Other", "long size")) {
      chunk.event("shop.Other", chunk.at(1).i8(5));
    }
  }

  private static Order order() {
    Order order = new Order();
    order.bits = -1;
    order.delta = -300;
    order.change = -70_000;
    order.balance = -5_000_000_000L;
    order.half = 0.5f;
    order.third = 1 / 3.0;
    order.customer = "somebody";
    order.age = (byte) 200;
    order.checksum = (int) 4_000_000_000L;
    order.wait = 3;
    order.pause = 400;
    order.size = 7;
    order.sent = 8;
    order.share = 0.25f;
    order.rate = 2;
    return order;
  }

  private static Profiles convert(Path from, String... events) throws IOException {
    return conversion(List.of(from), events).profiles();
  }

  private static Conversion conversion(List<Path> from, String... events) throws IOException {
    List<Options.Event> named = new ArrayList<>();
    for (String event : events) {
      named.add(Options.Event.parse(event));
    }
    Conversion conversion = new Converter(Options.DEFAULT.events(named)).convert(from);
    assertThat(conversion.damages()).isEmpty();
    return conversion;
  }

  private static Profile only(Profiles profiles, String prefix) {
    List<Profile> found =
        profiles.profiles().stream().filter(p -> p.name().startsWith(prefix)).toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  @ParameterizedTest
  @CsvSource({
    "bits, -1, units",
    "delta, -300, units",
    "change, -70000, units",
    "balance, -5000000000, units",
    "balance:cents, -5000000000, cents",
    "half, 0.5, units",
    "half:coins, 0.5, coins",
    "third, 0.33333333333, units",
    "age, 200, units",
    "checksum, 4000000000, units",
    "wait, 3000000, nanoseconds",
    "wait:milliseconds, 3, milliseconds",
    "wait:us, 3000, us",
    "wait:seconds, 0.003, seconds",
    "wait:beers, 3000000, nanoseconds",
    "pause:ms, 0.4, ms",
    "pause, 400000, nanoseconds",
    "size, 7, bytes",
    "size:kilobytes, 7, bytes",
    "sent, 8, bits",
    "share, 0.25, ratio",
    "share:parts, 0.25, parts",
    "rate, 2, hertz",
  })
  void aFieldAddsUpInItsUnit(String field, double each, String unit) throws IOException {
    for (boolean timestamps : new boolean[] {false, true}) {
      Options options =
          Options.DEFAULT
              .events(List.of(Options.Event.parse("shop.Order:" + field)))
              .timestamps(timestamps);
      Converter converter = new Converter(options);
      for (int i = 0; i < 2; i++) {
        Profile profile = only(converter.convert(List.of(file)).profiles(), "shop.Order:");
        assertThat(profile.sampleType().unit()).isEqualTo(unit);
        assertThat((double) profile.total()).isCloseTo(each * EVENTS, within(0.51));
      }
    }
  }

  @Test
  void fractionsOfManyThreadsAddUp() throws Exception {
    Path many = file.resolveSibling("many.jfr");
    try (Recording recording = new Recording()) {
      recording.enable(Order.class);
      recording.start();
      for (int i = 0; i < 100; i++) {
        Thread thread = new Thread(() -> order().commit());
        thread.start();
        thread.join();
      }
      recording.dump(many);
    }
    Profile profile = only(convert(many, "shop.Order:half"), "shop.Order");
    assertThat(profile.samples().size()).isEqualTo(100);
    assertThat(profile.total()).isEqualTo(50);
  }

  @Test
  void aTimeWithoutAUnitInTheRecordingKeepsTheOneThatWasAskedFor() throws IOException {
    Profile profile = only(convert(without, "shop.Other:size:ms"), "shop.Other");
    assertThat(profile.sampleType()).hasToString("size/ms");
    assertThat(profile.total()).isEqualTo(5);
  }

  /** As Netty's, Datadog's and the JDK's own are; any other number counts units. */
  @ParameterizedTest
  @CsvSource({"duration, nanoseconds", "length, units"})
  void aDurationWithoutAUnitIsOfNanoseconds(String field, String unit) throws IOException {
    Path made = file.resolveSibling(field + ".jfr");
    try (ChunkFile chunk = new ChunkFile(made, true).type("shop.Other", "long " + field)) {
      chunk.event("shop.Other", chunk.at(1).i8(5));
    }
    Profile profile = only(convert(made, "shop.Other:" + field), "shop.Other");
    assertThat(profile.sampleType()).hasToString(field + "/" + unit);
    assertThat(profile.total()).isEqualTo(5);
  }

  private static Map<String, String> reasons(Conversion conversion) {
    return conversion.unmet().entrySet().stream()
        .collect(
            Collectors.toMap(
                e -> e.getKey().name() + ":" + e.getKey().field(), Map.Entry::getValue));
  }

  @Test
  void whatCannotBeGivenIsSaidAndNotInvented() throws IOException {
    Conversion conversion =
        conversion(
            List.of(file),
            "shop.Nope",
            "shop.Order:nosuch",
            "shop.Order:customer",
            "shop.Order:kind",
            "java.lang.Thread",
            "shop.Order:size",
            "shop.Order");
    assertThat(reasons(conversion))
        .isEqualTo(
            Map.of(
                "shop.Nope:null", "no recording describes this event type",
                "java.lang.Thread:null", "no recording describes this event type",
                "shop.Order:nosuch", "the event has no field of this name",
                "shop.Order:customer", "the field is no number",
                "shop.Order:kind", "the field is no number"));
    assertThat(conversion.profiles().profiles())
        .map(Profile::name)
        .containsExactly("shop.Order:size", "shop.Order");
  }

  @Test
  void oneOfSeveralRecordingsWithTheEventIsEnough() throws IOException {
    Conversion merged = conversion(List.of(without, file), "shop.Order:size", "shop.Other");
    assertThat(merged.unmet()).isEmpty();
    assertThat(only(merged.profiles(), "shop.Order:size").total()).isEqualTo(7L * EVENTS);
    Converter converter =
        new Converter(Options.DEFAULT.events(List.of(Options.Event.parse("shop.Order"))));
    assertThat(converter.convert(List.of(file)).unmet()).isEmpty();
    assertThat(converter.convert(List.of(without)).unmet()).hasSize(1);
  }

  @Test
  void anEventThatIsDescribedButNeverHappenedIsNoMistake() throws IOException {
    Conversion conversion = conversion(List.of(file), "jdk.ZAllocationStall:size");
    assertThat(conversion.unmet()).isEmpty();
    assertThat(conversion.profiles().profiles()).isEmpty();
  }
}
