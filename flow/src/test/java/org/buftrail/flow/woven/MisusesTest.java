package org.buftrail.flow.woven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.Probe;
import org.buftrail.flow.scope.Scope;
import org.buftrail.flow.shaded.buffer.ByteBuf;
import org.buftrail.flow.state.TrackedBuffer;
import org.buftrail.flow.tree.Node;
import org.buftrail.model.Misuse;
import org.buftrail.model.Misuse.Kind;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Where a misuse was, as the stack of an exception says, and what is none. */
final class MisusesTest {
  private static final int A = Probe.site("A");
  private static final int B = Probe.site("B");

  private static final StackTraceElement TRACKER = frame("org.buftrail.flow.woven.Any", "own", 1);
  private static final StackTraceElement CLOSE = frame("com.acme.Gate", "close", 7);
  private static final StackTraceElement NETTY = frame("io.netty.buffer.AnyBuf", "release", 9);
  private static final StackTraceElement SHOP = frame("com.acme.Shop", "refund", 21);

  private final Tracker tracker = new Tracker();
  private final Misuses misuses = tracker.misuses;
  private final Node root = tracker.tree.root(Probe.root(), 0);

  private static StackTraceElement frame(String type, String method, int line) {
    return new StackTraceElement(type, method, "Any.java", line);
  }

  private static Throwable thrown(StackTraceElement... frames) {
    Throwable thrown = new IllegalStateException();
    thrown.setStackTrace(frames);
    return thrown;
  }

  private FakeBuffer live(FakeBuffer buffer, int... sites) {
    buffer.reset(1);
    tracker.births.enter(buffer, root, 0);
    for (int site : sites) {
      tracker.moves.moveIn(buffer, site);
    }
    return buffer;
  }

  private FakeBuffer released(FakeBuffer buffer, int... sites) {
    end(live(buffer, sites));
    return buffer;
  }

  private void end(FakeBuffer buffer) {
    buffer.drop();
    tracker.releases.end(buffer);
  }

  private FakeBuffer released() {
    return released(FakeBuffer.heap(1), A);
  }

  private Misuse only() {
    assertThat(misuses.list()).hasSize(1);
    return misuses.list().get(0);
  }

  private static List<String> names(List<Path.Hop> hops) {
    return hops.stream().skip(1).map(hop -> hop.site().hop()).collect(Collectors.toList());
  }

  @Test
  void aSecondCloseIsWhereTheClosingMethodWasCalled() {
    for (int i = 0; i < 2; i++) {
      misuses.addClose(thrown(TRACKER, TRACKER, CLOSE, SHOP, frame("Main", "main", 1)), root.end());
    }
    assertThat(only().site()).isEqualTo(new Site("com.acme.Shop", "refund", "", 21, ""));
    assertThat(only().kind()).isEqualTo(Kind.DOUBLE_RELEASE);
    assertThat(only().count()).isEqualTo(2);
    assertThat(names(only().hops())).containsExactly("ByteBuf.release");
  }

  @Test
  void aMethodThatClosesByThatOfItsSuperclassClosesOnce() {
    StackTraceElement inherited = frame("com.acme.Sluice", "close", 3);
    misuses.addClose(thrown(TRACKER, CLOSE, inherited, SHOP), root.end());
    assertThat(misuses.list()).isEmpty();
  }

  @Test
  void aCloseIsNotCountedWhereNobodyCalledIt() {
    misuses.addClose(thrown(), root.end());
    misuses.addClose(thrown(TRACKER), root.end());
    misuses.addClose(thrown(TRACKER, TRACKER, CLOSE), root.end());
    assertThat(misuses.list()).isEmpty();
  }

  @Test
  void onlyWhatIsOverIsMisused() {
    misuses.add(thrown(SHOP), null, Kind.DOUBLE_RELEASE);
    misuses.add(thrown(SHOP), "a text", Kind.DOUBLE_RELEASE);
    misuses.add(thrown(SHOP), FakeBuffer.heap(1), Kind.DOUBLE_RELEASE);
    misuses.add(thrown(SHOP), live(FakeBuffer.heap(1)), Kind.DOUBLE_RELEASE);
    assertThat(misuses.list()).isEmpty();
  }

