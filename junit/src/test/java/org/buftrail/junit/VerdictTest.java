package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.buftrail.model.Evidence;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.junit.jupiter.api.Test;

final class VerdictTest {
  private static final Site BAR = new Site("com.acme.FooTest", "bar", "()V", 48, "");
  private static final Site READ = new Site("com.acme.Codec$Part", "read", "()V", 12, "");
  private static final Site READ_RETURN =
      new Site("com.acme.Codec$Part", "read", "()V", 12, Site.RETURN_SUFFIX);

  private static final Rules RULES = new Rules(Until.TEST, 1_000, true, false);

  private static final Leak LEAK = FakeScope.leak("test", true, 1, 256, BAR);

  private static FakeScope scope(long releasedAtMillis, boolean needsRelease) {
    String name = "com.acme.FooTest.bar()";
    Leak leak = FakeScope.leak(name, needsRelease, 2, 512, BAR, READ, READ_RETURN);
    return new FakeScope(name, now -> now < releasedAtMillis ? List.of(leak) : List.of());
  }

  @Test
  void aCleanTestDoesNotWait() {
    FakeScope scope = scope(0, true);
    assertThat(Verdict.of(scope, RULES, new Waits(scope)).isClean()).isTrue();
    assertThat(scope.millis).isZero();
  }

  @Test
  void whatIsReleasedLateIsNoLeak() {
    FakeScope scope = scope(300, true);
    assertThat(Verdict.of(scope, RULES, new Waits(scope)).isClean()).isTrue();
    assertThat(scope.millis).isBetween(300L, 350L);
  }

  @Test
  void whatStaysIsALeakWhenTheGraceIsOver() {
    FakeScope scope = scope(1_100, true);
    Verdict verdict = Verdict.of(scope, RULES, new Waits(scope));
    assertThat(scope.millis).isBetween(1_000L, 1_050L);
    assertThat(verdict.text())
        .isEqualTo(
            """
            com.acme.FooTest.bar() left 2 buffers open, 512 B, also 1.0 s after its end; last seen at \
            com.acme.Codec$Part.read(Codec.java:12)
              2 buffers, 512 B, direct, up to 2.3 s old; last seen
                at com.acme.Codec$Part.read(Codec.java:12)
                at com.acme.FooTest.bar(FooTest.java:48)
                at io.netty.buffer.PooledByteBufAllocator.directBuffer(PooledByteBufAllocator.java)\
            """);
    BufferLeakError error = verdict.error();
    assertThat(error.getStackTrace())
        .extracting(StackTraceElement::toString)
        .containsExactly(
            "com.acme.Codec$Part.read(Codec.java:12)",
            "com.acme.FooTest.bar(FooTest.java:48)",
            "io.netty.buffer.PooledByteBufAllocator.directBuffer(PooledByteBufAllocator.java)");
    assertThat(error.getMessage())
        .isEqualTo(
            """
            com.acme.FooTest.bar() left 2 buffers open, 512 B, also 1.0 s after its end; last seen at \
            com.acme.Codec$Part.read(Codec.java:12)
              2 buffers, 512 B, direct, up to 2.3 s old; the stack trace is the path
              Release it there, or pass it on to what does. If it is released later, allow that \
            with @DetectBufferLeaks(allowedUntil = Until.CLASS, or RUN). What an EmbeddedChannel \
            still has, its finishAndReleaseAll() releases.\
            """);
  }

  @Test
  void aRequestIsOneThingWithItsParts() {
    Leak leak = FakeScope.leak("com.acme.FooTest.bar()", true, 1, 96, BAR);
    Site type = new Site("io.netty.handler.codec.http.FullHttpRequest", "", "", 0, "");
    Evidence.Place request = new Evidence.Place(null, List.of(type), List.of(), 1);
    Evidence evidence = new Evidence.Builder().looks(1).add(Evidence.Kind.MESSAGE, request).build();
    Path path = leak.path.with(Path.Flows.NONE, 2).with(evidence);
    Verdict verdict =
        new Verdict(
            leak.scope, List.of(new Leak(leak.scope, path, true, null)), List.of(), List.of(), 0);
    assertThat(verdict.text())
        .isEqualTo(
            """
            com.acme.FooTest.bar() left 1 buffer open, 96 B, holding 2 more; last seen at \
            com.acme.FooTest.bar(FooTest.java:48)
              1 buffer, 96 B, direct, holding 2 more, up to 2.3 s old; last seen
                at com.acme.FooTest.bar(FooTest.java:48)
                at io.netty.buffer.PooledByteBufAllocator.directBuffer(PooledByteBufAllocator.java)
                a FullHttpRequest, 3 buffers (1 of 1 look)\
            """);
    assertThat(LeakReport.json(verdict)).contains("\"held\":2", "FullHttpRequest");
  }

