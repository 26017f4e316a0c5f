package org.buftrail.agent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A container that is nearly full is seen in both versions of control groups, and told. */
final class ContainerSnapshotsTest {
  private static final long MINUTE = 60_000_000_000L;

  @TempDir Path folder;

  private ContainerMemory memory() {
    return ContainerMemory.in(folder.resolve("mounted"), folder.resolve("membership"));
  }

  private void file(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Test
  void cachedFilesOfTheSecondVersionAreNotCounted() throws IOException {
    file("membership", "0::/\n");
    file("mounted/memory.max", "1000000\n");
    file("mounted/memory.current", "950000\n");
    assertThat(memory().percent()).isEqualTo(95);
    file("mounted/memory.stat", "anon 100\ninactive_file 200000\nfile 1\n");
    assertThat(memory().percent()).isEqualTo(75);
    file("mounted/memory.current", "100000\n");
    assertThat(memory().percent()).isEqualTo(10);
    file("mounted/memory.max", "max\n");
    assertThat(memory().percent()).isZero();
  }

  @Test
  void groupsWithinTheMountAreFound() throws IOException {
    file("membership", "0::/pods/one\n");
    file("mounted/memory.max", "max\n");
    file("mounted/pods/one/memory.max", "1000000\n");
    file("mounted/pods/one/memory.current", "920000\n");
    assertThat(memory().percent()).isEqualTo(92);
  }

  /** A service may have no limit of its own, and a limit of all services that it is one of. */
  @Test
  void aGroupAroundItsOwnMayBeTheFullOne() throws IOException {
    file("membership", "0::/pods/one\n");
    file("mounted/pods/memory.max", "2000000\n");
    file("mounted/pods/memory.current", "1860000\n");
    file("mounted/pods/one/memory.max", "max\n");
    file("mounted/pods/one/memory.current", "500000\n");
    assertThat(memory().percent()).isEqualTo(93);
    file("mounted/pods/one/memory.max", "510000\n");
    assertThat(memory().percent()).isEqualTo(98);
  }

  @Test
  void theFirstVersionIsFound() throws IOException {
    file("membership", "12:cpu:/x\n9:memory:/docker/abc\n0::/\n");
    file("mounted/memory/memory.limit_in_bytes", "2000000\n");
    file("mounted/memory/memory.usage_in_bytes", "1900000\n");
    assertThat(memory().percent()).isEqualTo(95);
    file("mounted/memory/memory.limit_in_bytes", "9223372036854771712\n");
    assertThat(memory().percent()).isZero();
  }

  @Test
  void whereThereAreNoGroupsNothingIsUsed() {
    assertThat(memory().percent()).isZero();
  }

  @Test
  void oneIsWrittenAMinuteWhileItRises() throws Exception {
    int[] percent = {89};
    long[] nanos = {-5};
    List<Snapshot> written = new ArrayList<>();
    ContainerSnapshots watcher =
        new ContainerSnapshots(() -> percent[0], () -> nanos[0], written::add);
    Snapshot now = Snapshot.empty(0);

    assertThat(watcher.isWanted()).isFalse();
    percent[0] = 90;
    assertThat(watcher.isWanted()).isTrue();
    watcher.look(now);
    percent[0] = 95;
    assertThat(watcher.isWanted()).as("within a minute").isFalse();
    nanos[0] += MINUTE;
    assertThat(watcher.isWanted()).isTrue();
    watcher.look(now);
    nanos[0] += MINUTE;
    assertThat(watcher.isWanted()).as("no more than before").isFalse();
    percent[0] = 80;
    assertThat(watcher.isWanted()).isFalse();
    percent[0] = 91;
    assertThat(watcher.isWanted()).as("risen again").isTrue();
    assertThat(written).hasSize(2);
  }
}
