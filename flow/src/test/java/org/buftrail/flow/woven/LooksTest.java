package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.calls.Stacks.Library;
import com.example.calls.Stacks.Own;
import com.example.netty.channel.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.PlainBuffers;
import org.buftrail.flow.Probe;
import org.buftrail.flow.census.ScopeLeftovers;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.nursery.Nursery;
import org.buftrail.flow.scope.Scope;
import org.buftrail.flow.scope.Stay;
import org.buftrail.flow.state.HolderRoot;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.Sighting;
import org.buftrail.flow.tree.Sightings;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.Evidence;
import org.buftrail.model.Evidence.Kind;
import org.buftrail.model.Leftover;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The code that asked for a leaked buffer, where no hop names it. */
final class LooksTest {
  private static final int A = Probe.site("A");

  private final int root = Probe.root();
  private final Tracker tracker = new Tracker();
  private final FlowTracker control = new FlowTracker(tracker);
  private final List<FakeBuffer> kept = new ArrayList<>();

  LooksTest() {
    control.setOwnClasses(name -> name.startsWith(Own.class.getName()));
    tracker.mode.setStarting(true);
  }

  private FakeBuffer allocate(int... sites) {
    FakeBuffer buffer = FakeBuffer.direct(16);
    tracker.births.born(buffer, root);
    for (int site : sites) {
      tracker.moves.moveIn(buffer, site);
    }
    return buffer;
  }

  private void release(FakeBuffer buffer) {
    buffer.drop();
    tracker.releases.end(buffer);
  }

  /** Collects until so many have leaked. */
  private List<Path> leaks(long count) {
    while (true) {
      tracker.nursery.finish();
      System.gc();
      List<Path> leaks =
          control.snapshot().paths().stream()
              .filter(path -> path.leaked().count() > 0)
              .collect(Collectors.toList());
      if (leaks.stream().mapToLong(path -> path.leaked().count()).sum() >= count) {
        return leaks;
      }
      Thread.onSpinWait();
    }
  }

  private static Evidence evidence(Path path) {
    return Objects.requireNonNull(path.evidence());
  }

  /** {@code handle by decode: 3}. */
  private static List<String> texts(List<Evidence.Place> places) {
    return places.stream().map(LooksTest::text).collect(Collectors.toList());
  }

  private static String text(Evidence.Place place) {
    String own = place.own() == null ? "nobody" : Objects.requireNonNull(place.own()).method();
    return own
        + place.library().stream()
            .filter(site -> site.className().equals(Library.class.getName()))
            .map(site -> " by " + site.method())
            .collect(Collectors.joining())
        + ": "
        + place.looks();
  }

  @Test
  void aLeakNamesTheNearestFrameOfTheApplication() {
    for (int i = 0; i < 3; i++) {
      Own.handle(() -> Library.decode(() -> allocate(A)));
    }
    Own.other(() -> Library.decode(() -> allocate(A)));
    Own.other(() -> Library.decode(() -> release(allocate(A))));
    Path leak = leaks(4).get(0);
    assertThat(leak.leaked().count()).isEqualTo(4);
    assertThat(evidence(leak).looks()).isEqualTo(4);
    assertThat(texts(evidence(leak).places(Kind.ASKED_FOR)))
        .containsExactly("handle by decode: 3", "other by decode: 1");
    assertThat(evidence(leak).places(Kind.RETAINED)).isEmpty();
  }

  @Test
  void theTestOfAnAllocatorIsNamedAndTheAllocatorIsNot() {
    Own.handle(() -> Own.CountingAllocatorTest.counts(() -> allocate(A)));
    assertThat(texts(evidence(leaks(1).get(0)).places(Kind.ASKED_FOR)))
        .containsExactly("counts: 1");
  }

  @Test
  void whereNoFrameIsTheApplicationsItNamesTheLibrarys() {
    Library.decode(this::allocate);
    assertThat(texts(evidence(leaks(1).get(0)).places(Kind.ASKED_FOR)))
        .containsExactly("nobody by decode: 1");
  }

