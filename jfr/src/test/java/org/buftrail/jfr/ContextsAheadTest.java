package org.buftrail.jfr;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Samples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scope is written when it ends, so samples of chunks before that one lie in it too. */
final class ContextsAheadTest {
  private static final String SAMPLE = "jdk.ExecutionSample";
  private static final String SCOPE = "io.opentelemetry.context.Scope";

  @TempDir private Path directory;

  private interface Content {
    void write(ChunkFile chunk) throws IOException;
  }

  private byte[] chunk(long start, long process, Content content) throws IOException {
    Path path = Files.createTempFile(directory, "chunk", ".jfr");
    try (ChunkFile chunk = new ChunkFile(path, true)) {
      chunk
          .type(SAMPLE, "pooled Thread sampledThread")
          .type(
              SCOPE,
              "long duration",
              "pooled Thread eventThread",
              "String traceId",
              "String spanId")
          .beginning(ChunkFile.START_NANOS + process + start, start)
          .thread(7, "seven")
          .thread(8, "eight");
      content.write(chunk);
    }
    return Files.readAllBytes(path);
  }

  private static void sample(ChunkFile chunk, long thread, long... times) throws IOException {
    for (long time : times) {
      chunk.event(SAMPLE, chunk.at(time).i8(thread));
    }
  }

  private static void scope(ChunkFile chunk, long start, long end, int number) throws IOException {
    chunk.event(
        SCOPE,
        chunk
            .at(start)
            .i8(end - start)
            .i8(7)
            .text(String.format("%032x", number), 3, UTF_8)
            .text(String.format("%016x", 100 + number), 3, UTF_8));
  }

  /** The samples by trace and span. */
  private Map<String, Long> links(byte[]... chunks) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] chunk : chunks) {
      all.writeBytes(chunk);
    }
    Path file = Files.write(directory.resolve("made.jfr"), all.toByteArray());
    Conversion conversion = Recording.of(file).convert(Options.DEFAULT);
    assertThat(conversion.damages()).isEmpty();
    var links = conversion.profiles().dictionary().links();
    Map<String, Long> found = new TreeMap<>();
    for (Profile profile : conversion.profiles().profiles()) {
      Samples samples = profile.samples();
      for (int i = 0; i < samples.size(); i++) {
        int link = samples.link(i);
        found.merge(links.traceLow(link) + "/" + links.span(link), profile.value(i), Long::sum);
      }
    }
    return found;
  }

  @Test
  void aScopeGoesThroughAllChunksUpToItsEnd() throws IOException {
    byte[] first = chunk(0, 0, chunk -> sample(chunk, 7, 10, 49, 50, 99));
    byte[] second = chunk(100, 0, chunk -> sample(chunk, 7, 110));
    byte[] third =
        chunk(
            200,
            0,
            chunk -> {
              sample(chunk, 7, 210, 260);
              sample(chunk, 8, 210);
              scope(chunk, 50, 250, 1);
            });
    byte[] last = chunk(300, 0, chunk -> sample(chunk, 7, 310));
    assertThat(links(first, second, third, last)).isEqualTo(Map.of("1/101", 4L, "0/0", 5L));
  }

  @Test
  void theInnermostOfThisAndOfLaterChunksCounts() throws IOException {
    byte[] first =
        chunk(
            0,
            0,
            chunk -> {
              sample(chunk, 7, 10, 60, 80, 95);
              scope(chunk, 55, 70, 2);
            });
    byte[] second =
        chunk(
            100,
            0,
            chunk -> {
              sample(chunk, 7, 110, 130, 160);
              scope(chunk, 90, 120, 3);
              scope(chunk, 50, 150, 1);
            });
    assertThat(links(first, second))
        .isEqualTo(Map.of("0/0", 2L, "1/101", 2L, "2/102", 1L, "3/103", 2L));
  }

  @Test
  void aScopeOfAnotherProcessSaysNothing() throws IOException {
    byte[] first = chunk(0, 0, chunk -> sample(chunk, 7, 60));
    byte[] second = chunk(100, 3_600_000_000_000L, chunk -> scope(chunk, 50, 150, 1));
    assertThat(links(first, second)).isEqualTo(Map.of("0/0", 1L));
  }
}
