package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.buftrail.console.engine.Dataset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CompactorTest {
  private static final String SUMS =
      "select recording, service, kind, count(*), sum(value)::bigint, sum(second_value)::bigint,"
          + " min(time), count(tags), count(distinct stack_id) from samples group by all order by"
          + " all";
  private static final String EVENTS =
      "select recording, event, count(*), sum(duration)::bigint, max(fields['name']) from events"
          + " group by all order by all";
  private static final String HOT = "select method, self, total from hot_methods";
  private static final List<String> RECORDINGS = List.of("jdk21", "jdk25", "jdk11");

  @TempDir private Path directory;
  private Path dataset;
  private List<String> answers;

  /** Ends a compaction as a kill does: nothing of it runs after that. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  @BeforeEach
  void write() throws Exception {
    dataset = directory.resolve("dataset");
    add(2);
    answers = answers();
    assertThat(answers.get(0)).contains("cpu");
  }

  /** Adds the first recordings; answers how many were not there. */
  private int add(int count) throws Exception {
    int added = 0;
    try (Dataset open = new DuckDbEngine().dataset(dataset, false)) {
      for (String name : RECORDINGS.subList(0, count)) {
        added += open.add(Answer.recording(name)).added() ? 1 : 0;
      }
    }
    return added;
  }

  private List<String> answers() throws Exception {
    List<String> all = new ArrayList<>();
    for (String query : List.of(SUMS, EVENTS, HOT)) {
      Answer answer = Answer.to(query, dataset);
      assertThat(answer.err()).isEmpty();
      all.add(answer.out());
    }
    return all;
  }

  private List<String> files(String below) throws IOException {
    try (Stream<Path> all = Files.walk(dataset.resolve(below))) {
      return all.filter(Files::isRegularFile)
          .map(file -> Objects.requireNonNull(file.getFileName()).toString())
          .filter(name -> !name.startsWith("."))
          .sorted()
          .toList();
    }
  }

  private Compactor.Done compact() throws IOException {
    return new Compactor(dataset, () -> {}).run(LocalDate.MIN, 0);
  }

  @Test
  void oneFileTakesThePlaceOfSeveral() throws Exception {
    assertThat(files("rows")).hasSize(2);
    assertThat(compact()).isEqualTo(new Compactor.Done(1, 2, 0, 0, List.of(), List.of()));
    assertThat(files("rows")).singleElement().asString().startsWith("compacted-");
    assertThat(files("recordings")).singleElement().asString().endsWith(".ids");
    assertThat(files("compactions")).isEmpty();
    assertThat(answers()).isEqualTo(answers);
    assertThat(add(2)).isZero();
    assertThat(compact()).isEqualTo(new Compactor.Done(0, 0, 0, 0, List.of(), List.of()));

    // What comes later joins it.
    Path other = directory.resolve("other");
    assertThat(add(3)).isEqualTo(1);
    try (Dataset all = new DuckDbEngine().dataset(other, false)) {
      for (String name : RECORDINGS) {
        all.add(Answer.recording(name));
      }
    }
    compact();
    assertThat(answers().get(0)).isEqualTo(Answer.to(SUMS, other).out());
    assertThat(add(3)).isZero();
  }

  /** What is added is packed in haste. */
  @Test
  void oneThatIsAloneIsPackedForGoodOnce() throws Exception {
    dataset = directory.resolve("single");
    add(1);
    answers = answers();
    long size = size("rows");
    assertThat(compact()).isEqualTo(new Compactor.Done(1, 1, 0, 0, List.of(), List.of()));
    assertThat(files("rows")).singleElement().asString().startsWith("compacted-");
    assertThat(size("rows")).isLessThan(size);
    assertThat(answers()).isEqualTo(answers);
    assertThat(compact()).isEqualTo(new Compactor.Done(0, 0, 0, 0, List.of(), List.of()));
    assertThat(add(2)).isEqualTo(1);
    assertThat(compact()).isEqualTo(new Compactor.Done(1, 2, 0, 0, List.of(), List.of()));
  }

  /** Whoever keeps it open looks for new lists of recordings once there may be some. */
  @Test
  void oneThatStaysOpenKnowsWhatIsCompactedMeanwhile() throws Exception {
    Path compactions = dataset.resolve("compactions");
    try (Dataset open = new DuckDbEngine().dataset(dataset, false)) {
      for (int i = 0; i < 2; i++) {
        for (String name : RECORDINGS) {
          assertThat(open.add(Answer.recording(name)).added())
              .isEqualTo(i == 0 && name.equals("jdk11"));
        }
        compact();
        for (String name : RECORDINGS) {
          assertThat(open.add(Answer.recording(name)).added()).isFalse();
        }
        Files.setLastModifiedTime(compactions, FileTime.from(Instant.now().minusSeconds(60 - i)));
      }
      assertThat(open.add(Answer.recording("dd-50-10-100")).added()).isTrue();
    }
    compact();
    try (Dataset open = new DuckDbEngine().dataset(dataset, false)) {
      assertThat(open.add(Answer.recording("dd-50-10-100")).added()).isFalse();
    }
  }

  private long size(String below) throws IOException {
    try (Stream<Path> all = Files.walk(dataset.resolve(below))) {
      return all.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void whatWasCompactedComesFirst() {
    List<Path> files =
        new ArrayList<>(List.of(Path.of("0a.parquet"), Path.of("compacted-1.parquet")));
    files.sort(Compactor.ORDER);
    assertThat(files.get(0)).hasFileName("compacted-1.parquet");
  }

  @Test
  void aKillAtAnyStepLosesAndDoublesNothing() throws Exception {
    boolean isDone = false;
    int kills = 0;
    for (int last = 0; !isDone; last++) {
      Path copy = directory.resolve("copy" + last);
      copy(dataset, copy);
      Path whole = dataset;
      dataset = copy;
      AtomicInteger left = new AtomicInteger(last);
      Compactor killed =
          new Compactor(
              dataset,
              () -> {
                if (left.getAndDecrement() == 0) {
                  throw new Killed();
                }
              });
      try {
        killed.run(LocalDate.MIN, 0);
        isDone = true;
      } catch (Killed e) {
        kills++;
      }
      assertThat(answers()).as("killed at step %s", last).isEqualTo(answers);
      assertThat(add(2)).as("killed at step %s", last).isZero();
      compact();
      assertThat(files("rows")).as("killed at step %s", last).hasSize(1);
      assertThat(files("compactions")).isEmpty();
      assertThat(answers()).isEqualTo(answers);
      assertThat(add(2)).isZero();
      dataset = whole;
    }
    assertThat(kills).isEqualTo(11);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> all = Files.walk(from)) {
      for (Path file : all.toList()) {
        Files.copy(file, to.resolve(from.relativize(file)));
      }
    }
  }

  @Test
  void queriesUnderWayKeepTheFilesThatTheyRead() throws Exception {
    DatasetLock query = Objects.requireNonNull(Compactor.share(dataset));
    try (query) {
      assertThat(compact()).isEqualTo(new Compactor.Done(0, 0, 0, 1, List.of(), List.of()));
      assertThat(files("rows")).hasSize(2).noneMatch(name -> name.startsWith("compacted"));
      assertThat(answers()).isEqualTo(answers);
    }
    assertThat(compact().made()).isEqualTo(1);
  }

  @Test
  void whatIsBeingAddedIsLeftAlone() throws Exception {
    // As after a kill before the mark.
    String id = files("rows").get(0).replace(".parquet", "");
    Files.delete(dataset.resolve("recordings").resolve(id + ".json"));
    assertThat(compact()).isEqualTo(new Compactor.Done(1, 1, 0, 0, List.of(), List.of()));
    assertThat(files("rows")).hasSize(2).contains(id + ".parquet");
    assertThat(add(2)).isEqualTo(1);
    assertThat(answers()).isEqualTo(answers);
  }

  @Test
  void daysThatAreTooOldGo() throws Exception {
    LocalDate day =
        LocalDate.parse(Answer.to("select max(day) from samples", dataset).rows().get(0).get(0));
    Compactor compactor = new Compactor(dataset, () -> {});
    assertThat(compactor.run(day, 0).days()).isZero();
    assertThat(answers()).isEqualTo(answers);
    assertThat(compactor.run(day.plusDays(1), 0).days()).isEqualTo(1);
    assertThat(files("rows")).isEmpty();
    assertThat(Answer.to("select count(*) from samples", dataset).rows())
        .isEqualTo(List.of(List.of("0")));
    // They do not come again.
    assertThat(add(2)).isZero();
  }

  /** A year of days and services would leave hundreds of thousands, which each addition opens. */
  @Test
  void manyListsOfRecordingsBecomeOne() throws Exception {
    compact();
    List<String> ids = new ArrayList<>();
    for (int list = 0; list < 20; list++) {
      String id = String.format("%032x", 7919 * list);
      ids.add(id);
      Path file = dataset.resolve("recordings").resolve(list + KnownRecordings.LIST);
      KnownRecordings.write(file, List.of(id));
    }
    AtomicInteger left = new AtomicInteger(5);
    Compactor killed =
        new Compactor(
            dataset,
            () -> {
              if (left.getAndDecrement() == 0) {
                throw new Killed();
              }
            });
    assertThatThrownBy(() -> killed.run(LocalDate.MIN, 0)).isInstanceOf(Killed.class);
    assertThat(files("recordings")).hasSizeBetween(9, 21);
    assertKnown(ids);
    compact();
    assertThat(files("recordings")).hasSize(1);
    assertThat(files("compactions")).isEmpty();
    assertKnown(ids);
    assertThat(add(2)).isZero();
    assertThat(add(3)).isEqualTo(1);
  }

  private void assertKnown(List<String> ids) throws IOException {
    KnownRecordings known = new KnownRecordings(dataset);
    for (String id : ids) {
      assertThat(known.contains(id)).as(id).isTrue();
    }
  }

  /** Else its rows would be joined again, and moved to their place by both. */
  @Test
  void oneThatWasKilledIsEndedBeforeTheNextBegins() throws Exception {
    AtomicInteger left = new AtomicInteger(4);
    Compactor killed =
        new Compactor(
            dataset,
            () -> {
              if (left.getAndDecrement() == 0) {
                throw new Killed();
              }
            });
    assertThatThrownBy(() -> killed.run(LocalDate.MIN, 0)).isInstanceOf(Killed.class);
    assertThat(files("compactions")).anyMatch(name -> name.endsWith(".swap"));
    DatasetLock query = Objects.requireNonNull(DatasetLock.share(dataset));
    try (query) {
      assertThatThrownBy(this::compact).hasMessageContaining("others use it all the time");
    }
    assertThat(compact()).isEqualTo(new Compactor.Done(0, 0, 0, 0, List.of(), List.of()));
    assertThat(files("rows")).hasSize(1);
    assertThat(answers()).isEqualTo(answers);
  }

  @Test
  void oneCompactionRunsAtATime() {
    Compactor inner = new Compactor(dataset, () -> {});
    assertThatThrownBy(
            () -> new Compactor(dataset, () -> inner.run(LocalDate.MIN, 0)).run(LocalDate.MIN, 0))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("is being compacted already");
  }
}