  @Test
  void theLastRetainIsNamedToo() {
    FakeBuffer buffer = allocate(A);
    Own.handle(() -> Library.decode(() -> tracker.moves.moveIn(buffer, Sites.RETAIN)));
    Own.other(() -> Library.decode(() -> tracker.moves.moveIn(buffer, Sites.RETAIN)));
    kept.add(buffer);
    tracker.nursery.finish();
    // A tenured flow by now.
    Own.handle(() -> tracker.moves.moveIn(buffer, Sites.RETAIN));
    Evidence evidence = evidence(kept(buffer));
    assertThat(texts(evidence.places(Kind.RETAINED))).containsExactly("handle: 1");
    assertThat(evidence.looks()).isOne();
  }

  /** Where a buffer is, told as if it had been collected. */
  private Path kept(FakeBuffer buffer) {
    Node node = Objects.requireNonNull(Nursery.position(buffer));
    tracker.nursery.table.leaks.add(node, 16);
    return control.snapshot().paths().stream()
        .filter(path -> path.leaked().count() > 0)
        .findAny()
        .orElseThrow();
  }

  @Test
  void aChannelThatRetainsWhatItWritesHidesNobody() {
    FakeBuffer buffer = allocate(A);
    Library.decode(() -> tracker.moves.moveIn(buffer, Sites.RETAIN));
    Channels.flush(() -> tracker.moves.moveIn(buffer, Sites.RETAIN));
    assertThat(texts(evidence(kept(buffer)).places(Kind.RETAINED)))
        .containsExactly("nobody by decode: 1");
  }

  @Test
  void afterTheLastLookOfAFlowNobodyIsSaidToHaveRetainedItLast() {
    FakeBuffer buffer = allocate(A);
    for (int i = 0; i < 3; i++) {
      Own.handle(() -> tracker.moves.moveIn(buffer, Sites.RETAIN));
    }
    assertThat(texts(evidence(kept(buffer)).places(Kind.RETAINED))).containsExactly("handle: 1");
    FakeBuffer other = allocate(A, A);
    for (int i = 0; i < 4; i++) {
      Own.handle(() -> tracker.moves.moveIn(other, Sites.RETAIN));
    }
    Sighting seen = Objects.requireNonNull(position(other).sighting());
    Sightings sightings = new Sightings();
    sightings.add(seen, 1);
    Evidence evidence = Objects.requireNonNull(sightings.evidence());
    assertThat(evidence.places(Kind.RETAINED)).isEmpty();
    assertThat(evidence.places(Kind.ASKED_FOR)).isNotEmpty();
  }

  private static Node position(FakeBuffer buffer) {
    return Objects.requireNonNull(Nursery.position(buffer));
  }

  @Test
  void whatHasItLastIsNamedWithoutALook() {
    FakeBuffer buffer = allocate(A);
    Node before = position(buffer);
    tracker.moves.handed(buffer, kept, /* isWritten= */ false);
    tracker.moves.handed(buffer, this, /* isWritten= */ true);
    Node written = position(buffer);
    assertThat(written.id).isEqualTo(before.id);
    assertThat(written.counted()).isSameAs(before.counted());
    tracker.moves.given(buffer, Probe.site("Caller"), Probe.site("Callee"));
    tracker.moves.moveIn(buffer, A);
    FakeBuffer second = allocate(A);
    tracker.moves.handed(second, kept, /* isWritten= */ false);
    tracker.moves.handed(second, this, /* isWritten= */ true);
    assertThat(position(second)).as("found without a lock").isSameAs(written);
    Evidence evidence = evidence(kept(buffer));
    assertThat(evidence.looks()).isOne();
    assertThat(evidence.places(Kind.HANDED))
        .singleElement()
        .satisfies(
            place -> {
              assertThat(place.nearest()).isEqualTo(Sites.get(Probe.site("Callee")));
              assertThat(place.callers()).containsExactly(Sites.get(Probe.site("Caller")));
            });
  }