  @Test
  void theUsersLineComesFirstAlsoWhereALibraryRetainsLast() {
    Site retain = new Site("io.netty.buffer.ByteBuf", "retain", "", 0, "");
    Leak leak = FakeScope.leak("com.acme.FooTest.bar()", true, 1, 9, BAR, retain, READ, retain);
    Leak alone = FakeScope.leak("com.acme.FooTest.bar()", true, 1, 1, retain);
    FakeScope scope = new FakeScope("com.acme.FooTest.bar()", now -> List.of(leak, alone));
    Verdict verdict = Verdict.of(scope, new Rules(Until.TEST, 0, true, false), new Waits(scope));
    assertThat(verdict.error().getStackTrace())
        .extracting(StackTraceElement::toString)
        .startsWith(
            "com.acme.Codec$Part.read(Codec.java:12)",
            "io.netty.buffer.ByteBuf.retain(ByteBuf.java)");
    assertThat(String.valueOf(verdict.error().getMessage()).lines())
        .containsSubsequence(
            "com.acme.FooTest.bar() left 2 buffers open, 10 B; most of it last seen at"
                + " com.acme.Codec$Part.read(Codec.java:12)",
            "  1 buffer, 9 B, direct, up to 2.3 s old; the stack trace is the path",
            "  1 buffer, 1 B, direct, up to 2.3 s old; last seen",
            "    at"
                + " io.netty.buffer.PooledByteBufAllocator.directBuffer(PooledByteBufAllocator.java)");
  }

  @Test
  void whereItWasOnlyReadTheMethodIsNamedThatHadIt() {
    Leak first = FakeScope.leak("com.acme.FooTest.bar()", true, 1, 9, BAR, READ.ofReader());
    Leak other = FakeScope.leak("com.acme.FooTest.bar()", true, 1, 1, BAR, READ.ofReader());
    FakeScope scope = new FakeScope("com.acme.FooTest.bar()", now -> List.of(first, other));
    Verdict verdict = Verdict.of(scope, new Rules(Until.TEST, 0, true, false), new Waits(scope));
    assertThat(String.valueOf(verdict.error().getMessage()).lines())
        .containsSubsequence(
            "com.acme.FooTest.bar() left 2 buffers open, 10 B; most of it last read at"
                + " com.acme.Codec$Part.read(Codec.java:12);"
                + " com.acme.FooTest.bar(FooTest.java:48) had it",
            "  1 buffer, 9 B, direct, up to 2.3 s old; the stack trace is the path",
            "  1 buffer, 1 B, direct, up to 2.3 s old; last seen",
            "    last read in com.acme.Codec$Part.read:12; com.acme.FooTest.bar:48 had it");
    assertThat(verdict.error().getStackTrace()[0])
        .hasToString("com.acme.Codec$Part.read(Codec.java:12)");
  }

  @Test
  void itSaysWhereOthersThatCameTheSameWayWereReleased() {
    FakeScope scope = scope(Long.MAX_VALUE, true);
    Site end = new Site("com.acme.Codec", "end", "", 20, "");
    Site release = new Site("io.netty.buffer.ByteBuf", "release", "", 0, "");
    List<Path.Hop> hops =
        Stream.of(FakeScope.ALLOCATOR, BAR, READ, end, release)
            .map(site -> new Path.Hop(site, "1-2", false, false))
            .toList();
    Path.Flows nine = new Path.Flows(9, 900);
    Path.Flows none = Path.Flows.NONE;
    scope.paths.add(new Path(hops, true, nine, none, none, Path.NO_AGE, Path.NO_AGE));
    assertThat(Verdict.of(scope, RULES, new Waits(scope)).text())
        .endsWith(
            """
                at io.netty.buffer.PooledByteBufAllocator.directBuffer(PooledByteBufAllocator.java)
                9 flows that came the same way to com.acme.Codec$Part.read:12 were released, last \
            seen in com.acme.Codec.end:20; these 2 went on to com.acme.Codec$Part.read:12 \
            and were not\
            """);
  }

  @Test
  void whatIsLostToNobodyCountsOnlyWhenAskedFor() {
    FakeScope scope = scope(Long.MAX_VALUE, false);
    assertThat(Verdict.of(scope, RULES, new Waits(scope)).isClean()).isTrue();
    assertThat(scope.millis).isZero();
    Rules strict = new Rules(Until.TEST, 0, true, true);
    assertThat(Verdict.of(scope, strict, new Waits(scope)).count()).isEqualTo(2);
  }

