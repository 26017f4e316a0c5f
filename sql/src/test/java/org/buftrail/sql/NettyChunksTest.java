package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which buffers hold which chunks, by events as Netty writes them. */
final class NettyChunksTest {
  private static final long MIB = 1 << 20;

  /** Addresses of three chunks of 4 MiB. */
  private static final long FIRST = 0x7f00_0000_0000L;

  private static final long SECOND = FIRST + 4 * MIB;
  private static final long THIRD = SECOND + 4 * MIB;

  @TempDir private static Path directory;
  private static Path recorded = Path.of("");

  abstract static class OfChunk extends Event {
    Class<?> allocatorType = String.class;
    int capacity = (int) (4 * MIB);
    boolean direct = true;
    long address;
    boolean pooled = true;
  }

  @Name("io.netty.AllocateChunk")
  static final class AllocateChunk extends OfChunk {}

  @Name("io.netty.FreeChunk")
  static final class FreeChunk extends OfChunk {}

  abstract static class OfBuffer extends Event {
    Class<?> allocatorType = String.class;
    int size = 1_024;
    boolean direct = true;
    long address;
  }

  @Name("io.netty.AllocateBuffer")
  static final class AllocateBuffer extends OfBuffer {}

  @Name("io.netty.ReallocateBuffer")
  static final class ReallocateBuffer extends OfBuffer {}

  @Name("io.netty.FreeBuffer")
  static final class FreeBuffer extends OfBuffer {}

  private static void commit(OfChunk event, long address) {
    event.address = address;
    event.commit();
  }

  private static void commit(OfBuffer event, long address) {
    event.address = address;
    event.commit();
  }

  private static void keep(long address) {
    commit(new AllocateBuffer(), address);
  }

  private static void share(long address) {
    commit(new AllocateBuffer(), address);
  }

  @BeforeAll
  static void record() throws Exception {
    recorded = directory.resolve("own.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      commit(new AllocateChunk(), FIRST);
      commit(new AllocateChunk(), SECOND);
      commit(new AllocateChunk(), THIRD);
      // What has no address cannot be placed.
      for (long place : new long[] {0, 4_096, 8_192, 8 * MIB - 1_024, 4 * MIB + 2_048, -FIRST}) {
        keep(FIRST + place);
      }
      for (long place : new long[] {SECOND, THIRD}) {
        share(place);
      }
      commit(new FreeBuffer(), FIRST + 8_192);
      commit(new ReallocateBuffer(), SECOND + 2_048);
      // A buffer at the chunk's own address frees no chunk.
      commit(new AllocateChunk(), THIRD + 4 * MIB);
      share(THIRD + 4 * MIB);
      commit(new FreeBuffer(), THIRD + 4 * MIB);
      commit(new FreeBuffer(), THIRD);
      commit(new FreeChunk(), THIRD);
      recording.dump(recorded);
    }
  }

  private static List<List<String>> ask(String query) throws IOException {
    Answer answer = Answer.to(query, recorded);
    assertThat(answer.exit()).as(answer.err()).isZero();
    return answer.rows();
  }

  @Test
  void eachLiveChunkHasItsLiveBuffers() throws IOException {
    assertThat(
            ask(
                "select address - "
                    + FIRST
                    + " as place, bytes, buffers, buffer_bytes, holders, stack_id is null as shared"
                    + " from netty_chunks order by place"))
        .containsExactly(
            List.of("0", "4194304", "2", "2048", "1", "false"),
            List.of("4194304", "4194304", "2", "2048", "2", "true"),
            List.of("12582912", "4194304", "0", "0", "0", "true"));
  }

  @Test
  void holdersAreNamedWithWhatTheyHoldAlone() throws IOException {
    assertThat(
            ask(
                "select buffers, buffer_bytes, chunks, hold, alone, path like '%.keep%' as kept"
                    + " from chunk_holders"))
        .containsExactly(
            List.of("3", "3072", "2", "8388608", "4194304", "true"),
            List.of("1", "1024", "1", "4194304", "0", "false"));
  }
}
