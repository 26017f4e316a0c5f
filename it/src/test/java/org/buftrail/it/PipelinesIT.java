package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.buftrail.it.FlowsFile.FlowPath;
import org.buftrail.it.programs.Frames;
import org.buftrail.it.programs.Https;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Real sockets and Netty's own handlers: TLS, HTTP with its aggregator, a decoder of frames. */
final class PipelinesIT {
  private static final String AGGREGATOR =
      "PooledByteBufAllocator.compositeDirectBuffer > MessageAggregator.decode >"
          + " HttpObjectAggregator.beginAggregation > HttpObjectAggregator.beginAggregation_return"
          + " > MessageAggregator.decode > MessageAggregator.appendPartialContent"
          + " > HttpObjectAggregator.aggregate >"
          + " MessageAggregator.finishAggregation0 > HttpObjectAggregator.finishAggregation"
          + " > HttpUtil.isContentLengthSet";
  private static final String DECRYPTED =
      "PooledByteBufAllocator.directBuffer > SslHandler.allocate > SslHandler.allocate_return"
          + " > SslHandler.unwrap > SslHandler$SslEngineType$3.unwrap > SslHandler.toByteBuffer"
          + " > ByteToMessageDecoder.channelRead > ByteToMessageDecoder$1.cumulate"
          + " > ByteToMessageDecoder$1.cumulate_return > ByteToMessageDecoder.channelRead"
          + " > ByteToMessageDecoder.callDecode"
          + " > ByteToMessageDecoder.decodeRemovalReentryProtection"
          + " > HttpServerCodec$HttpServerRequestDecoder.decode > HttpObjectDecoder.decode"
          + " > HttpObjectDecoder$LineParser.parse";

  @TempDir private static Path keys;
  @TempDir private Path directory;

  @BeforeAll
  static void makeKeys() throws Exception {
    Process keytool =
        new ProcessBuilder(
                Setting.OWN_JAVA.resolve("bin").resolve("keytool").toString(),
                "-genkeypair",
                "-alias",
                "service",
                "-keyalg",
                "RSA",
                "-dname",
                "CN=localhost",
                "-storetype",
                "PKCS12",
                "-storepass",
                "changeit",
                "-keystore",
                keys.resolve("keys.p12").toString())
            .redirectErrorStream(true)
            .redirectOutput(keys.resolve("keytool.txt").toFile())
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(keytool.exitValue()).isZero();
  }

