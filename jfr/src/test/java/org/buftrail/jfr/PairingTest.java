package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PairingTest {
  private static final int CHUNKS = 2;

  private record Event(long address, long at, int stack) {
    boolean isFree() {
      return stack == 0;
    }
  }

  /** The last of these has more frees in a chunk than wait in the list. */
  @ParameterizedTest
  @ValueSource(ints = {100, 30_000, 400_000})
  void whatWasAllocatedLastAndNotFreedAfterIsLive(int eventsOfChunk) {
    Random random = new Random(eventsOfChunk);
    Pairing pairing = new Pairing();
    Map<Long, Event> latest = new HashMap<>();
    long now = 0;
    for (int chunk = 0; chunk < CHUNKS; chunk++) {
      List<Event> events = new ArrayList<>();
      int allocations = 0;
      for (int i = 0; i < eventsOfChunk; i++) {
        boolean free = random.nextInt(4) != 0;
        long address = 16L * random.nextInt(eventsOfChunk / 4);
        int stack = free ? 0 : chunk * eventsOfChunk + ++allocations;
        Event event = new Event(address, ++now, stack);
        events.add(event);
        latest.put(address, event);
      }
      Collections.shuffle(events, random);
      int[] resolved = new int[4 * (allocations + 1)];
      for (Event event : events) {
        int row = event.stack - chunk * eventsOfChunk;
        if (event.isFree()) {
          pairing.freed(event.address, event.at);
        } else {
          resolved[4 * row] = event.stack;
          pairing.allocated(event.address, event.at, 1, row);
        }
      }
      pairing.endEvents();
      pairing.endChunk(resolved);
    }

    List<Integer> live = new ArrayList<>();
    pairing.endProcess((stack, attributes, link, ticks, bytes) -> live.add(stack));
    assertThat(live)
        .containsExactlyInAnyOrderElementsOf(
            latest.values().stream().filter(e -> !e.isFree()).map(Event::stack).toList());
  }
}