  private static FakeBuffer viewOf(@Nullable TrackedBuffer owner) {
    return new FakeBuffer(false) {
      @Override
      public @Nullable TrackedBuffer buftrail$owner() {
        return owner;
      }
    };
  }

  @Test
  void aViewIsMisusedWhereItsOwnerWasReleased() {
    misuses.add(thrown(SHOP), viewOf(released()), Kind.USE_AFTER_RELEASE);
    assertThat(names(only().hops())).containsExactly("A.on", "ByteBuf.release");
  }

  /** As when what it views is gone: it cannot say whose count it shares. */
  @Test
  void aBufferThatHasNoOwnerAnyMoreIsMisusedItself() {
    misuses.add(thrown(SHOP), released(viewOf(null), A), Kind.USE_AFTER_RELEASE);
    assertThat(names(only().hops())).containsExactly("A.on", "ByteBuf.release");
  }

  @Test
  void anExceptionCountsOnce() {
    FakeBuffer buffer = released();
    Throwable first = thrown(NETTY, SHOP);
    misuses.add(first, buffer, Kind.RETAIN_AFTER_RELEASE);
    misuses.add(first, buffer, Kind.RETAIN_AFTER_RELEASE);
    assertThat(only().count()).isEqualTo(1);
    misuses.add(thrown(NETTY, SHOP), buffer, Kind.RETAIN_AFTER_RELEASE);
    assertThat(only().count()).isEqualTo(2);
  }

  @Test
  void theFirstPlaceOutsideOfNettyIsTold() {
    StackTraceElement util = frame("io.netty.util.Any", "release", 9);
    misuses.add(thrown(NETTY, util, NETTY, SHOP), released(), Kind.DOUBLE_RELEASE);
    assertThat(only().site()).isEqualTo(new Site("com.acme.Shop", "refund", "", 21, ""));
  }

  /** Netty's messages release what they hold; the application released the message. */
  @Test
  void noPlaceInNettyOrTheJdkIsTheApplications() {
    StackTraceElement message = frame("io.netty.handler.codec.http.Aggregated", "release", 379);
    StackTraceElement each = frame("java.util.ArrayList", "forEach", 1511);
    misuses.add(thrown(NETTY, message, each, SHOP), released(), Kind.DOUBLE_RELEASE);
    assertThat(only().site().hop()).isEqualTo("Shop.refund");
  }

  @Test
  void aPackageThatIsNamedLikePartsOfNettyIsNotNetty() {
    StackTraceElement client = frame("org.asynchttpclient.netty.util.ByteBufUtils", "reset", 44);
    misuses.add(thrown(NETTY, client, SHOP), released(), Kind.DOUBLE_RELEASE);
    assertThat(only().site().hop()).isEqualTo("ByteBufUtils.reset");
  }

  @Test
  void whereAllIsNettysItIsTheFirstPlaceThatDoesNotCount() {
    StackTraceElement util = frame("io.netty.util.ReferenceCountUtil", "release", 90);
    StackTraceElement tail = frame("io.netty.channel.DefaultChannelPipeline", "tail", 7);
    StackTraceElement run = frame("java.lang.Thread", "run", 840);
    misuses.add(thrown(NETTY, util, tail, util, run), released(), Kind.DOUBLE_RELEASE);
    assertThat(only().site().hop()).isEqualTo("DefaultChannelPipeline.tail");
  }

