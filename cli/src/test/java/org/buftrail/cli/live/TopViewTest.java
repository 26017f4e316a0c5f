package org.buftrail.cli.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.buftrail.model.fixtures.CountedByHand;
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
        AT + afterMillis,
        1,
        allocated,
        0,
        TrackerStatus.FINE,
        new CountedByHand(List.of(paths)),
        List.of());
  }

  private List<String> lines(Snapshot now, int width, int height) {
    view.update(now);
    return shown(width, height, false);
  }

  private List<String> shown(int width, int height, boolean keys) {
    return view.lines(width, height, keys).stream()
        .map(line -> line.text().stripTrailing())
        .toList();
  }

  private List<String> places(int width, int height) {
    return shown(width, height, true).stream()
        .filter(line -> line.contains("Handler."))
        .map(line -> line.replaceAll(".*Handler\\.|:.*", ""))
        .toList();
  }

  private void type(String text) {
    text.chars().forEach(view::press);
  }

  private static Path growing(String method, long live) {
    Path path = path(true, method, 0, 0, live);
    return new Path(path.hops(), true, flows(0), flows(0), flows(live), live * 1_000, live * 500);
  }

  @Test
  void aRowHasLiveLeakedAgeAndPlace() {
    List<String> lines = lines(snapshot(0, path(true, "read", 10, 2, 3)), 120, 20);
    assertThat(lines.get(0)).startsWith("buftrail process 7  ").endsWith("  by live");
    assertThat(lines.get(1))
        .isEqualTo("live 3.0 KiB in 3   leaked 2.0 KiB in 2   direct live 3.0 KiB");
    assertThat(lines.get(2)).isEqualTo("allocated 15   paths 1");
    assertThat(lines.get(5))
        .isEqualTo(
            "   3.0 KiB         3    2.0 KiB        2                0.0s"
                + " ! Handler.read:31 < PooledByteBufAllocator.directBuffer");
  }

  private static Path through(boolean direct, String refs, String... methods) {
    List<Path.Hop> hops = new ArrayList<>();
    for (String method : methods) {
      Site site = new Site("com.example.Handler", method, "", 0, "");
      hops.add(new Path.Hop(site, refs, false, false));
    }
    return new Path(hops, direct, flows(0), flows(0), flows(1), 0, 0);
  }

  @Test
  void rowsThatWouldReadAlikeAreToldApart() {
    Path one = through(true, "1-2", "root", "first", "aLongNameBetween", "end");
    Path other = through(true, "1-2", "root", "second", "aLongNameBetween", "end");
    Path heap = through(false, "1-2", "root", "second", "aLongNameBetween", "end");
    Path counted = through(true, "3-5", "root", "second", "aLongNameBetween", "end");
    Path shorter = through(true, "1-2", "second", "aLongNameBetween", "end");
    assertThat(Places.of(List.of(one, other), 40))
        .containsExactly("Handler.end < .. < Handler.first", "Handler.end < .. < Handler.second");
    assertThat(Places.of(List.of(one, other, heap, counted), 40))
        .containsExactly(
            "Handler.end < .. < Handler.first",
            "Handler.end [1-2] direct",
            "Handler.end [1-2] heap",
            "Handler.end [3-5] direct");
    assertThat(Places.of(List.of(other, shorter), 40))
        .containsExactly("Handler.end < .. < Handler.root", "Handler.end < .. < -");
    assertThat(Places.of(List.of(one, other), 20))
        .doesNotHaveDuplicates()
        .allSatisfy(text -> assertThat(text).hasSizeLessThanOrEqualTo(20));
    assertThat(Places.of(List.of(one, through(true, "1-2", "root", "else")), 28))
        .as("no need")
        .containsExactly("Handler.end", "Handler.else < Handler.root");
  }

  @Test
  void rowsToldApartByDifferentHopsDoNotReadAlike() {
    Path one = through(true, "1-2", "root", "quiteLongHopName", "aLongNameBetween", "end");
    Path other = through(true, "1-2", "root", "reader", "aLongNameBetween", "end");
    Path nearer = through(true, "1-2", "root", "between", "quiteLongHopName", "end");
    assertThat(Places.of(List.of(one, other, nearer), 30))
        .containsExactly(
            "Handler.end < quiteLongHopName",
            "Handler.end < Handler.reader",
            "Handler.end < quiteLongHopN #2");
    Path alone = through(true, "1-2", "end");
    assertThat(Places.of(List.of(other, alone), 30))
        .containsExactly("Handler.end < aLongNameBetween", "Handler.end < -");
  }

  @Test
  void itSaysSinceWhenAndWhyNothingIsFollowed() {
    TrackerStatus status =
        new TrackerStatus.Builder().stop(new TrackerStatus.Stop(AT, "switched off")).build();
    Snapshot stopped = new Snapshot(AT, 1, 0, 0, status, List.of(), List.of());
    assertThat(lines(stopped, 120, 20).get(3))
        .matches("NOT FOLLOWING new buffers since ..:..:..: switched off");
  }

  @Test
  void ratesAreAgainstTheSnapshotBefore() {
    lines(snapshot(0, path(true, "read", 10, 0, 0)), 120, 20);
    List<String> lines =
        lines(
            snapshot(2_000, path(true, "read", 4_010, 0, 0), path(false, "late", 3, 0, 0)),
            120,
            20);
    assertThat(lines.get(2)).isEqualTo("allocated 4,013 (2,002/s)   paths 2");
    assertThat(lines.get(6)).contains("  1.5         -   Handler.late:31");
    assertThat(lines.get(5)).contains("2,000         -   Handler.read:31");
  }

  @Test
  void theOrderGoesRound() {
    Snapshot snapshot = snapshot(0, path(true, "live", 0, 1, 9), path(true, "leaked", 0, 5, 1));
    assertThat(lines(snapshot, 120, 20).get(5)).contains("Handler.live:31");
    view.press('s');
    assertThat(lines(snapshot, 120, 20).get(0)).endsWith("by leaked");
    assertThat(lines(snapshot, 120, 20).get(5)).contains("Handler.leaked:31");
    view.press('s');
    assertThat(lines(snapshot, 120, 20).get(0)).endsWith("by rate");
    view.press('s');
    assertThat(lines(snapshot, 120, 20).get(0)).endsWith("by live");
  }

  @Test
  void itFitsTheTerminal() {
    Path[] paths = new Path[50];
    for (int i = 0; i < paths.length; i++) {
      paths[i] = path(true, "method" + i, 1, 0, i + 1);
    }
    List<String> lines = lines(snapshot(0, paths), 40, 12);
    assertThat(lines).hasSize(12).allMatch(line -> line.length() <= 40);
    assertThat(lines.get(11)).isEqualTo("... 44 more paths");
    assertThat(lines(snapshot(0, paths), 100, 12).get(5)).contains("Handler.method49:31");
  }

  @Test
  void aNarrowTerminalLeavesThePathItsRoom() {
    List<String> lines = lines(snapshot(0, path(true, "read", 10, 2, 3)), 70, 12);
    assertThat(lines.get(4)).isEqualTo("      LIVE     LEAKED     NEW/S   PATH");
    assertThat(lines.get(5)).contains("Handler.read:31");
    assertThat(lines(snapshot(0), 100, 12).get(4)).contains("COUNT").contains("OLDEST");
  }

  @Test
  void aShortTerminalKeepsItsHead() {
    List<String> lines = lines(snapshot(0, path(true, "read", 10, 2, 3)), 40, 3);
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
    assertThat(lines(snapshot(0, path), 120, 12).get(5))
        .isEqualTo(
            "         -         -          -        -                   -   Handler.read:31");
  }

  @Test
  void controlCharactersDoNotReachTheTerminal() {
    assertThat(lines(snapshot(0, path(true, "a\033[2Jb", 0, 0, 1)), 120, 20).get(5))
        .contains("Handler.a\\u001b[2Jb:31");
  }

  @Test
  void suspectsAreMarkedAndAddedUp() {
    List<String> lines =
        lines(snapshot(0, growing("refuse", 30), path(true, "keep", 0, 0, 40)), 120, 20);
    assertThat(lines.get(3))
        .isEqualTo("30.0 KiB in 30 live on 1 suspect path: growing and not released as others are");
    assertThat(lines.get(5)).contains("   Handler.keep:31");
    assertThat(lines.get(6)).contains(" ? Handler.refuse:31");
    assertThat(view.lines(120, 20, true).get(6).style()).isEqualTo(Line.Style.SUSPECT);
  }

  @Test
  void whatIsNoSuspectAnyMoreIsNotMarked() {
    lines(snapshot(0, growing("refuse", 31), path(true, "keep", 0, 0, 43)), 120, 20);
    List<String> lines =
        lines(snapshot(2_000, path(true, "keep", 0, 0, 47), growing("reject", 37)), 120, 20);
    assertThat(lines.get(3)).startsWith("37.0 KiB in 37 live on 1 suspect path: ");
    assertThat(lines.get(5)).contains("   Handler.keep:31");
    assertThat(lines.get(6)).contains(" ? Handler.reject:31");
    lines = lines(snapshot(4_000, path(true, "keep", 0, 0, 47)), 120, 20);
    assertThat(lines.get(3)).isEmpty();
    assertThat(lines.get(5)).contains("   Handler.keep:31");
  }

  @Test
  void whatIsNotLiveComesLast() {
    Path file =
        new Path(
            List.of(hop("java.io.File", "open", 0)),
            false,
            flows(0),
            flows(0),
            new Path.Flows(1, 0),
            1,
            1);
    List<String> lines =
        lines(
            snapshot(0, path(true, "leaked", 0, 9, 0), file, path(true, "live", 9, 0, 1)), 120, 20);
    assertThat(lines.get(5)).contains("Handler.live:31");
    assertThat(lines.get(6)).contains("File.open");
    assertThat(lines.get(7)).contains("Handler.leaked:31");
  }

  @Test
  void aFilterIsTypedAndTakenBack() {
    view.update(snapshot(0, path(true, "read", 0, 0, 2), path(true, "write", 0, 0, 1)));
    type("/wRq");
    assertThat(shown(120, 20, true)).last().isEqualTo("/wRq_");
    assertThat(places(120, 20)).isEmpty();
    view.press(Key.DELETE);
    assertThat(places(120, 20)).containsExactly("write");
    view.press(Key.ENTER);
    assertThat(shown(120, 20, true).get(0)).endsWith("by live  /wR");
    assertThat(shown(120, 20, true)).last().asString().startsWith("1-1 of 1  q end  s sort");
    view.press(Key.ESCAPE);
    assertThat(places(120, 20)).containsExactly("read", "write");
  }

  @Test
  void keysEndRefreshAndPause() {
    assertThat(view.press('x')).isEqualTo(TopView.Wish.NOTHING);
    assertThat(view.press(' ')).isEqualTo(TopView.Wish.REFRESH);
    assertThat(view.press('p')).isEqualTo(TopView.Wish.DRAW);
    assertThat(view.isPaused()).isTrue();
    view.update(snapshot(0));
    assertThat(shown(120, 20, true).get(0)).endsWith("PAUSED");
    view.press('p');
    assertThat(view.isPaused()).isFalse();
    assertThat(view.press('q')).isEqualTo(TopView.Wish.END);
    assertThat(view.press(Key.INTERRUPT)).isEqualTo(TopView.Wish.END);
  }

  @Test
  void itScrollsByRowsAndPagesAndNotFurther() {
    Path[] paths = new Path[12];
    for (int i = 0; i < paths.length; i++) {
      paths[i] = path(true, "m" + i, 0, 0, 100 - i);
    }
    view.update(snapshot(0, paths));
    assertThat(places(120, 10)).containsExactly("m0", "m1", "m2", "m3");
    view.press(Key.DOWN);
    assertThat(places(120, 10)).containsExactly("m1", "m2", "m3", "m4");
    view.press(Key.PAGE_DOWN);
    assertThat(places(120, 10)).containsExactly("m5", "m6", "m7", "m8");
    assertThat(shown(120, 10, true)).last().asString().startsWith("6-9 of 12  ");
    view.press(Key.PAGE_DOWN);
    assertThat(places(120, 10)).containsExactly("m8", "m9", "m10", "m11");
    view.press(Key.HOME);
    view.press(Key.UP);
    assertThat(places(120, 10)).startsWith("m0");
    view.press(Key.END);
    assertThat(places(120, 10)).endsWith("m11");
    view.press('s');
    assertThat(places(120, 10)).startsWith("m0");
  }

  @Test
  void aNarrowNameIsCutBeforeTheMethod() {
    Snapshot snapshot = snapshot(0, path(true, "refuse", 0, 0, 3));
    assertThat(lines(snapshot, 29, 12).get(5)).isEqualTo("   3.0 KiB   ..dler.refuse:31");
    assertThat(lines(snapshot, 24, 12).get(5)).isEqualTo("   3.0 KiB   refuse:31");
  }

  @Test
  void keysOfTerminalsAreRead() throws IOException {
    assertThat(keys("q\033[A\033OB\033[5~\033[6~\033[1;5C\033[H\033[4~\033"))
        .containsExactly(
            (int) 'q',
            Key.UP,
            Key.DOWN,
            Key.PAGE_UP,
            Key.PAGE_DOWN,
            Key.UNKNOWN,
            Key.HOME,
            Key.END,
            Key.ESCAPE);
  }

  private static List<Integer> keys(String typed) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(typed.getBytes(StandardCharsets.US_ASCII));
    List<Integer> keys = new ArrayList<>();
    for (int key = Key.read(in); key != Key.NONE; key = Key.read(in)) {
      keys.add(key);
    }
    return keys;
  }
}
