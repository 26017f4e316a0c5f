package org.buftrail.jfr.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.buftrail.profile.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a declaration of an event type says when it is asked. */
final class KindsTest {
  private static EventKind of(String event) {
    return Objects.requireNonNull(Kinds.of(event), event);
  }

  @ParameterizedTest
  @CsvSource({
    "jdk.ExecutionSample, cpu wall",
    "datadog.ExecutionSample, cpu_datadog",
    "jdk.SocketRead, socket_read socket_read_time",
    "profiler.Malloc, nativemem nativemem_unfreed",
    "profiler.Free, nativemem_unfreed",
  })
  void anEventNamesAllProfilesThatItMayGoTo(String event, String profiles) {
    assertThat(String.join(" ", of(event).profiles())).isEqualTo(profiles);
    assertThat(of(event).profileTypes()).hasSameSizeAs(profiles.split(" ", -1));
  }

  @ParameterizedTest
  @CsvSource({
    "profiler.Span, tag, true",
    "jdk.GCPhasePause, name, false",
    "buftrail.Leak, path, false",
    "jdk.MethodTiming, method, false",
    "jdk.MethodTrace, , false",
    "jdk.ThreadPark, , false",
  })
  void framesAreOfAFieldWhereTheEventHasNoStack(String event, String field, boolean marks) {
    assertThat(of(event).frameField()).isEqualTo(field);
    assertThat(of(event).marks()).isEqualTo(marks);
  }

  @ParameterizedTest
  @CsvSource({
    "jdk.MethodTiming, true, false",
    "buftrail.LiveFlows, true, true",
    "buftrail.Leak, false, false",
    "profiler.Malloc, false, false",
  })
  void ofSomeOnlyTheLastCounts(String event, boolean gauge, boolean state) {
    assertThat(of(event).isGauge()).isEqualTo(gauge);
    assertThat(of(event).isState()).isEqualTo(state);
  }

  @Test
  void memoryOfOneFamilyIsAllocatedByOneEventAndFreedByAnother() {
    assertThat(of("profiler.Malloc").memory())
        .isEqualTo(new EventKind.Memory(false, NativeMemory.UNFREED, "", "size"));
    assertThat(of("profiler.Free").memory())
        .isEqualTo(new EventKind.Memory(true, NativeMemory.UNFREED, "", "size"));
    assertThat(of("profiler.Free").live()).isSameAs(NativeMemory.UNFREED);
    assertThat(of("jdk.ThreadPark").memory()).isNull();
    assertThat(of("jdk.ThreadPark").live()).isNull();
  }

  @Test
  void samplesOfWhatIsNotTimeCountIt() {
    ProfileType faults = Kinds.counted("page-faults");
    assertThat(faults.name()).isEqualTo("page-faults");
    assertThat(faults.kind()).isEqualTo(Kind.CPU);
    assertThat(faults.first()).hasToString("samples/count");
    assertThat(faults.second()).isNull();
    assertThat(faults.periodType()).hasToString("page-faults/count");
    assertThat(faults.period()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    ", , my.Event, events/count",
    "size, , my.Event:size, size/units",
    "duration, , my.Event:duration, duration/nanoseconds",
    "duration, ms, my.Event:duration, duration/ms",
    "size, pages, my.Event:size, size/pages",
  })
  void whatAUserNamesIsAProfileOfItsOwn(String field, String unit, String name, String type) {
    EventKind kind = Kinds.custom(null, "my.Event", field, unit);
    assertThat(kind.thread()).isEqualTo("eventThread");
    assertThat(kind.frame()).isEqualTo(new EventKind.Frame(EventKind.Frame.From.NAME, "my.Event"));
    EventKind.Target target = kind.targets().get(0);
    assertThat(kind.targets()).hasSize(1);
    assertThat(target.profile().name()).isEqualTo(name);
    assertThat(target.profile().first()).hasToString(type);
    assertThat(target.first().field()).isEqualTo(field);
    assertThat(target.first().isNamed()).isEqualTo(field != null);
    assertThat(target.first().unit()).isEqualTo(unit);
  }

  @Test
  void whatAUserNamesStandsBesideWhatBecomesOfTheEventAnyway() {
    EventKind park = of("jdk.ThreadPark");
    EventKind kind = Kinds.custom(park, "jdk.ThreadPark", "timeout", null);
    assertThat(kind.targets()).hasSize(2).startsWith(park.targets().get(0));
    assertThat(kind.targets().get(1).profile().name()).isEqualTo("jdk.ThreadPark:timeout");
    assertThat(kind.frame()).isEqualTo(park.frame());
    assertThat(kind.attributes()).isEqualTo(park.attributes());
  }

  /** Columns of their own hold the time, the thread and the stack. */
  @Test
  void aWholeEventHasItsOtherFieldsAsAttributes() {
    ProfileType type = Kinds.whole("my.Event");
    assertThat(type.name()).isEqualTo("my.Event");
    assertThat(type.second()).hasToString("duration/nanoseconds");
    EventKind kind =
        Kinds.whole(
            type, List.of("startTime", "size", "eventThread", "duration", "stackTrace", "name"));
    assertThat(kind.attributes()).isEqualTo(Map.of("size", "size", "name", "name"));
    assertThat(kind.thread()).isEqualTo("eventThread");
    assertThat(kind.targets().get(0).first()).isSameAs(Value.ONE);
    assertThat(kind.targets().get(0).second()).isSameAs(Value.DURATION);
  }

  @Test
  void whatIsWeighedCountsOneWhereNoWeightIsRecorded() {
    EventKind.Target target = of("datadog.ObjectSample").targets().get(0);
    assertThat(target.first().isWeight()).isTrue();
    assertThat(target.first().field()).isEqualTo("weight");
    Value size = Objects.requireNonNull(target.second());
    assertThat(size.field()).isEqualTo("size");
    assertThat(size.factor()).isEqualTo("weight");
    assertThat(size.isWeight()).isFalse();
    assertThat(size.isNamed()).isFalse();
    assertThat(size.unit()).isNull();
  }
}
