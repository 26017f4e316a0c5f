package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.it.programs.LateLeaker;
import org.buftrail.it.programs.Operated;
import org.buftrail.it.programs.Pinned;
import org.buftrail.it.programs.Recorded;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.read.OtlpReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A recording of a program with Netty's own events and the agent's: both become profiles that say
 * what the program did with its buffers.
 */
final class RecordedFlowsIT {
  private static final long TIMEOUT_SECONDS = 60;
  private static final String RECORDING =
      "-XX:StartFlightRecording=filename=flows.jfr,+io.netty.AllocateBuffer#enabled=true,"
          + "+io.netty.FreeBuffer#enabled=true,+io.netty.ReallocateBuffer#enabled=true,"
          + "+buftrail.LiveFlows#period=1s";
  private static final String CHUNKS =
      ",+io.netty.AllocateChunk#enabled=true,+io.netty.FreeChunk#enabled=true";

  @TempDir private Path directory;

  /** Has the program run for some seconds with four live buffers. */
  private void record() throws Exception {
    ForkedJvm jvm =
        new ForkedJvm(directory).option(RECORDING).agent(FlowCases.INCLUDE + ";report=flows.json");
    CompletableFuture<ForkedJvm.Result> run =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return jvm.run(Operated.class);
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    while (!Files.exists(directory.resolve("ready")) && System.nanoTime() < until) {
      Thread.sleep(50);
    }
    Thread.sleep(4_000);
    Files.createFile(directory.resolve("stop"));
    ForkedJvm.Result result = run.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    assertThat(result.exit()).as(result.err()).isZero();
  }

  /** The sums of each profile over stacks with a frame of a method. */
  private static Map<String, Long> sums(Profiles profiles, String method) {
    Map<String, Long> sums = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      for (int i = 0; i < profile.samples().size(); i++) {
        if (passes(profiles, profile.samples().stack(i), method)) {
          String name = profile.name() + " " + profile.sampleType();
          sums.merge(name, profile.value(i), Long::sum);
        }
      }
    }
    return sums;
  }

  private static boolean passes(Profiles profiles, int stack, String method) {
    for (int i = 0; i < profiles.dictionary().stacks().depth(stack); i++) {
      int location = profiles.dictionary().stacks().location(stack, i);
      int function = profiles.dictionary().locations().function(location);
      int name = profiles.dictionary().functions().name(function);
      if (profiles.dictionary().strings().get(name).endsWith(method)) {
        return true;
      }
    }
    return false;
  }

  private Profiles converted() throws Exception {
    ForkedJvm.Result converted =
        new ForkedJvm(directory).runJar("convert", "flows.jfr", "-o", "x.otlp", "--netty");
    assertThat(converted.exit()).as(converted.err()).isZero();
    assertThat(new ForkedJvm(directory).runJar("check", "x.otlp").exit()).isZero();
    try (InputStream in = Files.newInputStream(directory.resolve("x.otlp"))) {
      return OtlpReader.read(in).get(0);
    }
  }

  @Test
  void theAgentsEventsSayWhatTheProgramDid() throws Exception {
    record();
    Profiles profiles = converted();
    assertThat(sums(profiles, "Operated.hold"))
        .containsEntry("flow_live live_objects/count", 4L)
        .containsEntry("flow_live live_space/bytes", 4 * 1024L);
    Map<String, Long> handled = sums(profiles, "Operated.handle");
    assertThat(handled)
        .containsEntry("netty allocated_objects/count", 12L)
        .containsEntry("netty allocated_space/bytes", 12 * 1024L);
    // The events of Netty's pooled allocator have an address to pair them by on new JVMs only.
    assertThat(handled.getOrDefault("netty_live live_objects/count", 9L)).isEqualTo(9L);
  }

  /** The JVM dumps the recording while it ends, on a thread of its own. */
  @EachSetting(newestNetty = true)
  void theRecordingHasTheLastLeaksToo(Setting setting) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .option("-XX:StartFlightRecording=filename=flows.jfr")
            .agent(FlowCases.INCLUDE + ";report=flows.json")
            .run(LateLeaker.class);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(FlowsFile.read(directory.resolve("flows.json")).total("leaked")).isEqualTo(5);
    long told = 0;
    for (RecordedEvent event : RecordingFile.readAllEvents(directory.resolve("flows.jfr"))) {
      told += event.getEventType().getName().equals("buftrail.Leak") ? event.getLong("count") : 0;
    }
    assertThat(told).isEqualTo(5);
  }

  @Test
  void nettysEventsSayWhatWasNotGivenBack() throws Exception {
    ForkedJvm.Result result = new ForkedJvm(directory).option(RECORDING).run(Recorded.class);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(sums(converted(), "Recorded.take"))
        .containsEntry("netty allocated_objects/count", 6L)
        .containsEntry("netty allocated_space/bytes", 6 * 1024L)
        .containsEntry("netty_live live_objects/count", 2L)
        .containsEntry("netty_live live_space/bytes", 2 * 1024L);
  }

  /** The program prints what its allocator counts when it ends. */
  @EachSetting(newestNetty = true, netty42 = true, java = 17)
  void chunksAreThoseThatTheAllocatorCounts(Setting setting) throws Exception {
    for (String allocator : List.of("PooledByteBufAllocator", "AdaptiveByteBufAllocator")) {
      ForkedJvm.Result result =
          new ForkedJvm(directory)
              .on(setting)
              .option(RECORDING + CHUNKS)
              .run(Pinned.class, allocator, "16384", "4000", "100");
      assertThat(result.exit()).as(result.err()).isZero();
      // The JVM says before that it records.
      String ledger = result.out().lines().reduce((before, line) -> line).orElseThrow();
      long counted = Long.parseLong(ledger.split(" ", -1)[1]);
      ForkedJvm.Result converted =
          new ForkedJvm(directory).runJar("convert", "flows.jfr", "-o", "x.otlp", "--netty");
      assertThat(converted.exit()).as(converted.err()).isZero();
      Map<String, Long> sums = sums(converted(), "Pinned.main");
      if (converted.err().contains("io.netty.AllocateChunk events (")) {
        // What has no address on this JVM cannot be paired; its share is said.
        assertThat(setting.javaVersion()).isLessThan(24);
        assertThat(sums.getOrDefault("netty_chunks_live live_space/bytes", 0L)).isLessThan(counted);
      } else {
        assertThat(sums).containsEntry("netty_chunks_live live_space/bytes", counted);
      }
      assertThat(sums.get("netty_chunks allocated_space/bytes")).isGreaterThanOrEqualTo(counted);
    }
  }
}
