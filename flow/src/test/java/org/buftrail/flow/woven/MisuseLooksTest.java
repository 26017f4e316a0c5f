package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.calls.Stacks.Library;
import com.example.calls.Stacks.Own;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.state.FlowState;
import org.buftrail.flow.state.TenuredFlow;
import org.buftrail.flow.tree.Node;
import org.buftrail.model.Evidence;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.junit.jupiter.api.Test;

/** The code that released a buffer before it was misused, where no hop names it. */
final class MisuseLooksTest {
  private static final int CULPRIT = Probe.site("Culprit");
  private static final int VICTIM = Probe.site("Victim");

  private final int root = Probe.root();
  private final Tracker tracker = new Tracker();
  private final FlowTracker control = new FlowTracker(tracker);

  MisuseLooksTest() {
    control.setOwnClasses(name -> name.startsWith(Own.class.getName()));
    tracker.mode.setStarting(true);
  }

  private FakeBuffer begin(FakeBuffer buffer, int site) {
    tracker.births.born(buffer.reset(16), root);
    tracker.moves.moveIn(buffer, site);
    return buffer;
  }

  private void release(FakeBuffer buffer) {
    buffer.drop();
    tracker.releases.end(buffer);
  }

  private void releaseInHandle(FakeBuffer buffer) {
    Own.handle(() -> Library.decode(() -> release(buffer)));
  }

  private Misuse misuse(FakeBuffer... buffers) {
    for (FakeBuffer buffer : buffers) {
      tracker.misuses.add(new IllegalStateException(), buffer, Misuse.Kind.DOUBLE_RELEASE);
    }
    List<Misuse> misuses = tracker.misuses.list();
    assertThat(misuses).hasSize(1);
    return misuses.get(0);
  }

  /** The methods of the application that released what was misused, with the number of looks. */
  private static List<String> released(Misuse misuse) {
    return Objects.requireNonNull(misuse.evidence()).places(Evidence.Kind.RELEASED).stream()
        .map(place -> Objects.requireNonNull(place.own()).method() + ": " + place.looks())
        .collect(Collectors.toList());
  }

  private static List<String> hops(List<Path.Hop> path) {
    return path.stream().skip(1).map(hop -> hop.site().className()).collect(Collectors.toList());
  }

  @Test
  void aMisuseNamesTheReleaseBefore() {
    FakeBuffer one = begin(FakeBuffer.direct(16), VICTIM);
    FakeBuffer other = begin(FakeBuffer.direct(16), VICTIM);
    Node at = Objects.requireNonNull(Nursery.position(one));
    Own.handle(
        () ->
            Library.decode(
                () -> {
                  release(one);
                  release(other);
                }));
    Misuse misuse = misuse(one, other);
    assertThat(misuse.count()).isEqualTo(2);
    assertThat(released(misuse)).containsExactly("handle: 2");
    assertThat(at.existingEnd()).as("so that the next flow is looked at too").isNull();
    assertThat(control.snapshot().released().count()).isEqualTo(2);
  }

  /** A pooled object whose life before ended elsewhere. */
  private FakeBuffer recycled() {
    FakeBuffer buffer = begin(FakeBuffer.direct(16).ofAPool(), CULPRIT);
    release(buffer);
    return begin(buffer, VICTIM);
  }

  /** Of two such objects, both the release and the life before are named. */
  private void assertThatBothAreNamed(FakeBuffer one, FakeBuffer other) {
    Misuse misuse = misuse(one, other);
    assertThat(misuse.count()).isEqualTo(2);
    assertThat(released(misuse)).containsExactly("handle: 2");
    assertThat(hops(misuse.hops())).startsWith("test.Victim");
    assertThat(hops(misuse.earlier())).startsWith("test.Culprit");
    assertThat(control.snapshot().released().count()).isEqualTo(4);
  }

  @Test
  void ofAnObjectWhoseLifeBeforeEndedElsewhere() {
    FakeBuffer one = recycled();
    FakeBuffer other = recycled();
    releaseInHandle(one);
    releaseInHandle(other);
    assertThatBothAreNamed(one, other);
  }

  @Test
  void ofSuchAnObjectThatAnotherThreadReleased() throws InterruptedException {
    FakeBuffer one = recycled();
    FakeBuffer other = recycled();
    Thread thread =
        new Thread(
            () -> {
              releaseInHandle(one);
              releaseInHandle(other);
            });
    thread.start();
    thread.join();
    assertThatBothAreNamed(one, other);
  }

  @Test
  void ofSuchAnObjectThatOutlivedTheNursery() {
    FakeBuffer one = recycled();
    FakeBuffer other = recycled();
    tracker.nursery.finish();
    assertThat(FlowState.state(one)).isInstanceOf(TenuredFlow.class);
    releaseInHandle(one);
    releaseInHandle(other);
    assertThatBothAreNamed(one, other);
  }

  @Test
  void thePairsOfWhatWasLookedAtTakeNoRoomOfOthers() {
    FakeBuffer one = recycled();
    releaseInHandle(one);
    assertThat(misuse(one).earlier()).isNotEmpty();
    Node end = tracker.tree.root(root, 0).end();
    control.setBounds(4, 100, 1_000);
    assertThat(end.after(1).isAfter()).as("the first pair of all flows").isTrue();
    assertThat(end.after(2).isAfter()).as("the second").isFalse();
  }
}
