package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.buftrail.it.programs.IdlePool;
import org.buftrail.it.programs.LostLock;
import org.buftrail.it.programs.Pinned;
import org.buftrail.it.programs.PinnedBySlices;
import org.junit.jupiter.api.io.TempDir;

/** Which buffers hold the chunks of Netty's pools, compared with what their release gives back. */
final class MemoryIT {
  private static final String POOLED = "PooledByteBufAllocator";
  private static final String ADAPTIVE = "AdaptiveByteBufAllocator";

  /** Bytes of a buffer, how many there are, and one in how many is kept. */
  private static final List<String> OF_16_KIB = List.of("16384", "4000", "100");

  private static final List<String> OF_64_KIB = List.of("65536", "800", "40");

  @TempDir private Path directory;

  @EachSetting
  void theFewThatHoldPooledChunks(Setting setting) throws Exception {
    whoHolds(setting, POOLED, OF_16_KIB, 40 * 16_384);
  }

  @EachSetting
  void theFewThatHoldPooledRuns(Setting setting) throws Exception {
    whoHolds(setting, POOLED, OF_64_KIB, 20 * 65_536);
  }

  @EachSetting(adaptive = true)
  void theFewThatHoldAdaptiveChunks(Setting setting) throws Exception {
    whoHolds(setting, ADAPTIVE, OF_16_KIB, 40 * 16_384);
  }

  @EachSetting(adaptive = true)
  void theFewThatHoldLargeAdaptiveChunks(Setting setting) throws Exception {
    whoHolds(setting, ADAPTIVE, OF_64_KIB, 20 * 65_536);
  }

  @EachSetting(newestNetty = true, adaptive = true)
  void thePromiseIsMostOfWhatComesBack(Setting setting) throws Exception {
    assertThat(whoHolds(setting, POOLED, OF_16_KIB, 40 * 16_384)).isGreaterThan(40 << 20);
    assertThat(whoHolds(setting, ADAPTIVE, OF_16_KIB, 40 * 16_384)).isGreaterThan(16 << 20);
    assertThat(Files.readString(directory.resolve("flows.txt")))
        .contains("40 buffers of Pinned.keepFew:")
        .contains(" (640.0 KiB) hold 20.0 MiB of direct memory")
        .contains("+ not located 0 B");
  }

  @EachSetting
  void memoryIsHeldWhereTheOnlySliceOfItIs(Setting setting) throws Exception {
    isHeldBySlices(setting, "disabled");
  }

  @EachSetting(newestNetty = true)
  void thatNettysDetectorLooksAtTheBuffersChangesNothing(Setting setting) throws Exception {
    isHeldBySlices(setting, "paranoid");
  }

