package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.live;
import static org.buftrail.flow.Probe.released;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.buftrail.flow.Probe;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.Site;
import org.buftrail.model.TrackedResource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(Probe.class)
final class ResourcesTest {
  private static final AtomicInteger TYPES = new AtomicInteger();
  private static final int A = Probe.site("A");

  private String name = "";
  private int type;
  private int root;

  private String close() {
    return name.substring("test.".length()) + ".close[0]";
  }

  /** A resource, which is opened and closed. */
  private static class Door {}

  private static final class Gate extends Door {}

  @BeforeEach
  void register() {
    register(false);
  }

  private void register(boolean once) {
    register(once, null);
  }

  private void register(boolean once, @Nullable TrackedResource spi) {
    name = "test.Door" + TYPES.incrementAndGet();
    type = Resources.register(name, Door.class.getName(), once, spi);
    root = Sites.intern(new Site(name, "open", "", 0, ""));
  }

  @Test
  void subtypesAreFollowedFromOpenToTheFirstClose() {
    Gate gate = new Gate();
    Resources.opened(gate, type);
    Resources.opened(gate, type);
    Resources.passed(gate, A);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("A", live(1, 0)));
    Resources.closed(gate, type);
    Resources.closed(gate, type);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("A " + close(), released(1, 0)));
  }

  /** Counts its holders, and says no size when it has none. */
  @SuppressWarnings("UnusedMethod") // called by their names
  private static final class Counted extends Door {
    private int holders = 1;

    int holders() {
      return holders;
    }

    long size() {
      if (holders == 0) {
        throw new IllegalStateException("gone");
      }
      return 40;
    }

    private void release(int type) {
      holders--;
      Resources.closed(this, type);
    }
  }

  private void registerCounted(String count, String bytes) {
    name = "test.Door" + TYPES.incrementAndGet();
    type = Resources.register(name, Door.class.getName(), false, count, bytes);
    root = Sites.intern(new Site(name, "open", "", 0, ""));
  }

  @Test
  void whatCountsItsHoldersEndsWithTheLastOfThem() {
    registerCounted("holders", "size");
    Counted door = new Counted();
    Resources.opened(door, type);
    door.holders++;
    Resources.passed(door, A);
    door.release(type);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("A", live(1, 40)));
    door.release(type);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("A " + close(), released(1, 40)));
    assertThat(Resources.isOpened(type)).isTrue();
  }

  @Test
  void otherObjectsAndNullAreNobodys() {
    Resources.opened("a text", type);
    Resources.opened(null, type);
    Resources.passed("a text", A);
    Resources.closed("a text", type);
    assertThat(Probe.paths(root)).isEmpty();
  }

  /** Most resources have no count that would fall before their release is told. */
  @Test
  void aCloseDuringWhichItOutlivesTheNurseryIsTheEndOfIt() {
    Busy spi = new Busy();
    spi.whenAsked = Probe::settle;
    register(false, spi);
    Door door = new Door();
    Resources.opened(door, type);
    Resources.closed(door, type);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of(close(), released(1, 0)));
  }

  /** Does something when it is asked for the size of a door. */
  private static final class Busy implements TrackedResource {
    private Runnable whenAsked = () -> {};

    @Override
    public String type() {
      return Door.class.getName();
    }

    @Override
    public List<String> open() {
      return List.of("new");
    }

    @Override
    public List<String> close() {
      return List.of("close");
    }

    @Override
    public long bytes(Object open) {
      whenAsked.run();
      return 0;
    }
  }

  @Test
  void whatIsClosedWhileItIsOpenedAgainIsAnotherFlowThatCanBeClosed() {
    Door door = new Door();
    Busy spi = new Busy();
    register(false, spi);
    Resources.opened(door, type);
    spi.whenAsked =
        () -> {
          spi.whenAsked = () -> {};
          closeElsewhere(door);
        };
    Resources.opened(door, type);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(Map.of(close(), released(1, 0), "", live(1, 0)));
    Resources.closed(door, type);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of(close(), released(2, 0)));
  }

  private void closeElsewhere(Door door) {
    Thread thread = new Thread(() -> Resources.closed(door, type));
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void anObjectThatIsOpenedAgainIsAnotherFlow() {
    Door door = new Door();
    for (int i = 0; i < 3; i++) {
      Resources.opened(door, type);
      Resources.closed(door, type);
    }
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of(close(), released(3, 0)));
  }

  @Test
  void whatIsClosedByAnotherTypesMethodStaysOpen() {
    Door door = new Door();
    int first = type;
    int firstRoot = root;
    Resources.opened(door, first);
    register(false);
    Resources.closed(door, type);
    assertThat(Probe.paths(firstRoot)).containsExactlyEntriesOf(Map.of("", live(1, 0)));
    Resources.closed(door, first);
  }

  /** As when the agent is taken out of the JVM: nobody will see it close. */
  @Test
  void whatIsForgottenCountsAsNeverOpened() {
    Door door = new Door();
    long before = FlowTracker.INSTANCE.snapshot().allocated();
    Resources.opened(door, type);
    assertThat(FlowTracker.INSTANCE.snapshot().allocated() - before).isEqualTo(1);
    Tracker.INSTANCE.nursery.forgetSideTable();
    assertThat(Probe.paths(root)).isEmpty();
    assertThat(FlowTracker.INSTANCE.snapshot().allocated()).isEqualTo(before);
    Resources.closed(door, type);
    assertThat(Probe.paths(root)).isEmpty();
  }

  /**
   * A connection that is out while the agent is detached and attached, with these options or
   * others.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anObjectThatOutlivesAnAttachmentOpensAndClosesInTheNext(boolean once) {
    Door door = new Door();
    int first = type;
    Resources.opened(door, first);
    FlowTracker.INSTANCE.forgetBufferAccess();
    type = Resources.register(name, Door.class.getName(), once, null);
    assertThat(type == first).as("the same number for the same description").isEqualTo(!once);
    assertThat(Resources.isOpened(type)).isFalse();
    Resources.closed(door, type);
    for (int i = 0; i < 3; i++) {
      Resources.opened(door, type);
      Resources.closed(door, type);
    }
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of(close(), released(3, 0)));
    assertThat(Tracker.INSTANCE.sideTable.get(door) == null).isEqualTo(!once);
  }

  /** If a type has two descriptions, the one that opened an object ends it. */
  @Test
  void whatWasOfAnotherTypeOnceOpensAndCloses() {
    register(true);
    Door door = new Door();
    Resources.opened(door, type);
    Resources.closed(door, type);
    register(false);
    Resources.opened(door, type);
    Resources.closed(door, type);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of(close(), released(1, 0)));
  }

  @Test
  void whatTheApplicationHasRemovedAndAddedAgainIsOneTypeThatBeginsAnew() {
    register(false, new Busy());
    Busy other = new Busy();
    assertThat(Resources.register(name, Door.class.getName(), false, other))
        .as("two at the same time")
        .isNotEqualTo(type);
    Resources.remove(other);
    int again = Resources.register(name, Door.class.getName(), false, other);
    Door door = new Door();
    Resources.opened(door, again);
    Resources.closed(door, again);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of(close(), released(1, 0)));
    assertThat(Resources.register(name, Door.class.getName(), false, other)).isEqualTo(again);
  }

  @Test
  void whileTrackingIsOffNothingOpensAndWhatIsOpenCloses() {
    Door open = new Door();
    Door late = new Door();
    Resources.opened(open, type);
    FlowTracker.INSTANCE.stop();
    Resources.opened(late, type);
    Resources.closed(late, type);
    Resources.closed(open, type);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of(close(), released(1, 0)));
  }

  @Test
  void ofSeveralThreadsThatCloseOneObjectOneCounts() throws Exception {
    for (boolean once : new boolean[] {false, true}) {
      register(once);
      int threads = 4;
      int rounds = 500;
      List<Door> doors = new ArrayList<>();
      for (int i = 0; i < rounds; i++) {
        doors.add(new Door());
        Resources.opened(doors.get(i), type);
      }
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Thread> closers = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Thread closer =
            new Thread(
                () -> {
                  try {
                    for (Door door : doors) {
                      start.await();
                      Resources.closed(door, type);
                    }
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                });
        closer.start();
        closers.add(closer);
      }
      for (Thread closer : closers) {
        closer.join();
      }
      assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of(close(), released(rounds, 0)));
    }
  }

  @Test
  void resourcesAreNotSampledAndAllocatedAddsUp() {
    FlowTracker.INSTANCE.configure(1_000, false);
    long before = FlowTracker.INSTANCE.snapshot().allocated();
    List<Door> doors = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      doors.add(new Door());
      Resources.opened(doors.get(i), type);
    }
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("", live(10, 0)));
    assertThat(FlowTracker.INSTANCE.snapshot().allocated() - before).isEqualTo(10);
    doors.forEach(door -> Resources.closed(door, type));
  }
}
