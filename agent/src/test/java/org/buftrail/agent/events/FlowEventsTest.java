package org.buftrail.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.source.SnapshotBuilder;
import org.buftrail.model.Figure;
import org.buftrail.model.FigureValues;
import org.buftrail.model.Misuse;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FlowEventsTest {
  private Snapshot next =
      SnapshotBuilder.none()
          .direct("directBuffer app.A.read", 10, 2, 3)
          .heap("heapBuffer app.B.read", 5, 0, 7)
          .build();
  private int taken;
  private int settled;
  private long nanos;
  private final FlowEvents events = events(0);

  private FlowEvents events(long startMillis) {
    FlowSource source =
        new FlowSource(
            () -> {
              taken++;
              return next;
            },
            () -> nanos += 2_000_000_000,
            0);
    return new FlowEvents(source, () -> settled++, startMillis);
  }

  @Test
  void aRecordingHoldsLeaksLivePathsAndTotals(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("flows.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      events.isWanted();
      recording.enable("buftrail.Leak");
      recording.enable("buftrail.DoubleRelease");
      recording.enable("buftrail.LiveFlows").with("period", "endChunk");
      recording.enable("buftrail.FlowStatistics").with("period", "endChunk");
      assertThat(events.isWanted()).isTrue();
      events.look(next);
      next =
          SnapshotBuilder.none()
              .direct("directBuffer app.A.read", 10, 6, 3)
              .heap("heapBuffer app.B.read", 5, 0, 7)
              .build();
      events.look(next);
      events.look(misused(3));
      events.look(misused(5));
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> all = RecordingFile.readAllEvents(file);
    List<RecordedEvent> misuses = only(all, "buftrail.DoubleRelease");
    assertThat(misuses).extracting(e -> e.getLong("count")).containsExactly(3L, 2L);
    assertThat(misuses.get(0).getString("kind")).isEqualTo("double release");
    assertThat(misuses.get(0).getString("place")).isEqualTo("app.C.close:9");
    assertThat(misuses.get(0).getString("path"))
        .isEqualTo("io.netty.buffer.PooledByteBufAllocator.directBuffer > app.A.read:7");
    assertThat(misuses.get(0).getString("earlierPath"))
        .isEqualTo("io.netty.buffer.PooledByteBufAllocator.heapBuffer > app.B.read:7");
    RecordedEvent leak = only(all, "buftrail.Leak").get(0);
    assertThat(only(all, "buftrail.Leak")).hasSize(1);
    assertThat(leak.getLong("count")).isEqualTo(4);
    assertThat(leak.getLong("bytes")).isEqualTo(400);
    assertThat(leak.getDuration("age"))
        .isEqualTo(Duration.ofMillis(SnapshotBuilder.LEAKING_MILLIS));
    assertThat(leak.getBoolean("direct")).isTrue();
    assertThat(leak.getString("lastHop")).isEqualTo("app.A.read:7");
    assertThat(leak.getString("path"))
        .isEqualTo("io.netty.buffer.PooledByteBufAllocator.directBuffer > app.A.read:7");
    List<RecordedEvent> live = only(all, "buftrail.LiveFlows");
    assertThat(live).extracting(e -> e.getLong("count")).startsWith(7L, 3L);
    assertThat(live.get(0).getDuration("oldest")).isEqualTo(Duration.ofSeconds(7));
    List<RecordedEvent> statistics = only(all, "buftrail.FlowStatistics");
    RecordedEvent totals = statistics.get(statistics.size() - 1);
    assertThat(totals.getLong("allocated")).isEqualTo(31);
    assertThat(totals.getLong("leaked")).isEqualTo(6);
    assertThat(totals.getLong("liveBytes")).isEqualTo(1_000);
    assertThat(totals.getLong("liveDirectBytes")).isEqualTo(300);
    for (Figure figure : Figure.in(Figure.Place.EVENT)) {
      assertThat(totals.getLong(figure.name(Figure.Place.EVENT)))
          .as(figure.name())
          .isEqualTo(FigureValues.of(next).get(figure));
    }
  }

  /** What events had at 46f960f; docs/compatibility.md promises that it stays. */
  @ParameterizedTest
  @CsvSource({
    "buftrail.Leak, path lastHop count bytes age direct",
    "buftrail.LiveFlows, path lastHop count bytes direct oldest median",
    "buftrail.DoubleRelease, kind place count path earlierPath",
    "buftrail.FlowStatistics, allocated released leaked leakedBytes held dropped droppedBytes live"
        + " liveBytes liveDirectBytes sampling"
  })
  void eventsHaveTheFieldsThatTheyHad(String event, String fields) {
    List<Class<? extends Event>> all =
        List.of(
            LeakEvent.class,
            LiveFlowsEvent.class,
            DoubleReleaseEvent.class,
            FlowStatisticsEvent.class);
    EventType type =
        all.stream()
            .map(EventType::getEventType)
            .filter(each -> each.getName().equals(event))
            .findFirst()
            .orElseThrow();
    assertThat(fields.split(" "))
        .allSatisfy(field -> assertThat(type.getField(field)).as(field).isNotNull());
  }

  @Test
  void theEventOfTotalsHasTheFiguresOfTheTable() {
    List<String> fields = new ArrayList<>();
    for (Field field : FlowStatisticsEvent.class.getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
        fields.add(field.getName());
      }
    }
    List<String> table = new ArrayList<>();
    Figure.in(Figure.Place.EVENT).forEach(each -> table.add(each.name(Figure.Place.EVENT)));
    assertThat(fields).containsExactlyInAnyOrderElementsOf(table);
  }

  private Snapshot misused(long times) {
    Misuse misuse =
        new Misuse(
            Misuse.Kind.DOUBLE_RELEASE,
            new Site("app.C", "close", "", 9, ""),
            times,
            next.paths().get(0).hops(),
            next.paths().get(1).hops());
    return new Snapshot(
        SnapshotBuilder.TAKEN_AT, 1, 31, 0, TrackerStatus.FINE, next.paths(), List.of(misuse));
  }

  private static List<RecordedEvent> only(List<RecordedEvent> events, String type) {
    return events.stream()
        .filter(e -> e.getEventType().getName().equals(type))
        .collect(Collectors.toList());
  }

  @Test
  void aRecordingThatBeganWithTheAgentHasEverything(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("flows.jfr");
    FlowEvents fresh = events(System.currentTimeMillis());
    try (Recording recording = new Recording()) {
      recording.start();
      next = misused(3);
      fresh.follow();
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> all = RecordingFile.readAllEvents(file);
    assertThat(only(all, "buftrail.Leak")).extracting(e -> e.getLong("count")).contains(2L);
    assertThat(only(all, "buftrail.DoubleRelease"))
        .extracting(e -> e.getLong("count"))
        .contains(3L);
  }

  @Test
  void nothingIsTakenWhenNoRecordingWantsThem() {
    try (Recording recording = new Recording()) {
      recording.start();
      events.isWanted();
      recording.disable("buftrail.Leak");
      recording.disable("buftrail.DoubleRelease");
      recording.disable("buftrail.LiveFlows");
      recording.disable("buftrail.FlowStatistics");
      int before = taken;
      assertThat(events.isWanted()).isFalse();
      assertThat(taken).isEqualTo(before);
    }
  }

  @Test
  void aRecordingThatEndsHasWhatWasFoundLast(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("flows.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      events.follow();
      next =
          SnapshotBuilder.none()
              .direct("directBuffer app.A.read", 10, 6, 3)
              .heap("heapBuffer app.B.read", 5, 0, 7)
              .build();
      next = misused(3);
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> all = RecordingFile.readAllEvents(file);
    assertThat(only(all, "buftrail.Leak")).extracting(e -> e.getLong("count")).containsExactly(4L);
    assertThat(only(all, "buftrail.DoubleRelease"))
        .extracting(e -> e.getLong("count"))
        .containsExactly(3L);
    assertThat(settled).isPositive();
  }

  /** By the growth between them the leaks of two recordings are compared. */
  @Test
  void totalsStandAtTheBeginningAndTheEndOfARecording(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("flows.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      recording.enable("buftrail.FlowStatistics").with("period", "1000 s");
      events.follow();
      next = misused(3);
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> totals = only(RecordingFile.readAllEvents(file), "buftrail.FlowStatistics");
    assertThat(totals.get(0).getLong("allocated")).isEqualTo(27);
    assertThat(totals.get(totals.size() - 1).getLong("allocated")).isEqualTo(31);
  }

  @Test
  void aLongPathLosesItsMiddle() {
    String hops = "directBuffer " + String.join(" ", Collections.nCopies(900, "app.Handler.read"));
    String text =
        PathText.of(SnapshotBuilder.none().direct(hops, 0, 1, 0).build().paths().get(0).hops());
    assertThat(text.length()).isBetween(PathText.MAX_CHARS - 100, PathText.MAX_CHARS + 10);
    assertThat(text)
        .startsWith("io.netty.buffer.PooledByteBufAllocator.directBuffer > app.Handler.read:7 > ")
        .contains("app.Handler.read:7 > ... > app.Handler.read:7")
        .endsWith(" > app.Handler.read:7");
  }
}
