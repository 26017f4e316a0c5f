package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.it.programs.NettyThings;
import org.junit.jupiter.api.io.TempDir;

/** What Netty's detector follows beside buffers is followed without an option. */
final class NettyThingsIT {
  private static final String TIMER =
      "HashedWheelTimer.open > NettyThings.timer > NettyThings.timer_return > ";
  private static final String QUERY =
      "AbstractDnsMessage.open > NettyThings.query > NettyThings.query_return > ";
  private static final String ENGINE =
      "ReferenceCountedOpenSslEngine.open > NettyThings.engine > NettyThings.engine_return > ";

  private static final String CONTEXT =
      "ReferenceCountedOpenSslContext.open > NettyThings.context > NettyThings.context_return > ";

  @TempDir private Path directory;

  private ForkedJvm jvm(Setting setting) {
    return jvm(setting, "report=flows.json");
  }

  private ForkedJvm jvm(Setting setting, String options) {
    List<Path> classPath = new ArrayList<>(setting.nettyJars());
    classPath.addAll(Setting.things());
    classPath.add(Setting.PROGRAMS);
    return new ForkedJvm(directory).on(setting).classPath(classPath).agent(options);
  }

  @EachSetting(newestNetty = true)
  void timersAndMessagesOfDns(Setting setting) throws Exception {
    ForkedJvm.Result result = jvm(setting).run(NettyThings.class);
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.summaries())
        .filteredOn(path -> path.contains("NettyThings"))
        .containsExactlyInAnyOrder(
            TIMER + "NettyThings.main 0/5/0",
            TIMER + "NettyThings.main > HashedWheelTimer.close 5/0/0",
            QUERY + "NettyThings.main > NettyThings.lose 0/5/0",
            QUERY + "AbstractDnsMessage.close 5/0/0");
  }

  @EachSetting(newestNetty = true)
  void enginesAndContextsOfOpenSsl(Setting setting) throws Exception {
    ForkedJvm.Result result = jvm(setting).run(NettyThings.class, "ssl");
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.paths())
        .filteredOn(path -> path.resource().contains("OpenSsl"))
        .extracting(FlowsFile.FlowPath::summary)
        .containsExactlyInAnyOrder(
            ENGINE + "NettyThings.engines > NettyThings.lose 0/5/0",
            ENGINE + "ReferenceCountedOpenSslEngine.close 5/0/0",
            CONTEXT
                + "NettyThings.main > NettyThings.engines > NettyThings.engine"
                + " > NettyThings.engine > NettyThings.engine 0/1/0",
            CONTEXT + "ReferenceCountedOpenSslContext.close 1/0/0");
  }

  /** Under their own names. */
  @EachSetting(newestNetty = true, java = 17)
  void inTheReport(Setting setting) throws Exception {
    ForkedJvm.Result result = jvm(setting, "report=flows.txt").run(NettyThings.class);
    assertThat(result.exit()).as(result.err()).isZero();
    assertThat(directory.resolve("flows.txt"))
        .content()
        .contains("of these io.netty.util.HashedWheelTimer: closed 5, leaked 5, live 0")
        .contains("(io.netty.handler.codec.dns.AbstractDnsMessage)  5 flows");
  }
}