  /** The package of its {@code ByteBuf} says where a Netty lies. */
  @Test
  void aNettyThatWasRelocatedIsNoPlaceOfTheApplication() {
    String root = ByteBuf.class.getPackageName().replace("buffer", "");
    StackTraceElement handler = frame(root + "handler.Aggregated", "release", 379);
    misuses.add(thrown(handler, SHOP), released(new ByteBuf(), A), Kind.DOUBLE_RELEASE);
    assertThat(only().site().hop()).isEqualTo("Shop.refund");
    misuses.add(thrown(handler, SHOP), released(), Kind.DOUBLE_RELEASE);
    assertThat(misuses.list()).extracting(m -> m.site().hop()).contains("Aggregated.release");
  }

  @Test
  void aMethodWithoutALineIsToldAll() {
    misuses.add(thrown(frame("com.acme.Shop", "nat", -2)), released(), Kind.DOUBLE_RELEASE);
    assertThat(only().site()).isEqualTo(new Site("com.acme.Shop", "nat", "", 0, ""));
  }

  @Test
  void onlySixtyFourFramesAreLookedAt() {
    List<StackTraceElement> frames = new ArrayList<>(Collections.nCopies(63, NETTY));
    frames.add(SHOP);
    misuses.add(thrown(frames.toArray(StackTraceElement[]::new)), released(), Kind.DOUBLE_RELEASE);
    frames.add(0, NETTY);
    misuses.add(thrown(frames.toArray(StackTraceElement[]::new)), released(), Kind.DOUBLE_RELEASE);
    misuses.add(thrown(NETTY), released(), Kind.DOUBLE_RELEASE);
    assertThat(misuses.list())
        .extracting(misuse -> misuse.site().hop(), Misuse::count)
        .containsExactlyInAnyOrder(tuple("Shop.refund", 1L), tuple("(unknown).caller", 2L));
  }

  @Test
  void theLifeBeforeIsToldWhereItEndedElsewhere() {
    FakeBuffer buffer = released(FakeBuffer.heap(1), A);
    misuses.add(thrown(SHOP), released(buffer, B), Kind.DOUBLE_RELEASE);
    assertThat(names(only().hops())).containsExactly("B.on", "ByteBuf.release");
    assertThat(names(only().earlier())).containsExactly("A.on", "ByteBuf.release");
  }

  @Test
  void theLifeBeforeIsToldWhereItEndedAlike() {
    FakeBuffer buffer = released(FakeBuffer.heap(1), A);
    misuses.add(thrown(SHOP), released(buffer, A), Kind.DOUBLE_RELEASE);
    assertThat(names(only().hops())).containsExactly("A.on", "ByteBuf.release");
    assertThat(names(only().earlier())).containsExactly("A.on", "ByteBuf.release");
  }

  @Test
  void theLifeBeforeIsToldWhereAnotherThreadEndedTheLast() throws Exception {
    FakeBuffer buffer = live(released(FakeBuffer.heap(1), A), B);
    Thread other = new Thread(() -> end(buffer));
    other.start();
    other.join();
    misuses.add(thrown(SHOP), buffer, Kind.DOUBLE_RELEASE);
    assertThat(names(only().earlier())).containsExactly("A.on", "ByteBuf.release");
  }

  @Test
  void theFirstLifeHasNoneBefore() {
    misuses.add(thrown(SHOP), released(), Kind.DOUBLE_RELEASE);
    assertThat(only().earlier()).isEmpty();
  }

  @Test
  void aThreadsMisusesAreKnownToTheScopeThatItIsIn() {
    misuses.add(thrown(SHOP), released(), Kind.DOUBLE_RELEASE);
    Scope scope = new Scope(tracker.tree, "scope", null, null);
    tracker.scopes.opened(scope);
    tracker.scopes.enter(scope);
    misuses.add(thrown(SHOP), released(), Kind.RETAIN_AFTER_RELEASE);
    tracker.scopes.closed(scope, false);
    misuses.add(thrown(SHOP), released(), Kind.USE_AFTER_RELEASE);
    assertThat(scope.misuses())
        .extracting(Misuse::kind, Misuse::count)
        .containsExactly(tuple(Kind.RETAIN_AFTER_RELEASE, 1L));
    assertThat(misuses.list()).hasSize(3);
  }
}