  @Test
  void whatWasAllocatedElsewhereSaysWhere() {
    Leak leak = FakeScope.leak("com.acme.FooTest.bar()", true, 1, 2_048, BAR);
    FakeScope scope = new FakeScope("com.acme.FooTest", now -> List.of(leak));
    assertThat(Verdict.of(scope, new Rules(Until.CLASS, 0, true, false), new Waits(scope)).text())
        .startsWith(
            "com.acme.FooTest left 1 buffer open, 2.0 KiB; last seen at"
                + " com.acme.FooTest.bar(FooTest.java:48)\n"
                + "  1 buffer, 2.0 KiB, direct, up to 2.3 s old,"
                + " allocated in com.acme.FooTest.bar(); last seen\n");
  }

  /** As an encoder's output that nobody reads: no line of the application ever had it. */
  @Test
  void whatALibraryKeptToItselfLeadsToTheLineThatHadItDoSo() {
    Leak unseen = FakeScope.leak("com.acme.FooTest.bar() [2]", true, 1, 9);
    Evidence.Place asked = new Evidence.Place(BAR, List.of(FakeScope.ALLOCATOR), List.of(), 1);
    Evidence evidence = new Evidence.Builder().looks(1).add(Evidence.Kind.ASKED_FOR, asked).build();
    Leak seen = new Leak("com.acme.FooTest.bar()", unseen.path.with(evidence), true, null);
    Leak ofClass = FakeScope.leak("com.acme.FooTest", true, 1, 9);
    assertThat(seen.lastSeen()).isEqualTo("asked for at com.acme.FooTest.bar(FooTest.java:48)");
    assertThat(seen.trace()).hasSize(2);
    assertThat(seen.trace()[0]).hasToString("com.acme.FooTest.bar(FooTest.java:48)");
    assertThat(unseen.trace()[0]).hasToString("com.acme.FooTest.bar(FooTest.java)");
    assertThat(ofClass.trace()).hasSize(1);
    assertThat(LEAK.lastSeen()).startsWith("last seen at ");
  }

  @Test
  void aMisuseStaysInAVerdictThatIsNamedAndRidOfLeaks() {
    FakeScope scope = new FakeScope("test", now -> List.of(LEAK));
    scope.misuses.add(new Misuse(Misuse.Kind.DOUBLE_RELEASE, BAR, 1, List.of(), List.of()));
    Verdict verdict = Verdict.of(scope, RULES, new Waits(scope));
    Verdict ofMisuses = Verdict.ofMisuses(scope, RULES, new Waits(scope));
    for (Verdict each :
        List.of(
            verdict, verdict.named("other"), verdict.own(), verdict.and(List.of()), ofMisuses)) {
      assertThat(each.misuses).hasSize(1);
      assertThat(each.isClean()).isFalse();
    }
    assertThat(ofMisuses.leaks).isEmpty();
  }

  @Test
  void aMisuseTellsWhereItWasAndWhereTheReleaseBefore() {
    FakeScope scope = scope(0, true);
    List<Path.Hop> release = List.of(new Path.Hop(READ, "0", false, false));
    scope.misuses.add(new Misuse(Misuse.Kind.DOUBLE_RELEASE, BAR, 3, release, List.of()));
    Verdict verdict = Verdict.of(scope, RULES, new Waits(scope));
    assertThat(verdict.text())
        .isEqualTo(
            """
            com.acme.FooTest.bar(): double release, 3 times
                at com.acme.FooTest.bar(FooTest.java:48)
              first released
                at com.acme.Codec$Part.read(Codec.java:12)\
            """);
    BufferLeakError error = verdict.error();
    assertThat(error.getStackTrace()[0]).hasToString("com.acme.FooTest.bar(FooTest.java:48)");
    Throwable cause = error.getCause();
    assertThat(cause).isNotNull();
    assertThat(cause.getStackTrace()[0]).hasToString("com.acme.Codec$Part.read(Codec.java:12)");
    Rules lenient = new Rules(Until.TEST, 0, false, false);
    assertThat(Verdict.of(scope, lenient, new Waits(scope)).isClean()).isTrue();
  }

  @Test
  void aWaitEndsSoonAfterNoThreadHasWork() {
    FakeScope scope = new FakeScope("test", now -> List.of(LEAK));
    scope.busyUntil = 200;
    assertThat(Verdict.of(scope, RULES, new Waits(scope)).count()).isPositive();
    assertThat(scope.millis).isBetween(300L, 400L);
  }

