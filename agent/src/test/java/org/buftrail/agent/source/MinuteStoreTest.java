package org.buftrail.agent.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.buftrail.model.CountedPaths;
import org.buftrail.model.MemoryRange;
import org.buftrail.model.Minutes;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;

/** Any range says what a ledger of its own says. */
final class MinuteStoreTest {
  private static final long MINUTE = 60_000;
  private static final long START = 1_700_000_040_000L / MINUTE * MINUTE;

  /** By path: released and live, how many and their bytes. */
  private static final int FIGURES = 4;

  /** The same, leaked, how many are held, and dropped. */
  private static final int ALL_FIGURES = 9;

  private static Path path(int number) {
    Path.Hop hop = new Path.Hop(new Site("test.P" + number, "on", "", 1, ""), "1-2", false, false);
    Path.Flows none = Path.Flows.NONE;
    return new Path(List.of(hop), true, none, none, none, Path.NO_AGE, Path.NO_AGE);
  }

  /** Counts of paths at a moment; those with none are left out, as a tracker does. */
  private static final class Counts extends CountedPaths {
    private final int[] numbers;

    Counts(long[][] ledger) {
      this(ledger, IntStream.range(0, ledger.length).filter(i -> hasFlows(ledger[i])).toArray());
    }

    private Counts(long[][] ledger, int[] numbers) {
      super(numbers.length);
      this.numbers = numbers;
      for (int i = 0; i < numbers.length; i++) {
        long[] row = ledger[numbers[i]];
        values[i * COLUMNS + RELEASED] = row[0];
        values[i * COLUMNS + RELEASED + 1] = row[1];
        values[i * COLUMNS + LIVE] = row[2];
        values[i * COLUMNS + LIVE + 1] = row[3];
        if (row.length == ALL_FIGURES) {
          values[i * COLUMNS + LEAKED] = row[4];
          values[i * COLUMNS + LEAKED + 1] = row[5];
          values[i * COLUMNS + HELD] = row[6];
          values[i * COLUMNS + DROPPED] = row[7];
          values[i * COLUMNS + DROPPED + 1] = row[8];
        }
      }
    }

    private static boolean hasFlows(long[] row) {
      return row[0] + row[2] > 0;
    }

    @Override
    protected int identity(int index) {
      return numbers[index];
    }

    @Override
    protected List<Path.Hop> hops(int index) {
      return path(numbers[index]).hops();
    }

    @Override
    protected boolean isDirect(int index) {
      return true;
    }

    @Override
    protected boolean isOfResource(int index) {
      return false;
    }

    @Override
    protected int depth(int index) {
      return 1;
    }

    @Override
    protected void fill(int index, int[] into) {
      into[0] = numbers[index];
    }

    @Override
    protected int number(Site site) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected Site site(int number) {
      throw new UnsupportedOperationException();
    }
  }

  private static Snapshot at(long millis, long[][] ledger) {
    return new Snapshot(millis, 1, 0, 0, TrackerStatus.FINE, new Counts(ledger), List.of());
  }

  private static long[][] copy(long[][] ledger) {
    return Arrays.stream(ledger).map(long[]::clone).toArray(long[][]::new);
  }

  /** Something is allocated and released on some of the paths. */
  private static void go(long[][] ledger, int paths, Random random) {
    for (int i = 0; i < paths; i++) {
      long[] row = ledger[random.nextInt(ledger.length)];
      long count = random.nextInt(1_000);
      long bytes = count * random.nextInt(100_000);
      row[2] += count;
      row[3] += bytes;
      if (random.nextBoolean()) {
        row[0] += row[2];
        row[1] += row[3];
        row[2] = 0;
        row[3] = 0;
      }
    }
  }

  private static void check(MemoryRange range, long[][] before, long[][] after) {
    long[] grown = new long[FIGURES];
    for (int number = 0; number < before.length; number++) {
      long[] then = before[number];
      long[] now = after[number];
      for (int i = 0; i < FIGURES; i++) {
        grown[i] += now[i] - then[i];
      }
      String name = "test.P" + number;
      MemoryRange.Row row =
          range.rows().stream()
              .filter(each -> each.hops().get(0).site().className().equals(name))
              .findFirst()
              .orElse(null);
      if (row == null) {
        assertThat(now).as(name).isEqualTo(then);
      } else {
        assertThat(row.released()).as(name).isEqualTo(now[0] - then[0]);
        assertThat(row.releasedBytes()).isEqualTo(now[1] - then[1]);
        assertThat(row.before().count()).isEqualTo(then[2]);
        assertThat(row.after().bytes()).isEqualTo(now[3]);
        assertThat(row.grownBytes()).isEqualTo(now[3] - then[3]);
        assertThat(row.allocated()).isEqualTo(now[0] - then[0] + now[2] - then[2]);
      }
    }
    assertThat(range.total().released()).isEqualTo(grown[0]);
    assertThat(range.total().allocatedBytes()).isEqualTo(grown[1] + grown[3]);
    assertThat(range.total().grownBytes()).isEqualTo(grown[3]);
  }

