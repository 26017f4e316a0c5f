package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.buftrail.it.programs.Dropper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the application drops is not kept alive: it runs in the heap that it runs in without us. */
final class HeldMemoryIT {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "256m, nothing.here, 1, 300, 4096, wrapped",
    "256m, org.buftrail.it, 1, 300, 4096, wrapped",
    "256m, nothing.here, 1, 300, 4096, part",
    "256m, nothing.here, 1, 300, 4096, grown",
    "256m, nothing.here, 1, 300, 4096, composite",
    "64m, nothing.here, 8, 500, 256, wrapped",
    "64m, nothing.here, 16, 500, 128, wrapped",
    "64m, nothing.here, 16, 500, 128, composite",
    "64m, nothing.here, 64, 200, 60, wrapped",
    "64m, nothing.here, 64, 200, 60, grown",
  })
  void droppedBuffersCanBeCollected(
      String heap, String include, String threads, String drops, String kib, String how)
      throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .option("-Xmx" + heap)
            .agent("include=" + include + ";report=flows.json")
            .run(Dropper.class, threads, drops, kib, how);
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    long dropped = Long.parseLong(threads) * Long.parseLong(drops);
    long made = how.equals("composite") ? 5 * dropped : dropped;
    assertThat(flows.total("allocated") - flows.total("released")).isEqualTo(made);
    assertThat(flows.isBalanced()).isTrue();
  }

  @Test
  void aThousandThreadsThatDrop() throws Exception {
    droppedBuffersCanBeCollected("128m", "nothing.here", "1000", "20", "32", "wrapped");
  }
}
