package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.buftrail.it.FlowCases.flows;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.it.programs.GuiltyLines;
import org.buftrail.it.programs.Server;
import org.buftrail.model.Snapshot;
import org.buftrail.report.SnapshotJsonReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the option that costs less, leaks and counts are the same, and some hops are missing. */
final class FewerHopsIT {
  private static final String FEWER = FlowCases.INCLUDE + ";fewerHops=true";
  private static final String SERVED =
      "PooledByteBufAllocator.directBuffer > Server.make > Server.make_return > Server.serve >"
          + " Server.work";

  @TempDir private Path directory;

  private List<String> paths(Setting setting, String mistakes) throws Exception {
    FlowsFile flows = flows(setting, FEWER, directory, GuiltyLines.class, mistakes);
    assertThat(flows.isBalanced()).isTrue();
    assertThat(rules("flows.json")).isEqualTo(Snapshot.HOP_RULES_FEWER);
    return flows.paths().stream()
        .filter(path -> path.live() == 0)
        .map(FlowsFile.FlowPath::summary)
        .map(path -> path.replace("GuiltyLines.", "").replace("GuiltyLines$", ""))
        .map(path -> path.replace("PooledByteBufAllocator.directBuffer > ", ""))
        .sorted()
        .toList();
  }

  private int rules(String file) throws Exception {
    return SnapshotJsonReader.read(directory.resolve(file)).hopRules();
  }

  @EachSetting(newestNetty = true)
  void releasesHaveNoLine(Setting setting) throws Exception {
    assertThat(paths(setting, "releases"))
        .containsExactly(
            "released > ByteBuf.release 1/0/0",
            "released > ByteBuf.retain > ByteBuf.release 1/0/0",
            "released > byItself > ByteBuf.release 1/0/0");
  }

  @EachSetting(newestNetty = true)
  void retainsAreTheLibrarys(Setting setting) throws Exception {
    assertThat(paths(setting, "retains"))
        .contains("oneRetainTooMany > Box.<init> > oneRetainTooMany > ByteBuf.retain 0/1/0");
  }

  @EachSetting(newestNetty = true)
  void callersOfOneFactoryThatPassItsBuffersOnAreOne(Setting setting) throws Exception {
    assertThat(paths(setting, "factory"))
        .containsExactly("make > make_return 0/2/0", "make > make_return > Box.<init> 0/1/0");
  }

  @Test
  void afterAnAttachToo() throws Exception {
    Setting newest = Setting.newest();
    List<String> line =
        List.of("-cp", newest.classPath(), Server.class.getName(), "running", "leaking", "stop");
    try (RunningProgram program = new RunningProgram(directory, newest.java(), line)) {
      program.await("running");
      ForkedJvm.Result attached = program.command("attach", FEWER + ";report=flows.json");
      assertThat(attached.exit()).as(attached.err()).isZero();
      program.create("leaking");
      program.await("lost");
      program.delete("leaking");
      program.stop();
    }
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.isBalanced()).isTrue();
    assertThat(rules("flows.json")).isEqualTo(Snapshot.HOP_RULES_FEWER);
    assertThat(flows.paths())
        .filteredOn(path -> path.leaked() > 0)
        .singleElement()
        .satisfies(
            path -> {
              assertThat(path.hops()).isEqualTo(SERVED);
              assertThat(path.leaked()).isEqualTo(5);
            });
    assertThat(flows.paths())
        .filteredOn(path -> path.released() > 0)
        .singleElement()
        .extracting(FlowsFile.FlowPath::hops)
        .isEqualTo(SERVED + " > ByteBuf.release");
  }

  @Test
  void aGateRefusesToCompareWithAllHops() throws Exception {
    Setting newest = Setting.newest();
    flows(newest, directory, GuiltyLines.class, "releases");
    assertThat(rules("flows.json")).isEqualTo(Snapshot.HOP_RULES);
    Files.move(directory.resolve("flows.json"), directory.resolve("all.json"));
    ForkedJvm.Result fewer =
        new ForkedJvm(directory)
            .on(newest)
            .environment("BUFTRAIL_FEWER_HOPS", "true")
            .agent(FlowCases.INCLUDE + ";report=flows.json")
            .run(GuiltyLines.class, "releases");
    assertThat(fewer.exit()).as(fewer.err()).isZero();
    assertThat(rules("flows.json")).isEqualTo(Snapshot.HOP_RULES_FEWER);
    ForkedJvm.Result diff =
        new ForkedJvm(directory)
            .runJar(
                "diff",
                directory.resolve("all.json").toString(),
                directory.resolve("flows.json").toString(),
                "--fail-on",
                "new-leak");
    assertThat(diff.exit()).isEqualTo(2);
    assertThat(diff.err().lines())
        .singleElement()
        .asString()
        .startsWith("buftrail: ")
        .contains("take both with fewerHops=true, or both without");
  }
}