  @Test
  void theHandlerBeforeTheLastIsNamedToo() {
    FakeBuffer buffer = allocate(A);
    tracker.moves.handed(buffer, kept, /* isWritten= */ false);
    tracker.moves.handed(buffer, this, /* isWritten= */ false);
    Node here = position(buffer);
    tracker.moves.handed(buffer, this, /* isWritten= */ false);
    assertThat(position(buffer)).as("handed to the same one").isSameAs(here);
    assertThat(evidence(kept(buffer)).places(Kind.HANDED))
        .singleElement()
        .satisfies(
            place -> {
              assertThat(place.nearest().className()).isEqualTo(LooksTest.class.getName());
              assertThat(place.callers())
                  .extracting(Site::className)
                  .containsExactly(kept.getClass().getName());
            });
  }

  private interface Letter {}

  private static class DefaultLetter extends HolderRoot implements Letter {
    private final FakeBuffer content;

    DefaultLetter(FakeBuffer content) {
      this.content = content;
    }

    @Override
    public Object buftrail$content() {
      return content;
    }
  }

  private static final class Card extends DefaultLetter {
    Card(FakeBuffer content) {
      super(content);
    }
  }

  private static List<String> types(Path path) {
    return evidence(path).places(Kind.MESSAGE).stream()
        .map(LooksTest::type)
        .collect(Collectors.toList());
  }

  @Test
  void theMessageIsNamedThatHasItLast() {
    FakeBuffer handed = allocate(A);
    tracker.moves.handed(new Card(handed), kept, /* isWritten= */ false);
    assertThat(types(kept(handed))).containsExactly(Card.class.getName() + ": 1");
    FakeBuffer moved = allocate(A, A);
    tracker.moves.given(new Card(moved), A, A);
    tracker.moves.moveIn(new DefaultLetter(moved), A);
    Node inLetter = position(moved);
    tracker.moves.handed(moved, kept, /* isWritten= */ false);
    tracker.moves.moveIn(moved, Sites.RETAIN);
    Sighting seen = Objects.requireNonNull(position(moved).sighting());
    assertThat(position(moved)).isNotSameAs(inLetter);
    Sightings sightings = new Sightings();
    sightings.add(seen, 1);
    assertThat(Objects.requireNonNull(sightings.evidence()).places(Kind.MESSAGE))
        .singleElement()
        .satisfies(
            place -> assertThat(place.nearest().className()).isEqualTo(Letter.class.getName()));
  }

  @Test
  void aBufferInTheMapIsNoMessage() {
    tracker.sideTable.add(new PlainBuffers());
    PlainBuffers.Plain plain = plain();
    tracker.moves.moveIn(plain, A);
    assertThat(seenOf(plain).places(Kind.MESSAGE)).isEmpty();
    tracker.releases.endOfSideTable(plain);
  }

  /** What the look at a buffer of the side table, as it began, knows by now. */
  private Evidence seenOf(PlainBuffers.Plain plain) {
    TrackedBuffer side = Objects.requireNonNull(tracker.sideTable.find(plain));
    Sightings sightings = new Sightings();
    sightings.add(
        Objects.requireNonNull(Objects.requireNonNull(Nursery.position(side)).sighting()), 1);
    return Objects.requireNonNull(sightings.evidence());
  }

  private static List<String> names(Evidence seen, Kind kind) {
    return seen.places(kind).stream()
        .map(place -> place.nearest().className())
        .collect(Collectors.toList());
  }

  private PlainBuffers.Plain plain() {
    PlainBuffers.Plain plain = new PlainBuffers.Plain(FakeBuffer.direct(16));
    tracker.births.born(plain, root);
    return plain;
  }