  private void isHeldBySlices(Setting setting, String detection) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .option("-Dio.netty.leakDetection.level=" + detection)
            .agent(FlowCases.INCLUDE + ";report=flows.json")
            .run(PinnedBySlices.class);
    assertThat(result.exit()).as(result.err()).isZero();
    JsonNode memory =
        new ObjectMapper().readTree(directory.resolve("flows.json").toFile()).path("memory");
    assertThat(memory.path("unexplained")).isEmpty();
    JsonNode first = memory.path("holders").path(0);
    assertThat(first.path("path").path("hops").toString()).endsWith("\"PinnedBySlices.keep\"]");
    assertThat(first.path("buffers").asText()).isEqualTo(result.out().strip());
    assertThat(first.path("bufferBytes").asLong()).isEqualTo(15 * 65_536);
    assertThat(memory.path("holders")).hasSize(1);
  }

  /** Else the last report would keep the JVM from ending. */
  @EachSetting(newestNetty = true)
  void aThreadThatDiedWithTheLockOfAnArenaKeepsNobodyWaiting(Setting setting) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .agent(FlowCases.INCLUDE + ";report=flows.json")
            .run(LostLock.class);
    assertThat(result.exit()).as(result.err()).isZero();
    JsonNode flows = new ObjectMapper().readTree(directory.resolve("flows.json").toFile());
    assertThat(flows.path("totals").path("live").asInt()).isEqualTo(1);
    assertThat(flows.path("memory").path("unexplained").toString())
        .contains("the lock of an arena is not given back");
  }

  @EachSetting
  void anAllocatorWithoutALiveBufferIsListed(Setting setting) throws Exception {
    isListedIdle(setting, POOLED);
  }

  @EachSetting(adaptive = true)
  void anAdaptiveAllocatorWithoutALiveBufferIsListed(Setting setting) throws Exception {
    isListedIdle(setting, ADAPTIVE);
  }

  private void isListedIdle(Setting setting, String allocator) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .agent(FlowCases.INCLUDE + ";report=flows.json,flows.txt")
            .run(IdlePool.class, allocator);
    assertThat(result.exit()).as(result.err()).isZero();
    JsonNode memory =
        new ObjectMapper().readTree(directory.resolve("flows.json").toFile()).path("memory");
    assertThat(memory.path("unexplained")).isEmpty();
    assertThat(memory.path("holders")).isEmpty();
    assertThat(memory.path("pools")).hasSize(1);
    JsonNode pool = memory.path("pools").path(0);
    assertThat(pool.path("allocator").asText()).isEqualTo(allocator);
    assertThat(pool.path("direct").asBoolean()).isTrue();
    assertThat(pool.path("bytes").asText()).isEqualTo(result.out().strip());
    assertThat(pool.path("held").asLong()).isZero();
    assertThat(pool.path("notLocated").asLong() * 20)
        .isLessThanOrEqualTo(pool.path("bytes").asLong());
    assertThat(Files.readString(directory.resolve("flows.txt"))).contains("held by buffers 0 B");
  }

  /** What is promised of the path that is named first. */
  private long whoHolds(Setting setting, String allocator, List<String> amounts, long bytes)
      throws Exception {
    String[] ledger = run(setting, allocator, amounts, "");
    JsonNode root = new ObjectMapper().readTree(directory.resolve("flows.json").toFile());
    JsonNode memory = root.path("memory");
    assertThat(memory.path("unexplained")).isEmpty();
    JsonNode pool = memory.path("pools").path(0);
    assertThat(pool.path("allocator").asText()).isEqualTo(allocator);
    assertThat(pool.path("bytes").asText()).isEqualTo(ledger[1]);
    long found = pool.path("held").asLong() + pool.path("idle").asLong();
    assertThat(found + pool.path("notLocated").asLong()).isEqualTo(pool.path("bytes").asLong());
    assertThat(pool.path("notLocated").asLong() * 20).isLessThan(pool.path("bytes").asLong());
    long together = 30 * Long.parseLong(amounts.get(0));
    assertThat(pool.path("taken").asLong())
        .as("what live buffers take: %s", pool)
        .isGreaterThanOrEqualTo(bytes + together)
        .isLessThan(2 * (bytes + together));
    JsonNode first = memory.path("holders").path(0);
    assertThat(first.path("path").path("hops").toString()).endsWith("\"Pinned.keepFew\"]");
    assertThat(first.path("buffers").asText()).isEqualTo(ledger[0]);
    assertThat(first.path("bufferBytes").asLong()).isEqualTo(bytes);
    long promised = first.path("returned").asLong();
    String[] released = run(setting, allocator, amounts, "release");
    long back = Long.parseLong(released[1]) - Long.parseLong(released[2]);
    assertThat(back).as(first.toString()).isGreaterThanOrEqualTo(promised * 95 / 100);
    return promised;
  }

  private String[] run(Setting setting, String allocator, List<String> amounts, String release)
      throws Exception {
    String[] arguments = {allocator, amounts.get(0), amounts.get(1), amounts.get(2), release};
    ForkedJvm jvm = new ForkedJvm(directory).on(setting);
    if (release.isEmpty()) {
      jvm.agent(FlowCases.INCLUDE + ";report=flows.json,flows.txt");
    }
    ForkedJvm.Result result =
        jvm.run(Pinned.class, Arrays.copyOf(arguments, release.isEmpty() ? 4 : 5));
    assertThat(result.exit()).as(result.err()).isZero();
    return result.out().strip().split(" ");
  }
}
