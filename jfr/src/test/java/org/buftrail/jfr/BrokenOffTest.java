package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.buftrail.jfr.file.ByteSource;
import org.buftrail.jfr.merge.ChunkPipeline;
import org.buftrail.profile.Profile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A recording that cannot be read to its end, and what comes after it. */
final class BrokenOffTest {
  /** More than is read at a time. */
  private static final int COPIES = 100;

  private final List<String> failed = new ArrayList<>();
  private final ChunkPipeline pipeline =
      new ChunkPipeline(
          Options.DEFAULT.values,
          new ChunkPipeline.Steps() {
            @Override
            public void merged(long bytes) {}

            @Override
            public void failed(Path file, IOException failure) {
              failed.add(file.getFileName() + ": " + failure.getMessage());
            }
          },
          null);

  @TempDir private Path directory;

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, StandardOpenOption.READ);
  }

  private Map<String, Long> totals() {
    Map<String, Long> totals = new TreeMap<>();
    for (Profile profile : pipeline.finish().profiles().profiles()) {
      totals.merge(profile.name() + " " + profile.column(), profile.total(), Long::sum);
    }
    return totals;
  }

  /** What was live is not known: neither at the end nor in the process of the next recording. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatCanBeReadIsConvertedAndNothingIsLive(int workers) throws IOException {
    Path once = Recordings.unpack("async-profiler", directory);
    Path other = Recordings.unpack("jdk21", directory);
    byte[] chunk = Files.readAllBytes(once);
    Path longer = directory.resolve("longer.jfr");
    try (OutputStream out = Files.newOutputStream(longer)) {
      for (int i = 0; i < COPIES; i++) {
        out.write(chunk);
      }
    }
    Map<String, Long> expected = totals(once);
    assertThat(expected).containsKeys("nativemem 0", "nativemem_unfreed 0", "cpu 0");
    expected.remove("nativemem_unfreed 0");
    expected.remove("nativemem_unfreed 1");
    expected.replaceAll((profile, total) -> (COPIES - 1) * total);
    totals(other).forEach((profile, total) -> expected.merge(profile, total, Long::sum));
    assertThat(failed).isEmpty();

    ExecutorService pool = Executors.newFixedThreadPool(workers);
    pipeline.workers(workers == 1 ? null : pool, workers);
    pipeline.begin();
    long readable = (COPIES - 1L) * chunk.length + 1_000;
    pipeline.read(longer, ByteSource.ofFile(new FailingChannel(open(longer), readable)));
    pipeline.read(other, ByteSource.ofFile(open(other)));
    assertThat(totals()).isEqualTo(expected);
    assertThat(failed).containsExactly("longer.jfr: Input/output error");
    pool.shutdown();
  }

  private Map<String, Long> totals(Path file) throws IOException {
    pipeline.begin();
    pipeline.read(file, ByteSource.ofFile(open(file)));
    return totals();
  }
}