  @Test
  void whatATaskOfTheTestLeavesIsSeenThoughTheTestEndedBefore() {
    FakeScope scope = new FakeScope("test", now -> now < 300 ? List.of() : List.of(LEAK));
    scope.tasksUntil = 300;
    assertThat(Verdict.of(scope, RULES, new Waits(scope)).count()).isPositive();
    FakeScope clean = new FakeScope("test", now -> List.of());
    clean.tasksUntil = 300;
    assertThat(Verdict.of(clean, RULES, new Waits(clean)).isClean()).isTrue();
    assertThat(clean.millis).isBetween(300L, 350L);
  }

  /** As a task that was dropped, or one that waits for ever. */
  @Test
  void aTaskThatNoThreadIsBusyWithIsNotAwaitedForLong() {
    FakeScope scope = new FakeScope("test", now -> List.of());
    scope.tasksUntil = 10_000;
    scope.busyUntil = 0;
    assertThat(Verdict.of(scope, RULES, new Waits(scope)).isClean()).isTrue();
    assertThat(scope.millis).isBetween(100L, 200L);
  }

  @Test
  void aBudgetOfWhatIsLeftOpenIsJudgedWhereTheWaitWasCut() {
    FakeScope scope = new FakeScope("test", now -> List.of(LEAK));
    Waits waits = new Waits(scope);
    Verdict.of(scope, new Rules(Until.TEST, 90_000, true, false), waits);
    Rules rules = RULES.with(Budget.of("", -1, 0));
    for (Verdict each :
        List.of(
            Verdict.of(scope, rules, waits),
            Verdict.ofMisuses(scope, rules, waits),
            Verdict.ofBudget(scope, rules, waits))) {
      assertThat(each.isCut).isTrue();
      assertThat(each.overruns).hasSize(1);
    }
  }

  @Test
  void allWaitsOfARunShareAMinute() {
    FakeScope scope = new FakeScope("test", now -> List.of(LEAK));
    Waits waits = new Waits(scope);
    for (int i = 0; i < 100; i++) {
      assertThat(Verdict.of(scope, RULES, waits).count()).isPositive();
    }
    assertThat(scope.millis).as("and some looks after each leak").isBetween(60_000L, 63_100L);
  }

  @Test
  void whatAStaticInitialiserAllocatesIsOfEverybodyButItsOwnClass() {
    Site initialiser = new Site("com.acme.Cache", "<clinit>", "()V", 7, "");
    Leak leak = FakeScope.leak("test", true, 1, 16, initialiser);
    FakeScope scope = new FakeScope("com.acme.FooTest.bar()", now -> List.of(leak, LEAK));
    Verdict verdict = Verdict.of(scope, RULES, new Waits(scope));
    assertThat(verdict.own().bytes()).isEqualTo(256);
    assertThat(verdict.ofEverybody()).hasSize(1);
    FakeScope alone = new FakeScope("com.acme.FooTest.bar()", now -> List.of(leak));
    assertThat(Verdict.of(alone, RULES, new Waits(alone)).own().isClean()).isTrue();
    assertThat(alone.millis).as("nobody waits for it").isZero();
    FakeScope own = new FakeScope("com.acme.Cache", now -> List.of(leak));
    assertThat(Verdict.of(own, RULES, new Waits(own)).own().count()).isOne();
  }

  @Test
  void whatEachLookSawAStaticInitialiserOfALibraryAskForIsOfEverybody() {
    Evidence.Place initialiser =
        new Evidence.Place(
            null, List.of(new Site("lib.Ping", "<clinit>", "", 35, "")), List.of(), 2);
    assertThat(askedFor(2, initialiser).isOfEverybody("com.acme.FooTest.bar()")).isTrue();
    assertThat(askedFor(3, initialiser).isOfEverybody("com.acme.FooTest.bar()")).isFalse();
    Evidence.Place own =
        new Evidence.Place(
            new Site("com.acme.Cache", "<clinit>", "", 7, ""),
            List.of(new Site("lib.Frames", "frame", "", 3, "")),
            List.of(),
            1);
    assertThat(askedFor(1, own).isOfEverybody("com.acme.FooTest.bar()")).isTrue();
    assertThat(askedFor(1, own).isOfEverybody("com.acme.Cache")).isFalse();
  }

  private static Leak askedFor(long looks, Evidence.Place place) {
    Evidence seen = new Evidence.Builder().looks(looks).add(Evidence.Kind.ASKED_FOR, place).build();
    return new Leak("test", FakeScope.leak("test", true, looks, 16).path.with(seen), true, null);
  }
}
