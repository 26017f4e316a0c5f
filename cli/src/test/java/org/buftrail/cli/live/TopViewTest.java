package org.buftrail.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.flow.Path;
import org.buftrail.flow.Site;
import org.buftrail.flow.Snapshot;
import org.buftrail.flow.TrackerStatus;
import org.junit.jupiter.api.Test;

final class TopViewTest {
  private static final long AT = 1_770_000_000_000L;
  private final TopView view = new TopView("process 7");

  private static Path path(boolean direct, String method, long released, long leaked, long live) {
    List<Path.Hop> hops = new ArrayList<>();
    hops.add(hop("io.netty.buffer.PooledByteBufAllocator", "directBuffer", 0));
    hops.add(hop("com.example.Handler", method, 31));
    return new Path(hops, direct, flows(released), flows(leaked), flows(live), live - 1, live - 1);
  }

  private static Path.Hop hop(String type, String method, int line) {
    return new Path.Hop(new Site(type, method, "", line, ""), "1-2", false, false);
  }

  private static Path.Flows flows(long count) {
    return new Path.Flows(count, count * 1_024);
  }

  private static Snapshot snapshot(long afterMillis, Path... paths) {
    long allocated = 0;
    for (Path path : paths) {
      allocated += path.flows();
    }
    return new Snapshot(
        AT + afterMillis, 1, allocated, 0, TrackerStatus.FINE, List.of(paths), List.of());
  }

  @Test
  void aRowHasLiveLeakedAgeAndPlace() {
    List<String> lines = view.lines(snapshot(0, path(true, "read", 10, 2, 3)), 120, 20);
    assertThat(lines.get(0)).startsWith("buftrail process 7  ").endsWith("  by live");
    assertThat(lines.get(1))
        .isEqualTo("live 3.0 KiB in 3   leaked 2.0 KiB in 2   direct live 3.0 KiB");
    assertThat(lines.get(2)).isEqualTo("allocated 15   paths 1");
    assertThat(lines.get(5))
        .isEqualTo(
            "   3.0 KiB         3    2.0 KiB        2                0.0s"
                + "  Handler.read:31 < PooledByteBufAllocator.directBuffer");
  }

  @Test
  void itSaysSinceWhenAndWhyNothingIsFollowed() {
    TrackerStatus status =
        new TrackerStatus.Builder().stop(new TrackerStatus.Stop(AT, "switched off")).build();
    Snapshot stopped = new Snapshot(AT, 1, 0, 0, status, List.of(), List.of());
    assertThat(view.lines(stopped, 120, 20).get(3))
        .matches("NOT FOLLOWING new buffers since ..:..:..: switched off");
  }

  @Test
  void ratesAreAgainstTheSnapshotBefore() {
    view.lines(snapshot(0, path(true, "read", 10, 0, 0)), 120, 20);
    List<String> lines =
        view.lines(
            snapshot(2_000, path(true, "read", 4_010, 0, 0), path(false, "late", 3, 0, 0)),
            120,
            20);
    assertThat(lines.get(2)).isEqualTo("allocated 4,013 (2,002/s)   paths 2");
    assertThat(lines.get(6)).contains("  1.5         -  Handler.late:31");
    assertThat(lines.get(5)).contains("2,000         -  Handler.read:31");
  }

  @Test
  void theOrderGoesRound() {
    Snapshot snapshot = snapshot(0, path(true, "live", 0, 1, 9), path(true, "leaked", 0, 5, 1));
    assertThat(view.lines(snapshot, 120, 20).get(5)).contains("Handler.live:31");
    view.nextOrder();
    assertThat(view.lines(snapshot, 120, 20).get(0)).endsWith("by leaked");
    assertThat(view.lines(snapshot, 120, 20).get(5)).contains("Handler.leaked:31");
    view.nextOrder();
    assertThat(view.lines(snapshot, 120, 20).get(0)).endsWith("by rate");
    view.nextOrder();
    assertThat(view.lines(snapshot, 120, 20).get(0)).endsWith("by live");
  }

  @Test
  void itFitsTheTerminal() {
    Path[] paths = new Path[50];
    for (int i = 0; i < paths.length; i++) {
      paths[i] = path(true, "method" + i, 1, 0, i + 1);
    }
    List<String> lines = view.lines(snapshot(0, paths), 40, 12);
    assertThat(lines).hasSize(12).allMatch(line -> line.length() <= 40);
    assertThat(lines.get(11)).isEqualTo("... 44 more paths");
    assertThat(view.lines(snapshot(0, paths), 100, 12).get(5)).contains("Handler.method49:31");
  }

  @Test
  void aNarrowTerminalLeavesThePathItsRoom() {
    List<String> lines = view.lines(snapshot(0, path(true, "read", 10, 2, 3)), 70, 12);
    assertThat(lines.get(4)).isEqualTo("      LIVE     LEAKED     NEW/S  PATH");
    assertThat(lines.get(5)).contains("Handler.read:31");
    assertThat(view.lines(snapshot(0), 100, 12).get(4)).contains("COUNT").contains("OLDEST");
  }

  @Test
  void aShortTerminalKeepsItsHead() {
    List<String> lines = view.lines(snapshot(0, path(true, "read", 10, 2, 3)), 40, 3);
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0)).startsWith("buftrail process 7");
  }

  @Test
  void aReleasedPathIsNamedByTheHopBefore() {
    List<Path.Hop> hops = new ArrayList<>();
    hops.add(hop("com.example.Handler", "read", 31));
    hops.add(
        new Path.Hop(new Site("io.netty.buffer.ByteBuf", "release", "", 0, ""), "0", false, false));
    Path path = new Path(hops, true, flows(9), flows(0), flows(0), -1, -1);
    assertThat(view.lines(snapshot(0, path), 120, 12).get(5))
        .isEqualTo("         -         -          -        -                   -  Handler.read:31");
  }

  @Test
  void controlCharactersDoNotReachTheTerminal() {
    assertThat(view.lines(snapshot(0, path(true, "a\033[2Jb", 0, 0, 1)), 120, 20).get(5))
        .contains("Handler.a?[2Jb:31");
  }
}