  @Test
  void rangesOfADayAreExactToTheMinute() {
    Random random = new Random(3);
    MinuteStore store = new MinuteStore(START, MinuteStoreTest::path);
    long[][] ledger = new long[40][FIGURES];
    List<long[][]> moments = new ArrayList<>();
    moments.add(copy(ledger));
    // Longer than what is kept.
    int minutes = MinuteStore.INTERVALS + 100;
    for (int minute = 1; minute <= minutes; minute++) {
      go(ledger, 12, random);
      assertThat(store.isDue(START + minute * MINUTE - 1, 0)).isFalse();
      assertThat(store.isDue(START + minute * MINUTE, 0)).isTrue();
      store.end(at(START + minute * MINUTE + 40, ledger));
      moments.add(copy(ledger));
    }
    go(ledger, 12, random);
    Minutes kept = store.upTo(at(START + minutes * MINUTE + 20_000, ledger));

    assertThat(kept.size()).isEqualTo(MinuteStore.INTERVALS + 1);
    assertThat(kept.begin(0)).isEqualTo(START + 100 * MINUTE + 40);
    for (int i = 0; i < 200; i++) {
      int from = 100 + random.nextInt(MinuteStore.INTERVALS);
      int to = from + 1 + random.nextInt(minutes - from);
      MemoryRange range = MemoryRange.of(kept, START + from * MINUTE, START + to * MINUTE);
      assertThat(range.fromMillis()).isEqualTo(START + from * MINUTE + 40);
      assertThat(range.toMillis()).isEqualTo(START + to * MINUTE + 40);
      check(range, moments.get(from), moments.get(to));
    }
    long end = START + minutes * MINUTE;
    check(MemoryRange.of(kept, end, Long.MAX_VALUE), moments.get(minutes), ledger);
  }

  @Test
  void whereMorePathsChangeThanFitTheSumIsExactAndNothingIsLost() {
    Random random = new Random(4);
    MinuteStore store = new MinuteStore(START, MinuteStoreTest::path);
    long[][] ledger = new long[3_000][FIGURES];
    long[][] first = copy(ledger);
    for (int minute = 1; minute <= 30; minute++) {
      go(ledger, 3_000, random);
      store.end(at(START + minute * MINUTE, ledger));
    }
    assertThat(store.bytes()).isBetween(30 * 1_000L, 30 * 3_200L);
    Minutes kept = store.upTo(at(START + 30 * MINUTE + 1, ledger));
    long released = Arrays.stream(ledger).mapToLong(row -> row[0]).sum();
    assertThat(MemoryRange.of(kept, 0, Long.MAX_VALUE).total().released()).isEqualTo(released);
    check(MemoryRange.of(kept, 0, Long.MAX_VALUE), first, ledger);
  }

  @Test
  void whatIsLostIsLeakedHeldOrDropped() {
    MinuteStore store = new MinuteStore(START, MinuteStoreTest::path);
    store.end(at(START + MINUTE, new long[][] {{2, 30, 5, 70, 11, 1_300, 17, 19, 2_300}}));
    Minutes kept =
        store.upTo(at(START + MINUTE + 1, new long[][] {{2, 30, 5, 70, 40, 5_500, 54, 60, 7_100}}));
    MemoryRange.Row lost = MemoryRange.of(kept, START + MINUTE, Long.MAX_VALUE).total();
    assertThat(lost.lost()).isEqualTo(29 + 37 + 41);
    assertThat(lost.lostBytes()).isEqualTo(4_200 + 4_800);
    assertThat(MemoryRange.of(kept, 0, Long.MAX_VALUE).total().lostBytes()).isEqualTo(12_600);
  }

  @Test
  void aClockThatIsSetBackEndsAnIntervalAMinute() {
    MinuteStore store = new MinuteStore(START, MinuteStoreTest::path);
    long[][] ledger = new long[1][FIGURES];
    store.end(at(START + 10 * MINUTE, ledger));
    long now = System.nanoTime();
    assertThat(store.isDue(START, now)).isFalse();
    assertThat(store.isDue(START, now + 60_000_000_000L)).isTrue();
    store.end(at(START, ledger));
    assertThat(store.lastEnd()).isEqualTo(START + 10 * MINUTE + 1);
  }
}