  @EachSetting
  void aRequestThatIsForgottenOnAnErrorPathIsOneLeakWithAllThatItHolds(Setting setting)
      throws Exception {
    FlowsFile flows = https(setting, "pooled", FlowCases.INCLUDE);
    String service = "PooledByteBufAllocator.compositeDirectBuffer > Https$Service.channelRead0";
    assertThat(leaks(flows)).containsExactly(service + " > Https$Service.refuse 0/3+6/0");
    FlowPath leak = flows.paths().stream().filter(path -> path.leaked() > 0).findFirst().get();
    assertThat(leak.direct()).isTrue();
    assertThat(leak.severity()).isEqualTo("critical");
    assertThat(leak.leakedBytes()).as("three requests of 100 bytes").isBetween(300L, 3 * 16_384L);
    assertThat(released(flows, service + " > Https$Service.answer > Https$Service.respond"))
        .isEqualTo(10);
    // TLS may still be held by a connection that is not quite closed.
    assertThat(flows.paths())
        .filteredOn(path -> path.live() > 0)
        .noneMatch(path -> path.hops().contains("Https$"));
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void nettysHandlersAreStationsWhenTheyAreIncluded(Setting setting) throws Exception {
    String options = FlowCases.INCLUDE + ",io.netty.handler.*";
    FlowsFile flows = https(setting, "pooled", options);
    assertThat(leaks(flows))
        .containsExactly(
            AGGREGATOR + " > Https$Service.channelRead0 > Https$Service.refuse 0/3+6/0");
    assertThat(released(flows, AGGREGATOR + " > Https$Service.channelRead0 > Https$Service.answer"))
        .isEqualTo(10);
    // What TLS gave: released by the reader of the request, or by the last of its slices.
    assertThat(released(flows, DECRYPTED)).as("%s", flows.summaries()).isEqualTo(20);
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting(netty42 = true)
  void theAdaptiveAllocatorGivesNoSliceACountOfItsOwn(Setting setting) throws Exception {
    FlowsFile flows = https(setting, "adaptive", FlowCases.INCLUDE);
    assertThat(leaks(flows))
        .containsExactly(
            "AdaptiveByteBufAllocator.compositeDirectBuffer > Https$Service.channelRead0"
                + " > Https$Service.refuse 0/3+3/0");
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void framesAreFollowedFromTheSocketInsideMessages(Setting setting) throws Exception {
    assertFrames(run(setting, "pooled", FlowCases.INCLUDE, Frames.class, "nio"));
  }

  @EachSetting(natives = true)
  void soAreThoseOfEpoll(Setting setting) throws Exception {
    ForkedJvm.Result result = natively(setting, "epoll");
    assertThat(result.exit()).as(result.err()).isZero();
    assertFrames(FlowsFile.read(directory.resolve("flows.json")));
  }

  @EachSetting(natives = true, netty42 = true)
  void andThoseOfIoUringWhereTheMachineHasIt(Setting setting) throws Exception {
    ForkedJvm.Result result = natively(setting, "io_uring");
    if (result.exit() == 3) {
      assertThat(result.err()).contains("io_uring");
      return;
    }
    assertThat(result.exit()).as(result.err()).isZero();
    assertFrames(FlowsFile.read(directory.resolve("flows.json")));
  }

  private ForkedJvm.Result natively(Setting setting, String transport) throws Exception {
    return new ForkedJvm(directory)
        .on(setting)
        .alsoOnClassPath(setting.natives().resolve("*"))
        .option("-Dio.netty.allocator.type=pooled")
        .agent(FlowCases.INCLUDE + ";report=flows.json")
        .run(Frames.class, transport);
  }

  private static void assertFrames(FlowsFile flows) {
    String decoded = "PooledByteBufAllocator.directBuffer > Frames$Cutter.decode > ";
    String read = decoded + "Frames$Cutter.decode > Frames$Consumer.channelRead > Frames$Consumer.";
    assertThat(flows.summaries())
        .filteredOn(path -> path.contains("Frames"))
        .containsExactlyInAnyOrder(
            "PooledByteBufAllocator.directBuffer > Frames.frame > Frames.frame_return"
                + " > Frames.main > ByteBuf.release 20/0/0",
            decoded + "ByteBuf.retain > ByteBuf.release 16/0/0",
            read + "consume > ByteBuf.release 16/0/0",
            // Each slice with the buffer that it keeps alive.
            read + "forget 0/4+4/0");
    assertThat(flows.isBalanced()).isTrue();
  }

  private FlowsFile https(Setting setting, String allocator, String options)
      throws IOException, InterruptedException {
    return run(setting, allocator, options, Https.class, keys.resolve("keys.p12").toString());
  }

  private FlowsFile run(
      Setting setting, String allocator, String options, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .option("-Dio.netty.allocator.type=" + allocator)
            .agent(options + ";report=flows.json")
            .run(program, arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return FlowsFile.read(directory.resolve("flows.json"));
  }

  private static List<String> leaks(FlowsFile flows) {
    return flows.paths().stream().filter(path -> path.leaked() > 0).map(FlowPath::summary).toList();
  }

  private static long released(FlowsFile flows, String start) {
    return flows.paths().stream()
        .filter(path -> path.hops().startsWith(start + " > "))
        .mapToLong(FlowPath::released)
        .sum();
  }
}
