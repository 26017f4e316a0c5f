package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackedProcess;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;

class TreeReportTest {
  @Test
  void resourcesWithoutBytesAreCountedAlone() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.heap("java.sql.Connection.open", "p.Dao.query:7").leaked(2, 0).live(1, 0).add();

    assertThat(tree(b.build()))
        .contains("LEAK 1 of 1  moderate (java.sql.Connection)  2 flows\n")
        .contains("with reference count 1-2; 1 flow live there now\n")
        .contains("\n  1 flow java.sql.Connection\n    Connection.open > Dao.query:7\n")
        .contains("Dao.query:7 [1-2]  <== LEAK moderate\n");
  }

  @Test
  void answersWhichPathLeaksHowMuchAndWhereItWasLastSeen() throws IOException {
    assertThat(tree(SnapshotBuilder.service()))
        .isEqualTo(
            """
            Buftrail flows at 2026-01-31T12:00:00.250Z

              allocated  10,102
              released    9,990      2.4 MiB
              LEAKED          9      1.8 KiB  on 2 paths; CRITICAL: direct memory, 7 flows, 1.8 KiB; moderate: heap, 2 flows, 64 B
              live          103    100.0 MiB  on 2 paths; direct 100.0 MiB; oldest 1 h 0 min

            LEAK 1 of 2  CRITICAL (direct memory)  7 flows, 1.8 KiB, 96.6 % of leaked bytes
              last seen in com.example.app.Errors.reject:88 with reference count 1-2; 3 flows, 768 B live there now
              first found 2026-01-31T11:58:30Z, last 2026-01-31T12:00:00Z
              9,990 flows that came the same way to com.example.app.Server.dispatch:44 were released, \
            last seen in com.example.app.Echo.reply:12; these 7 went on to com.example.app.Errors.reject:88 and were not
                 1-2  io.netty.buffer.PooledByteBufAllocator.directBuffer
                 1-2  com.example.app.Server.channelRead:31
                 1-2  com.example.app.Server.dispatch:44
                 1-2  com.example.app.Errors.reject:88  <== last seen here

            LEAK 2 of 2  moderate (heap memory)  2 flows, 64 B, 3.4 % of leaked bytes
              last seen in com.example.app.Json$Codec.encode:9 with reference count 1-2, returned to its caller
                 1-2  io.netty.buffer.Unpooled.wrappedBuffer
                 1-2  com.example.app.Json$Codec.encode:9 (returned)  <== last seen here

            SUSPECTS: live, growing and not released as others are; a collection decides
              100 flows, 100.0 MiB live in com.example.app.Cache.put:7
                100 in, 0 out; oldest 1 h 0 min; siblings release in com.example.app.Echo.reply:12
                half of these are older than 30 min 0 s; no release of others was sampled

            LIVE NOW, most bytes first
              100 flows, 100.0 MiB direct, oldest 1 h 0 min, median 30 min 0 s
                PooledByteBufAllocator.directBuffer > Server.channelRead:31 > Cache.put:7
              3 flows, 768 B direct, oldest 1 min 1 s, median 4.0 s
                PooledByteBufAllocator.directBuffer > Server.channelRead:31 > Server.dispatch:44 > Errors.reject:88

            FLOWS, worst first: released, leaked and live are counted at the hop where that happened
                passed  released    leaked      live  path [reference count]
                10,100         -         -         -  PooledByteBufAllocator.directBuffer [1-2]
                10,100         -         -         -  Server.channelRead:31 [1-2]
                10,000         -         -         -  +- Server.dispatch:44 [1-2]
                    10         -         7         3  |  +- Errors.reject:88 [1-2]  <== LEAK CRITICAL, 1.8 KiB  live 768 B
                 9,990         -         -         -  |  +- Echo.reply:12 [1-2]
                 9,990     9,990         -         -  |     ByteBuf.release [0]  released 2.4 MiB
                   100         -         -       100  +- Cache.put:7 [1-2]  live 100.0 MiB

                     2         -         -         -  Unpooled.wrappedBuffer [1-2]
                     2         -         2         -  Json$Codec.encode:9 [1-2] (returned)  <== LEAK moderate, 64 B
            """);
  }

  @Test
  void saysWhoseFlowsTheseAre() throws IOException {
    Snapshot snapshot = SnapshotBuilder.service();
    TrackedProcess orders =
        new TrackedProcess(
            "ord\u00e9rs",
            1507,
            "web-3",
            SnapshotBuilder.TAKEN_AT - 754_000,
            "17.0.12",
            "httpToken=…;sample=8");
    assertThat(tree(snapshot.of(orders)))
        .startsWith(
            "Buftrail flows at 2026-01-31T12:00:00.250Z\n"
                + "ord\\u00e9rs, process 1507 on web-3, up 12 min 34 s, Java 17.0.12;"
                + " options httpToken=...;sample=8\n\n  allocated");
    assertThat(tree(snapshot.of(new TrackedProcess("", 7, "", Path.NEVER, "", ""))))
        .contains("00.250Z\nunnamed, process 7\n\n");
  }

  @Test
  void whatIsDroppedIsNoLeakAndWhatALeakHoldsIsCountedApart() throws IOException {
    assertThat(tree(SnapshotBuilder.droppingService()))
        .isEqualTo(
            """
            Buftrail flows at 2026-01-31T12:00:00.250Z

              allocated   3,065
              released        5         80 B
              LEAKED         20      8.0 KiB  on 1 path; CRITICAL: direct memory, 20 flows, 8.0 KiB
              held           40            -  by the leaked ones: components, parents of slices; their bytes are with these
              dropped     3,000     46.9 KiB  not released, but nothing lost: unpooled heap or wrapped memory
              live            0          0 B

            LEAK 1 of 1  CRITICAL (direct memory)  20 flows, 8.0 KiB, holding 40 more, 100.0 % of leaked bytes
              last seen in app.Api.refuse:48 with reference count 1-2
                 1-2  io.netty.buffer.PooledByteBufAllocator.compositeDirectBuffer
                 1-2  app.Api.refuse:48  <== last seen here

            DROPPED and no leak, most bytes first
              3,000 flows, 46.9 KiB heap
                Unpooled.wrappedBuffer > Codec.decode:9

            FLOWS, worst first: released, leaked, dropped and live are counted at the hop where that happened
                passed  released    leaked   dropped      live  path [reference count]
                    60         -         -         -         -  PooledByteBufAllocator.compositeDirectBuffer [1-2]
                    60         -        20         -         -  Api.refuse:48 [1-2]  <== LEAK CRITICAL, 8.0 KiB, holding 40 more

                 3,005         -         -         -         -  Unpooled.wrappedBuffer [1-2]
                 3,005         5         -     3,000         -  Codec.decode:9 [1-2]  dropped 46.9 KiB  released 80 B
            """);
  }

  @Test
  void pathsThatDifferInReferenceCountsAloneAreOneLeak() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    String root = "io.netty.buffer.PooledByteBufAllocator.directBuffer";
    String retain = "io.netty.buffer.ByteBuf.retain";
    b.direct(root, retain + " [1-2] loop").leaked(22, 220).seen(2_000, 5_000).add();
    b.direct(root, retain + " [1-2]", retain + " [3-5]").leaked(6, 60).seen(1_000, 4_000).add();
    b.direct(root, retain + " [3-5]", retain + " [6+]").leaked(1, 10).seen(3_000, 9_000).add();
    StringBuilder summary = new StringBuilder();
    TreeReport.summary(b.build(), summary);

    assertThat(tree(b.build()))
        .contains("  LEAKED         29        290 B  on 1 path; CRITICAL: direct memory, 29 flows,")
        .contains(
            """

            LEAK 1 of 1  CRITICAL (direct memory)  29 flows, 290 B, 100.0 % of leaked bytes
              last seen in io.netty.buffer.ByteBuf.retain with reference count 1-2, 3-5, 6+
              first found 1970-01-01T00:00:01Z, last 1970-01-01T00:00:09Z
                         1-2  io.netty.buffer.PooledByteBufAllocator.directBuffer
                1-2, 3-5, 6+  io.netty.buffer.ByteBuf.retain (loop)  <== last seen here

            """);
    assertThat(summary.toString()).endsWith("paths 3, leaks 1\n");
  }

  @Test
  void saysWhatItLeavesOutWithItsSums() throws IOException {
    StringBuilder out = new StringBuilder();
    TreeReport.write(SnapshotBuilder.service(), out, 1, 1);

    assertThat(out.toString())
        .contains("  ... 1 more leak path not shown: 2 flows, 64 B\n")
        .contains("     9,990         -         -         -     ... 1 branch not shown\n")
        .contains(
            "       100         -         -       100  ... 1 branch not shown, live 100.0 MiB\n")
        .endsWith(
            "         2         -         2         -  ... 1 branch not shown, leaked 64 B\n");
  }

  @Test
  void summaryCountsRootsPathsAndTheShareThatLeaks() throws IOException {
    StringBuilder out = new StringBuilder();
    TreeReport.summary(SnapshotBuilder.service(), out);

    assertThat(out.toString())
        .startsWith("Buftrail flows at 2026-01-31T12:00:00.250Z\n\n  allocated  10,102\n")
        .endsWith("\n  roots 2, paths 4, leaks 2\n");
  }

  @Test
  void saysWhenFiguresAreNotTheWholeTruth() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder().sampling(16).overflowed(1).suppressedErrors(2);
    b.heap("a.B.c", "a.D.e [6+] loop overflow").leaked(1, 1).add();

    assertThat(tree(b.build()))
        .contains("  1 in 16 allocations was followed; counts and bytes are scaled up to all\n")
        .contains(
            "  1 flow went past a bound of the trie; they are counted in hops marked OVERFLOW\n")
        .contains(
            "  2 errors inside the tracker were kept from the application; counts may be off\n")
        .contains("      6+  a.D.e (loop) (OVERFLOW)  <== last seen here\n")
        .contains(
            "D.e [6+] (loop) (OVERFLOW: all that lay past a bound)  <== LEAK moderate, 1 B\n");
  }

  @Test
  void saysWhatTheTrackerCouldNotDo() throws IOException {
    long at = SnapshotBuilder.TAKEN_AT;
    SnapshotBuilder b = new SnapshotBuilder();
    b.status().stop(new TrackerStatus.Stop(5_000, "too many errors"));
    b.status().lostReleases(4).undecided(5).unwovenClasses(7);
    b.status().add(new TrackerStatus.Unwoven("a.B", "too large"));
    b.status().add(new TrackerStatus.ThreadHealth("watch", 90, at - 2_500, 2, "no memory"));
    b.status().add(new TrackerStatus.ThreadHealth("push", 9, 6_000, 0, null));
    b.status().add(new TrackerStatus.ThreadHealth("metrics", 0, -1, 1, null));
    b.status().add(new TrackerStatus.ThreadHealth("buftrail-sweeper", 7, at - 75_000, 0, null));

    assertThat(tree(b.build()))
        .contains(
            """
              NOT FOLLOWING new buffers since 1970-01-01T00:00:05Z: too many errors
              4 releases could not be recorded; they are counted where the buffer was last seen
              7 classes could not be woven; buffers are not seen in them
                a.B: too large
              thread watch last worked 2.5 s before this; it failed 2 times in 90 finished rounds; last: no memory
              thread metrics never worked; it failed once in 0 finished rounds
              thread buftrail-sweeper last worked 1 min 15 s before this, so leaks and ages are reported late
            """)
        .doesNotContain("push");
  }

  @Test
  void showsBothPathsOfAReleaseThatMayHaveBeenSomebodyElses() throws IOException {
    Misuse misuse =
        new Misuse(
            Misuse.Kind.DOUBLE_RELEASE,
            new Site("a.Victim", "close", "", 9, ""),
            1_200,
            List.of(SnapshotBuilder.hop("a.Root.make"), SnapshotBuilder.hop("a.Victim.use:3")),
            List.of(SnapshotBuilder.hop("a.Root.make"), SnapshotBuilder.hop("a.Culprit.end:4")));
    Snapshot snapshot = new Snapshot(0, 1, 0, 0, TrackerStatus.FINE, List.of(), List.of(misuse));
    assertThat(tree(snapshot))
        .contains(
            """

            RELEASED ALREADY, most frequent first
              1,200 x double release at a.Victim.close:9
                the release came first on
                   1-2  a.Root.make
                   1-2  a.Victim.use:3
                the same object had been released before on
                   1-2  a.Root.make
                   1-2  a.Culprit.end:4
            """);
  }

  @Test
  void saysThatNothingLeaked() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    assertThat(tree(b.build())).contains("\nNo leak was found.\n").doesNotContain("LIVE NOW");
    b.heap("a.B.c").live(1, 8).add();
    assertThat(tree(b.build()))
        .contains("\nNo leak was found; what is live may still become one.\n");
    b.status().atEnd(true);
    assertThat(tree(b.build()))
        .contains("\nNo leak was found; what is live is still referred to.\n");
  }

  @Test
  void saysHowManyAreUndecidedInPlaceOfNoLeak() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.heap("a.B.c").live(1_500, 8).add();
    b.status().undecided(1_234);
    assertThat(tree(b.build()))
        .contains(
            "  LEAKED          0          0 B  undecided: 1,234 of the live ones may be lost\n",
            "\nNo leak is proved, but 1,234 flows may be lost. A collection decides: buftrail dump"
                + " PID --gc\n")
        .doesNotContain("No leak was found");
    b.status().atEnd(true);
    assertThat(tree(b.build()))
        .contains(
            "  LEAKED          0          0 B  UNDECIDED: 1,234 of the live ones may be lost\n",
            "\nNo leak is proved, but 1,234 flows may be lost. No collection has decided: see"
                + " the option collectAtEnd\n");
    b.heap("a.B.d").leaked(1, 8).add();
    assertThat(tree(b.build()))
        .contains("1 flow, 8 B; UNDECIDED: 1,234 of the live ones may be lost\n");
  }

  @Test
  void suspectsAreNoReasonToSayThatNothingLeaked() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct("a.B.c").live(40, 8).ages(20_000, 10_000).add();
    assertThat(tree(b.build()))
        .contains("\nNo leak is proved, but what follows looks like one.\n\nSUSPECTS")
        .doesNotContain("No leak was found");
  }

  @Test
  void whatIsInTransitIsNoMethod() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.heap("(in transit)").live(13, 1_300).add();
    assertThat(tree(b.build()))
        .contains("\n    (in transit): moved or ended while this was counted; path unknown\n")
        .contains("  (in transit) [1-2]")
        .doesNotContain("(in transit).");
  }

  @Test
  void namesCannotReachTheTerminal() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.heap("a.B\u001b[31m.c\u00e9").leaked(1, 1).live(1, 1).add();

    assertThat(tree(b.build()))
        .contains("B\\u001b[31m.c\\u00e9")
        .matches(s -> s.chars().allMatch(c -> c == '\n' || (c >= ' ' && c < 0x7F)), "is ASCII");
  }

  @Test
  void manyPathsStayBounded() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    for (int i = 0; i < 100_000; i++) {
      b.direct("a.Root.alloc", "a.A" + i % 300 + ".m:" + i, "a.B" + i + ".m")
          .leaked(1, i)
          .live(1, 1)
          .add();
    }
    String text = tree(b.build());

    assertThat(text.lines().count()).isBetween(500L, 2_000L);
    assertThat(text)
        .contains("LEAK 1 of 100,000  CRITICAL (direct memory)  1 flow, 97.7 KiB")
        .contains("  ... 99,980 more leak paths not shown: 99,980 flows, 4.7 GiB\n")
        .contains("  ... 99,990 more live paths not shown: 99,990 flows, 97.6 KiB\n")
        .contains("... 99,800 branches not shown, leaked 4.6 GiB");
  }

  @Test
  void aPathOfManyHopsStaysNarrow() throws IOException {
    String[] hops = new String[2_000];
    for (int i = 0; i < hops.length; i++) {
      hops[i] = "a.B.m" + i;
    }
    SnapshotBuilder b = new SnapshotBuilder();
    b.heap(hops).live(1, 1).add();

    assertThat(tree(b.build()))
        .contains("B.m3 > ... 1,988 hops ... > B.m1992 > ")
        .matches(s -> s.lines().allMatch(line -> line.length() < 200), "has short lines");
  }

  private static String tree(Snapshot snapshot) throws IOException {
    StringBuilder out = new StringBuilder();
    TreeReport.write(snapshot, out);
    return out.toString();
  }
}