  @Test
  void aMessageIsLookedForInTheMapSoonAfterALook() {
    tracker.sideTable.add(new PlainBuffers());
    PlainBuffers.Plain plain = plain();
    tracker.moves.handed(new PlainBuffers.Envelope(plain), this, /* isWritten= */ false);
    Evidence seen = seenOf(plain);
    assertThat(names(seen, Kind.MESSAGE)).containsExactly(PlainBuffers.Envelope.class.getName());
    assertThat(names(seen, Kind.HANDED)).containsExactly(LooksTest.class.getName());
    PlainBuffers.Plain bare = plain();
    tracker.moves.handed(bare, this, /* isWritten= */ false);
    assertThat(seenOf(bare).places(Kind.HANDED)).hasSize(1);
    assertThat(seenOf(bare).places(Kind.MESSAGE)).isEmpty();
    PlainBuffers.Plain late = plain();
    // As many as are looked for after a look, but one.
    for (int i = 1; i < 256; i++) {
      tracker.moves.handed(new Object(), this, /* isWritten= */ false);
    }
    tracker.moves.handed(late, kept, /* isWritten= */ false);
    tracker.moves.handed(new PlainBuffers.Envelope(late), this, /* isWritten= */ false);
    assertThat(names(seenOf(late), Kind.HANDED)).containsExactly(kept.getClass().getName());
    assertThat(seenOf(late).places(Kind.MESSAGE)).isEmpty();
    List.of(plain, bare, late).forEach(tracker.releases::endOfSideTable);
  }

  @Test
  void theMessageOfWhatIsLiveIsNamed() {
    for (int i = 0; i < 3; i++) {
      FakeBuffer buffer = allocate(A);
      tracker.moves.handed(new Card(buffer), this, /* isWritten= */ false);
      kept.add(buffer);
    }
    FakeBuffer released = allocate(A);
    tracker.moves.handed(new DefaultLetter(released), this, /* isWritten= */ false);
    release(released);
    kept.add(allocate(A, A));
    for (int sweeps = 0; sweeps < 2; sweeps++) {
      assertThat(
              control.snapshot().paths().stream()
                  .map(Path::liveEvidence)
                  .filter(Objects::nonNull)
                  .flatMap(seen -> seen.places(Kind.MESSAGE).stream().map(LooksTest::type)))
          .containsExactly(Card.class.getName() + ": 3");
      tracker.nursery.finish();
    }
  }

  private static String type(Evidence.Place place) {
    return place.nearest().className() + ": " + place.looks();
  }

  @Test
  void aMessageOfAFlowThatNobodyLookedAtCostsNoNode() {
    tracker.tree.looks.setOwn(null);
    FakeBuffer buffer = allocate(A);
    tracker.tree.looks.setOwn(name -> name.startsWith(Own.class.getName()));
    tracker.moves.moveIn(new Card(buffer), A);
    assertThat(position(buffer).sighting()).isNull();
    release(buffer);
    tracker.moves.moveIn(new Card(buffer), A);
    assertThat(Nursery.position(buffer)).isNull();
  }

  @Test
  void aFlowThatNobodyLookedAtStaysWhereItIs() {
    tracker.tree.looks.setOwn(null);
    FakeBuffer buffer = allocate(A);
    tracker.tree.looks.setOwn(name -> name.startsWith(Own.class.getName()));
    Node before = position(buffer);
    tracker.moves.handed(buffer, this, /* isWritten= */ false);
    tracker.moves.given(buffer, A, A);
    assertThat(position(buffer)).isSameAs(before);
    release(buffer);
    tracker.moves.handed(buffer, this, /* isWritten= */ false);
    assertThat(Nursery.position(buffer)).isNull();
  }

