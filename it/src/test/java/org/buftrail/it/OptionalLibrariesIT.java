package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.buftrail.it.programs.LoadsNetty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Classes of Netty that need a library which is not there (OpenSSL, Brotli, Bouncy Castle, loggers)
 * never run, so an attach says nothing of them.
 */
final class OptionalLibrariesIT {
  @TempDir private Path directory;

  @EachSetting(newestNetty = true)
  void whatCannotRunIsNotTold(Setting setting) throws Exception {
    List<String> line =
        List.of("-cp", setting.classPath(), LoadsNetty.class.getName(), "loaded", "stop");
    try (RunningProgram program = new RunningProgram(directory, setting.java(), line)) {
      program.await("loaded");
      assertThat(Integer.parseInt(program.read("loaded"))).isGreaterThan(1_000);
      program.load("report=flows.json");
      program.load("detach");
      program.create("stop");
      program.awaitEnd();
      assertThat(program.err()).contains("buftrail: ").doesNotContain("as it is", "as they are");
      assertThat(FlowsFile.read(directory.resolve("flows.json")).isBalanced()).isTrue();
    }
  }
}
