package org.buftrail.flow.tree;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import org.buftrail.flow.Probe;
import org.buftrail.model.Misuse;
import org.buftrail.model.Misuse.Kind;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.junit.jupiter.api.Test;

final class MisuseCountsTest {
  private static final Site SITE = new Site("com.acme.Shop", "refund", "()V", 5, "");

  private final PathTree tree = new PathTree();
  private final Node end = end("MisuseEnd");
  private final MisuseCounts counts = new MisuseCounts(3);

  private Node end(String name) {
    return tree.root(Probe.site(name), 0).end();
  }

  private MisuseCounts.Key key(Node end, Kind kind) {
    return new MisuseCounts.Key(end, kind, SITE);
  }

  private List<Path.Hop> earlier() {
    assertThat(counts.list()).hasSize(1);
    return counts.list().get(0).earlier();
  }

  @Test
  void misusesAreTheSameWhenWhatAndWhereAndTheReleaseBeforeAre() {
    MisuseCounts.Key key = key(end, Kind.DOUBLE_RELEASE);
    assertThat(key)
        .isEqualTo(key(end, Kind.DOUBLE_RELEASE))
        .hasSameHashCodeAs(key(end, Kind.DOUBLE_RELEASE))
        .isNotEqualTo(key(end("Another"), Kind.DOUBLE_RELEASE))
        .isNotEqualTo(key(end, Kind.USE_AFTER_RELEASE))
        .isNotEqualTo(new MisuseCounts.Key(end, Kind.DOUBLE_RELEASE, Sites.get(Sites.RETAIN)))
        .isNotEqualTo(SITE);
  }

  @Test
  void aMisuseIsToldWithThePathOfTheRelease() {
    counts.add(key(end, Kind.RETAIN_AFTER_RELEASE), null, null, MisuseCounts.NO_STACK);
    counts.add(key(end, Kind.RETAIN_AFTER_RELEASE), null, null, MisuseCounts.NO_STACK);
    assertThat(counts.list())
        .singleElement()
        .satisfies(
            misuse -> {
              assertThat(misuse.kind()).isEqualTo(Kind.RETAIN_AFTER_RELEASE);
              assertThat(misuse.site()).isEqualTo(SITE);
              assertThat(misuse.count()).isEqualTo(2);
              assertThat(misuse.hops())
                  .extracting(hop -> hop.site().hop())
                  .containsExactly("MisuseEnd.on", "ByteBuf.release");
              assertThat(misuse.earlier()).isEmpty();
            });
  }

  /** A misuse does not say which memory it is of. */
  @Test
  void releasesOfBothKindsOfMemoryOnOnePathAreOneMisuse() {
    int root = Probe.site("MisuseOfBoth");
    MisuseCounts.Key heap = key(tree.root(root, 0).end(), Kind.DOUBLE_RELEASE);
    MisuseCounts.Key direct = key(tree.root(root, Node.DIRECT).end(), Kind.DOUBLE_RELEASE);
    for (int i = 0; i < 7; i++) {
      counts.add(i < 2 ? heap : direct, i < 2 ? null : end, null, MisuseCounts.NO_STACK);
    }
    assertThat(counts.list()).extracting(Misuse::count).containsExactly(7L);
    assertThat(earlier().get(0).site().hop()).as("of most of them").isEqualTo("MisuseEnd.on");
  }

  @Test
  void pastTheBoundOnlyTheKnownAreCounted() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 10; i++) {
        counts.add(key(end("Bound" + i), Kind.DOUBLE_RELEASE), null, null, MisuseCounts.NO_STACK);
      }
    }
    assertThat(counts.list())
        .extracting(misuse -> misuse.hops().get(0).site().hop(), Misuse::count)
        .containsExactlyInAnyOrder(
            tuple("Bound0.on", 2L), tuple("Bound1.on", 2L), tuple("Bound2.on", 2L));
  }

  @Test
  void ofTheLivesBeforeTheMostFrequentIsTold() {
    int[] times = {1, 2, 5, 3, 1};
    for (int i = 0; i < times.length; i++) {
      for (int time = 0; time < times[i]; time++) {
        counts.add(key(end, Kind.DOUBLE_RELEASE), end("Earlier" + i), null, MisuseCounts.NO_STACK);
      }
    }
    assertThat(earlier().get(0).site().hop()).isEqualTo("Earlier2.on");
  }

  @Test
  void onlySoManyLivesBeforeAreToldApart() {
    Node known = end("Known");
    counts.add(key(end, Kind.DOUBLE_RELEASE), known, null, MisuseCounts.NO_STACK);
    for (int i = 1; i < 16; i++) {
      counts.add(key(end, Kind.DOUBLE_RELEASE), end("Chance" + i), null, MisuseCounts.NO_STACK);
    }
    for (int i = 0; i < 9; i++) {
      counts.add(key(end, Kind.DOUBLE_RELEASE), end("TooLate"), null, MisuseCounts.NO_STACK);
    }
    counts.add(key(end, Kind.DOUBLE_RELEASE), known, null, MisuseCounts.NO_STACK);
    assertThat(earlier().get(0).site().hop()).isEqualTo("Known.on");
    assertThat(counts.list().get(0).count()).isEqualTo(26);
  }
}
