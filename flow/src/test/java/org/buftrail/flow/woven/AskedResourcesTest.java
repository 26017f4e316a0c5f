package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.flow.Probe.live;
import static org.buftrail.flow.Probe.released;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.buftrail.flow.Invariants;
import org.buftrail.flow.Probe;
import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.base.TrackerLog;
import org.buftrail.flow.nursery.ThreadRing;
import org.buftrail.flow.state.Resource;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.Site;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Resources that are asked for their holders and their size, by methods of the application. */
@ExtendWith(Probe.class)
final class AskedResourcesTest {
  private static final AtomicInteger TYPES = new AtomicInteger();
  private static final int A = Probe.site("A");

  private final List<String> log = new ArrayList<>();
  private final List<Door> doors = new ArrayList<>();
  private String name = "";
  private int type;
  private int root;

  /** Says what a test wants it to. */
  @SuppressWarnings("UnusedMethod") // called by their names
  private static final class Door {
    private int asked;
    private IntSupplier holders = () -> 1;
    private IntSupplier size = () -> 40;

    int holders() {
      asked++;
      return holders.getAsInt();
    }

    long size() {
      asked++;
      return size.getAsInt();
    }
  }

  @BeforeEach
  void register() {
    register("holders");
  }

  private void register(String count) {
    TrackerLog.setOut(log::add);
    name = "test.Asked" + TYPES.incrementAndGet();
    type = Resources.register(name, Door.class.getName(), false, count, "size");
    root = Sites.intern(new Site(name, "open", "", 0, ""));
  }

  @AfterEach
  void closeAll() {
    for (Door door : doors) {
      door.holders = () -> 0;
      Resources.closed(door, type);
    }
    TrackerLog.setOut(line -> {});
    // Each line is of one.
    Invariants.meant(log.size());
  }

  private String close() {
    return name.substring("test.".length()) + ".close[0]";
  }

  private Door opened() {
    Door door = new Door();
    doors.add(door);
    Resources.opened(door, type);
    return door;
  }

  private static int fail() {
    throw new NullPointerException("half\nbuilt");
  }

  /** They may take the application's locks. */
  @Test
  void noLockOfTheTrackerIsHeldWhileTheyAnswer() {
    List<String> held = new ArrayList<>();
    Door door = new Door();
    IntSupplier size =
        () -> {
          Object side = Tracker.INSTANCE.sideTable.get(door);
          for (Object lock :
              new Object[] {Tracker.INSTANCE.nursery, Tracker.INSTANCE.nursery.retired, side}) {
            if (lock != null && Thread.holdsLock(lock)) {
              held.add(lock.getClass().getName());
            }
          }
          for (ThreadRing ring : Tracker.INSTANCE.nursery.rings.all()) {
            if (Thread.holdsLock(ring)) {
              held.add(ring.getClass().getName());
            }
          }
          return 40;
        };
    door.size = size;
    Resources.opened(door, type);
    Resources.passed(door, A);
    Probe.settle();
    Resources.passed(door, A);
    door.holders = () -> 0;
    door.size = () -> Math.max(0, size.getAsInt());
    Resources.closed(door, type);
    assertThat(Probe.paths(root).keySet()).allMatch(path -> path.endsWith(close()));
    assertThat(held).isEmpty();
  }

  @Test
  void whoLooksAtThemAsksTheApplicationNothing() {
    Door door = opened();
    Resources.passed(door, A);
    int asked = door.asked;
    assertThat(asked).isPositive();
    Tracker.INSTANCE.nursery.sweep(false);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("A", live(1, 40)));
    Probe.settle();
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("A", live(1, 40)));
    assertThat(door.asked).isEqualTo(asked);
  }

  /** As at the exit of a constructor that another calls. */
  @Test
  void whatIsHalfBuiltIsAskedAgain() {
    for (int i = 0; i < 2 * Resource.MAX_FAILURES; i++) {
      Door door = new Door();
      door.size = AskedResourcesTest::fail;
      door.holders = AskedResourcesTest::fail;
      Resources.opened(door, type);
      door.size = () -> 40;
      door.holders = () -> 1;
      Resources.passed(door, A);
      door.holders = () -> 0;
      Resources.closed(door, type);
    }
    assertThat(Probe.paths(root))
        .containsExactlyEntriesOf(
            Map.of("A " + close(), released(2 * Resource.MAX_FAILURES, 40 * 2L * 100)));
    assertThat(log).isEmpty();
  }

  /** As of a base class whose subclass has the count. */
  @Test
  void whatIsOpenedIsHeldThoughItsCountIsStillZero() {
    Door door = new Door();
    doors.add(door);
    door.holders = () -> 0;
    Resources.opened(door, type);
    Probe.settle();
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("", live(1, 40)));
  }

  @Test
  void whatFailsNowAndThenKeepsWhatItSaidLast() {
    Door door = opened();
    door.size = AskedResourcesTest::fail;
    for (int i = 1; i < Resource.MAX_FAILURES; i++) {
      Resources.passed(door, A);
    }
    door.size = () -> 60;
    Door other = opened();
    Resources.passed(other, A);
    other.holders = AskedResourcesTest::fail;
    Resources.closed(other, type);
    assertThat(Probe.paths(root))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("A", live(1, 40), "A " + close(), released(1, 40)));
    assertThat(log)
        .containsExactly(
            "resources of type "
                + name
                + ": size() fails, so it may be wrong: java.lang.NullPointerException: half built");
  }

  @Test
  void whatAlwaysFailsIsFollowedNoMore() {
    Door door = opened();
    door.size = AskedResourcesTest::fail;
    for (int i = 0; i < 2 * Resource.MAX_FAILURES; i++) {
      Resources.passed(door, A);
    }
    opened();
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("A", live(1, 40)));
    assertThat(log)
        .hasSize(2)
        .last()
        .isEqualTo(
            "resources of type "
                + name
                + " are followed no more: java.lang.NullPointerException: half built");
    Resources.closed(door, type);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("A " + close(), released(1, 40)));
  }

  @Test
  void aMethodThatIsNotThereEndsItAtOnce() {
    register("holdesr");
    opened();
    opened();
    assertThat(log)
        .singleElement()
        .asString()
        .startsWith("resources of type " + name + " are followed no more: ")
        .contains("has no method holdesr() that gives a number");
  }

  /** A method of an included class that the answering method calls with the object. */
  @Test
  void whatIsPassedOnToAnswerIsNoHop() {
    Door door = new Door();
    doors.add(door);
    int inside = Probe.site("Inside");
    door.holders =
        () -> {
          Resources.passed(door, inside);
          Resources.requested(door, inside);
          Resources.closed(door, type);
          return 1;
        };
    long errors = Suppressed.count();
    Resources.opened(door, type);
    Resources.passed(door, A);
    assertThat(Probe.paths(root)).containsExactlyEntriesOf(Map.of("A", live(1, 40)));
    assertThat(Suppressed.count()).isEqualTo(errors);
  }

  /** Its last holder has let go where nothing is woven, and it is collected. */
  @Test
  void whatWasLastSeenWithoutAHolderIsNoLeak() {
    openAndLose();
    Probe.awaitLeaks(root, 1);
    assertThat(Probe.paths(root).values().stream().mapToLong(counts -> counts.released).sum())
        .isEqualTo(1);
  }

  private void openAndLose() {
    Door door = new Door();
    Resources.opened(door, type);
    Resources.opened(new Door(), type);
    door.holders = () -> 0;
    Resources.passed(door, A);
  }
}
