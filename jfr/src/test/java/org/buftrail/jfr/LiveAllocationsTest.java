package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.buftrail.jfr.events.AllocationLog;
import org.buftrail.jfr.events.AllocationLogs;
import org.buftrail.jfr.kinds.EventKind;
import org.buftrail.jfr.kinds.Kinds;
import org.buftrail.jfr.kinds.ProfileType;
import org.buftrail.jfr.samples.LiveAllocations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LiveAllocationsTest {
  private static final int CHUNKS = 2;
  private static final int SOURCES = 2;

  /** More than wait in the list. */
  private static final int VERY_MANY = 300_000;

  private final AllocationLogs logs = new AllocationLogs();
  private final ProfileType type = Objects.requireNonNull(kind().live());
  private final AllocationLog log = logs.of(type, "");
  private final LiveAllocations allocations = new LiveAllocations();

  private static EventKind kind() {
    return Objects.requireNonNull(Kinds.of("profiler.Malloc"));
  }

  private record Event(long address, long at, int source, int row, int stack) {
    boolean isFree() {
      return stack == 0;
    }
  }

  /** The last of these has more frees in a chunk than wait in the list. */
  @ParameterizedTest
  @ValueSource(ints = {100, 30_000, 400_000})
  void whatWasAllocatedLastAndNotFreedAfterIsLive(int eventsOfChunk) {
    Random random = new Random(eventsOfChunk);
    Map<Long, Event> latest = new HashMap<>();
    int time = 0;
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      List<Event> events = new ArrayList<>();
      int[][] resolved = new int[SOURCES][4 * eventsOfChunk];
      int[] rows = new int[SOURCES];
      for (int i = 0; i < eventsOfChunk; i++) {
        boolean free = random.nextInt(4) != 0;
        int source = random.nextInt(SOURCES);
        int row = free ? 0 : rows[source]++;
        time++;
        long address = 16L * random.nextInt(eventsOfChunk / 4);
        Event event = new Event(address, time, source, row, free ? 0 : time);
        if (!free) {
          resolved[source][4 * row] = event.stack;
        }
        events.add(event);
        latest.put(address, event);
      }
      Collections.shuffle(events, random);
      events.forEach(this::note);
      endChunk(resolved);
    }

    // Sorted: to look for each of many among many takes long.
    assertThat(live().stream().sorted().toList())
        .isEqualTo(
            latest.values().stream().filter(e -> !e.isFree()).map(Event::stack).sorted().toList());
  }

  @Test
  void ofOneTimeTheFreeIsTheLaterWhicheverIsMetFirst() {
    log.freed(0x10, 5);
    log.allocated(0x10, 5, 64, 0, 0);
    log.allocated(0x20, 5, 64, 0, 0);
    log.freed(0x20, 5);
    endChunk(new int[] {1, 0, 0, 0});

    assertThat(live()).isEmpty();
  }

  @Test
  void theSameHoldsWhenFreesDoNotWait() {
    log.freed(0x10, 5);
    for (int i = 0; i < VERY_MANY; i++) {
      log.freed(0x20, i);
    }
    log.allocated(0x10, 5, 64, 0, 0);
    endChunk(new int[] {1, 0, 0, 0});

    assertThat(live()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, VERY_MANY})
  void aChunkOfFreesAloneFreesWhatIsLive(int frees) {
    log.allocated(0x10, 1, 64, 0, 0);
    log.allocated(0x20, 2, 64, 0, 1);
    endChunk(new int[] {7, 0, 0, 0, 8, 0, 0, 0});
    for (int i = 0; i < frees; i++) {
      log.freed(0x10, 10 + i);
    }
    endChunk();
    endChunk();

    assertThat(live()).containsExactly(8);
  }

  @Test
  void whatIsClearedIsForgotten() {
    log.allocated(0x10, 1, 64, 0, 0);
    for (int i = 0; i < VERY_MANY; i++) {
      log.freed(16L * i, i);
    }
    log.clear();
    endChunk();

    assertThat(live()).isEmpty();
  }

  private void note(Event event) {
    if (event.isFree()) {
      log.freed(event.address, event.at);
    } else {
      log.allocated(event.address, event.at, 1, event.source, event.row);
    }
  }

  private List<Integer> live() {
    List<Integer> live = new ArrayList<>();
    allocations.endProcess(
        (profile, stack, attributes, link, ticks, bytes) -> {
          assertThat(profile).isSameAs(type);
          live.add(stack);
        });
    return live;
  }

  private void endChunk(int[]... resolved) {
    logs.finish();
    allocations.add(logs.families().get(0), resolved);
    logs.clear();
  }
}
