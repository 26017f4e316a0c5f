package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.buftrail.it.programs.CarriersKnown;
import org.buftrail.it.programs.Churn;
import org.junit.jupiter.api.io.TempDir;

/**
 * Millions of lives on threads that come and go: nothing is lost from the counts, and the tracker
 * does not grow. Longer: {@code -Dchurn.seconds=300}, or {@code -Dchurn.buffers=180000000}, what a
 * service makes in an hour at 50,000 a second.
 */
final class ChurnIT {
  /** Garbage that a collection leaves, and counters of the longest-lived threads. */
  private static final long MAX_GROWTH_KIB = 4 << 10;

  @TempDir private Path directory;

  @EachSetting(newestNetty = true)
  void onThreadsOfNetty(Setting setting) throws Exception {
    churn(setting, "netty");
  }

  @EachSetting(newestNetty = true)
  void onVirtualThreadsWhereThereAreAny(Setting setting) throws Exception {
    churn(setting, setting.javaVersion() >= 21 ? "virtual" : "plain");
  }

  /** Without that they would share rings, which is as exact, and slower. */
  @EachSetting(newestNetty = true)
  void carriersOfVirtualThreadsAreKnown(Setting setting) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory).on(setting).agent("include=none").run(CarriersKnown.class);
    assertThat(result.out()).as(result.err()).isEqualTo("" + (setting.javaVersion() >= 21));
  }

  private void churn(Setting setting, String threads) throws IOException, InterruptedException {
    long buffers = Long.parseLong(Setting.property("churn.buffers"));
    long atMost = buffers > 0 ? 3_600 : 120 + Long.parseLong(Setting.property("churn.seconds"));
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .option("-Xmx128m")
            .option("-Dio.netty.leakDetection.level=disabled")
            // Direct memory that is lost comes back when it is collected.
            .option("-Dio.netty.maxDirectMemory=0")
            .timeoutSeconds(atMost)
            .agent(FlowCases.INCLUDE + ";report=flows.json")
            .run(Churn.class, Setting.property("churn.seconds"), threads, Long.toString(buffers));
    assertThat(result.exit()).as(result.err()).isZero();
    String[] printed = result.out().split(" ", -1);
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(Long.parseLong(printed[0])).isGreaterThanOrEqualTo(buffers);
    assertThat(flows.total("allocated")).isEqualTo(Long.parseLong(printed[0]));
    assertThat(flows.total("leaked") + flows.total("dropped"))
        .isEqualTo(Long.parseLong(printed[1]));
    assertThat(flows.total("dropped")).as("unpooled heap").isPositive();
    assertThat(flows.total("live")).isZero();
    assertThat(flows.isBalanced()).isTrue();
    assertThat(flows.total("overflowed")).isZero();
    assertThat(Long.parseLong(printed[2])).as("KiB more").isLessThan(MAX_GROWTH_KIB);
  }
}
