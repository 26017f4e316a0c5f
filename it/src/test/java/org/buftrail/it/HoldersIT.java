package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.buftrail.it.programs.HeldBuffers;
import org.buftrail.it.programs.Uploads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages that hold a buffer: what a hop learns from them, and that it does nothing to them. */
final class HoldersIT {
  @TempDir private Path directory;

  @EachSetting
  void theFieldOfAHolderIsReadAndNothingOfItIsCalled(Setting setting) throws Exception {
    ForkedJvm.Result result = run(setting, HeldBuffers.class);
    assertThat(result.out()).as("once for each message that was sent").isEqualTo("built 1500");
    assertThat(result.agentLines()).noneMatch(line -> line.contains("suppressed"));
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    String heap =
        "UnpooledByteBufAllocator.heapBuffer > HeldBuffers.heap > HeldBuffers.heap_return"
            + " > HeldBuffers.main";
    assertThat(flows.summaries())
        .containsExactly(
            "UnpooledByteBufAllocator.directBuffer > HeldBuffers.send > ByteBuf.release 1500/0/0",
            heap
                + " > HeldBuffers.framed > HeldBuffers.framed_return > HeldBuffers.main"
                + " > ByteBuf.release 1500/0/0",
            heap + " > HeldBuffers.http > ByteBuf.release 1/0/0",
            heap + " > HeldBuffers.own > ByteBuf.release 1/0/0",
            heap + " > HeldBuffers.packet > ByteBuf.release 1/0/0",
            heap + " > HeldBuffers.request > ByteBuf.release 1/0/0",
            heap + " > HeldBuffers.response > ByteBuf.release 1/0/0",
            heap + " > HeldBuffers.socket > ByteBuf.release 1/0/0",
            heap
                + " > HeldBuffers.stamped > HeldBuffers.stamped_return > HeldBuffers.main"
                + " > ByteBuf.release 1500/0/0",
            heap + " > HeldBuffers.view > ByteBuf.release 1/0/0");
    assertThat(flows.isBalanced()).isTrue();
  }

  @EachSetting
  void anUploadOnDiskIsNotReadToHandItOn(Setting setting) throws Exception {
    ForkedJvm.Result result = run(setting, Uploads.class);
    assertThat(result.out())
        .as("new steps of a path take a little")
        .matches("0 KiB 0 KiB \\d KiB ");
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.total("leaked")).isZero();
    assertThat(flows.summaries())
        .as("what is in memory is followed")
        .filteredOn(path -> path.contains("Uploads.accept"))
        .singleElement()
        .asString()
        .contains("Uploads.accept > Uploads.check > Uploads.store > Uploads.store_return")
        .endsWith("1/0/0");
    assertThat(flows.isBalanced()).isTrue();
  }

  @Test
  void theSameOfANettyThatWasLoadedBeforeTheAgent() throws Exception {
    Path loaded = directory.resolve("loaded");
    Path go = directory.resolve("go");
    Process process =
        new ProcessBuilder(
                Setting.newest().java().toString(),
                "-cp",
                Setting.newest().classPath(),
                HeldBuffers.class.getName(),
                loaded.toString(),
                go.toString())
            .redirectOutput(directory.resolve("stdout.txt").toFile())
            .redirectError(directory.resolve("stderr.txt").toFile())
            .start();
    try {
      for (int i = 0; i < 600 && !Files.exists(loaded); i++) {
        Thread.sleep(50);
      }
      Path flowsFile = directory.resolve("flows.json");
      VirtualMachine machine = VirtualMachine.attach(Long.toString(process.pid()));
      machine.loadAgent(Setting.JAR.toString(), FlowCases.INCLUDE + ";report=" + flowsFile);
      machine.detach();
      Files.createFile(go);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(Files.readString(directory.resolve("stdout.txt"))).isEqualTo("built 1500");
      FlowsFile flows = FlowsFile.read(flowsFile);
      String heap =
          "UnpooledByteBufAllocator.heapBuffer > HeldBuffers.heap > HeldBuffers.heap_return";
      assertThat(flows.summaries())
          .containsExactly(
              "UnpooledByteBufAllocator.directBuffer > HeldBuffers.send > ByteBuf.release 1500/0/0",
              // The field of the application's own holders is not known.
              heap + " > ByteBuf.release 1/0/0",
              heap + " > HeldBuffers.framed > HeldBuffers.framed_return > ByteBuf.release 1500/0/0",
              heap + " > HeldBuffers.http > ByteBuf.release 1/0/0",
              heap + " > HeldBuffers.packet > ByteBuf.release 1/0/0",
              heap + " > HeldBuffers.request > ByteBuf.release 1/0/0",
              heap + " > HeldBuffers.response > ByteBuf.release 1/0/0",
              heap + " > HeldBuffers.socket > ByteBuf.release 1/0/0",
              heap + " > HeldBuffers.stamped > ByteBuf.release 1500/0/0",
              heap + " > HeldBuffers.view > ByteBuf.release 1/0/0");
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private ForkedJvm.Result run(Setting setting, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .agent(FlowCases.INCLUDE + ";report=flows.json")
            .run(program, arguments);
    assertThat(result.exit()).as(result.err()).isZero();
    return result;
  }
}