  @Test
  void pathsAndCountsAreTheSameWithoutLooks() {
    kept.add(allocate(A, Sites.RETAIN, A));
    Node looked = Objects.requireNonNull(Nursery.position(kept.get(0)));
    tracker.tree.looks.setOwn(null);
    kept.add(allocate(A, Sites.RETAIN, A));
    Node plain = Objects.requireNonNull(Nursery.position(kept.get(1)));
    assertThat(looked.sighting()).isNotNull();
    assertThat(plain.sighting()).isNull();
    assertThat(looked.id).isEqualTo(plain.id);
    assertThat(control.snapshot().paths())
        .singleElement()
        .satisfies(path -> assertThat(path.live().count()).isEqualTo(2));
    for (FakeBuffer each : kept) {
      release(each);
    }
    assertThat(control.snapshot().paths())
        .singleElement()
        .satisfies(path -> assertThat(path.released().count()).isEqualTo(2));
  }

  @Test
  void noRhythmHidesAnAllocation() {
    int seen = 0;
    for (int round = 0; round < 40; round++) {
      for (int i = 0; i < 2_000; i++) {
        release(allocate());
        FakeBuffer second = allocate();
        seen += isLookedAt(second) ? 1 : 0;
        release(second);
      }
      tracker.nursery.sweep(false);
    }
    // Half of 64 in each round, on the average.
    assertThat(seen).isBetween(40 * 8, 40 * 60);
  }

  private static boolean isLookedAt(FakeBuffer buffer) {
    Node node = Nursery.position(buffer);
    return node != null && node.sighting() != null;
  }

  @Test
  void looksAreBounded() {
    int looked = 0;
    for (int i = 0; i < 10_000; i++) {
      FakeBuffer buffer = allocate();
      looked += isLookedAt(buffer) ? 1 : 0;
      release(buffer);
    }
    assertThat(looked).isBetween(1, 64);
  }

  @Test
  void aStackThatIsTooDeepIsLookedAtInPart() {
    Own.handle(() -> Library.deeper(2_000, this::allocate));
    assertThat(texts(evidence(leaks(1).get(0)).places(Kind.ASKED_FOR)))
        .containsExactly("nobody by deeper by deeper by deeper: 1");
  }

  @Test
  void moreSightingsThanAreKeptLoseNoFlow() {
    for (int i = 0; i < 3; i++) {
      tracker.tree.looks.setOwn(name -> name.startsWith(Own.class.getName()));
      Own.handle(() -> kept.add(allocate(A)));
    }
    Node before = Objects.requireNonNull(Nursery.position(kept.get(0)));
    tracker.moves.moveIn(kept.get(0), Probe.site("B"));
    Node after = Objects.requireNonNull(Nursery.position(kept.get(0)));
    assertThat(after.parent()).isSameAs(before);
    kept.forEach(this::release);
    assertThat(control.snapshot().released().count()).isEqualTo(3);
  }

  @Test
  void withinAScopeTheLeftoverNamesIt() {
    Scope scope = new Scope(tracker.tree, "test", null, null);
    tracker.scopes.opened(scope);
    @Nullable Stay before = tracker.scopes.enter(scope);
    Own.handle(() -> Library.decode(() -> kept.add(allocate(A))));
    kept.add(allocate(A));
    tracker.scopes.leave(before);
    ScopeLeftovers found =
        new ScopeLeftovers(tracker.nursery, tracker.scopes, scope, /* isTold= */ false);
    tracker.nursery.show(found);
    List<Leftover> leftovers = found.found.list(tracker.scopes);
    assertThat(leftovers)
        .singleElement()
        .satisfies(
            leftover -> {
              assertThat(leftover.count()).isEqualTo(2);
              assertThat(leftover.scope()).isEqualTo("test");
              assertThat(texts(Objects.requireNonNull(leftover.evidence()).places(Kind.ASKED_FOR)))
                  .contains("handle by decode: 1");
            });
    scope.close();
    tracker.scopes.closed(scope, false);
    kept.forEach(this::release);
    assertThat(control.snapshot().released().count()).isEqualTo(2);
  }
}
