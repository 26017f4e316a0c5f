package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import jdk.jfr.AnnotationElement;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.EventFactory;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.profile.Profile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A field of each unit that the JDK knows adds up to what the JDK's own reader makes of it. */
@TestInstance(Lifecycle.PER_CLASS)
final class UnitsTest {
  private static final String EVENT = "shop.Units";
  private static final long[] VALUES = {0, 1, 999, 1_234_567, 40_000_000};

  private final List<RecordedEvent> events = new ArrayList<>();
  private Path file = Path.of("");

  /** A field of the event: its unit by an annotation of the JDK, as one of the integer types. */
  private record Unit(Class<? extends Annotation> kind, String unit, Class<?> type) {
    String field() {
      String name = kind.getSimpleName() + '_' + unit + '_' + type;
      return name.toLowerCase(Locale.ROOT);
    }

    ValueDescriptor described() {
      return new ValueDescriptor(type, field(), List.of(new AnnotationElement(kind, unit)));
    }

    Object value(long value) {
      if (type == int.class) {
        return (int) value;
      }
      return value;
    }
  }

  /** Every constant of the annotations, so that one of a later JDK is not left out. */
  private static List<Unit> units(Class<? extends Annotation> kind) {
    List<Unit> all = new ArrayList<>();
    for (Field constant : kind.getFields()) {
      for (Class<?> type : List.of(long.class, int.class)) {
        // The JDK reads moments from long numbers alone.
        if (type == long.class || kind != Timestamp.class) {
          try {
            all.add(new Unit(kind, String.valueOf(constant.get(null)), type));
          } catch (IllegalAccessException e) {
            throw new AssertionError(e);
          }
        }
      }
    }
    return all;
  }

  static List<Unit> timespans() {
    return units(Timespan.class);
  }

  static List<Unit> amounts() {
    return units(DataAmount.class);
  }

  static List<Unit> moments() {
    return units(Timestamp.class);
  }

  @BeforeAll
  void record(@TempDir Path directory) throws IOException {
    file = directory.resolve("units.jfr");
    List<Unit> all = new ArrayList<>(timespans());
    all.addAll(amounts());
    all.addAll(moments());
    EventFactory factory =
        EventFactory.create(
            List.of(new AnnotationElement(Name.class, EVENT)),
            all.stream().map(Unit::described).toList());
    try (Recording recording = new Recording()) {
      recording.enable(EVENT);
      recording.start();
      for (long value : VALUES) {
        Event event = factory.newEvent();
        for (int i = 0; i < all.size(); i++) {
          event.set(i, all.get(i).value(value));
        }
        event.commit();
      }
      recording.dump(file);
    }
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getEventType().getName().equals(EVENT)) {
        events.add(event);
      }
    }
  }

  @Test
  void eachUnitIsThere() {
    assertThat(timespans()).hasSizeGreaterThanOrEqualTo(10);
    assertThat(amounts()).hasSizeGreaterThanOrEqualTo(4);
    assertThat(moments()).hasSizeGreaterThanOrEqualTo(2);
    assertThat(events).hasSameSizeAs(VALUES);
  }

  private Profile converted(Unit unit) throws IOException {
    Options.Event named = Options.Event.parse(EVENT + ':' + unit.field());
    Conversion conversion =
        new Converter(Options.DEFAULT.events(List.of(named))).convert(List.of(file));
    assertThat(conversion.damages()).isEmpty();
    return conversion.profiles().profiles().stream()
        .filter(profile -> profile.name().equals(EVENT + ':' + unit.field()))
        .findFirst()
        .orElseThrow();
  }

  private long sum(ToLongFunction<RecordedEvent> value) {
    return events.stream().mapToLong(value).sum();
  }

  @ParameterizedTest
  @MethodSource("timespans")
  void spansOfTimeAreNanoseconds(Unit unit) throws IOException {
    Profile profile = converted(unit);
    assertThat(profile.sampleType().unit()).isEqualTo("nanoseconds");
    // The JDK rounds the ticks of each event.
    long rounded = unit.unit.equals(Timespan.TICKS) ? events.size() : 0;
    assertThat(profile.total())
        .isCloseTo(sum(event -> event.getDuration(unit.field()).toNanos()), within(rounded))
        .isPositive();
  }

  @ParameterizedTest
  @MethodSource("amounts")
  void amountsKeepTheirUnit(Unit unit) throws IOException {
    Profile profile = converted(unit);
    assertThat(profile.sampleType().unit()).isEqualTo(unit.unit.toLowerCase(Locale.ROOT));
    assertThat(profile.total()).isEqualTo(sum(event -> event.getLong(unit.field())));
  }

  /** Moments do not add up to a time, so they are numbers and nothing more. */
  @ParameterizedTest
  @MethodSource("moments")
  void momentsAreNoSpansOfTime(Unit unit) throws IOException {
    Profile profile = converted(unit);
    assertThat(profile.sampleType().unit()).isEqualTo("units");
    assertThat(profile.total()).isEqualTo(sum(event -> event.getLong(unit.field())));
  }
}
