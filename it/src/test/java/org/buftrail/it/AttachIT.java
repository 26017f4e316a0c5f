package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.buftrail.it.programs.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent attached to a JVM that is serving already, and detached from it. */
final class AttachIT {
  @TempDir private Path directory;

  @Test
  void buffersAreFollowedFromTheAttachToTheDetach() throws Exception {
    Path running = directory.resolve("running");
    Path leaking = directory.resolve("leaking");
    Path stop = directory.resolve("stop");
    Path flowsFile = directory.resolve("flows.json");
    Process process = serve(running, leaking, stop);
    try {
      await(running);
      load(process, FlowCases.INCLUDE + ";report=" + flowsFile);
      Files.createFile(leaking);
      Thread.sleep(1_500);
      Files.delete(leaking);
      Thread.sleep(500);
      Files.createFile(stop);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      FlowsFile flows = FlowsFile.read(flowsFile);
      String path =
          "PooledByteBufAllocator.directBuffer > Server.make > Server.make_return > Server.work";
      assertThat(flows.paths())
          .filteredOn(p -> p.leaked() > 0)
          .singleElement()
          .satisfies(
              leak -> {
                assertThat(leak.hops()).isEqualTo(path);
                assertThat(leak.leakedBytes()).isEqualTo(128 * leak.leaked());
                assertThat(leak.refs()).containsOnly("1-2");
              });
      assertThat(flows.paths())
          .anySatisfy(p -> assertThat(p.hops()).isEqualTo(path + " > ByteBuf.release"));
      assertThat(flows.isBalanced()).isTrue();
      assertThat(Files.readString(directory.resolve("stderr.txt")))
          .contains("buffers are followed from now on through a map");
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void afterADetachNothingIsFollowedAndNothingCountsAsLeaked() throws Exception {
    Path running = directory.resolve("running");
    Path leaking = directory.resolve("leaking");
    Path stop = directory.resolve("stop");
    Path flowsFile = directory.resolve("flows.json");
    Process process =
        new ProcessBuilder(
                Setting.newest().java().toString(),
                "-Dio.netty.leakDetection.level=disabled",
                "-cp",
                Setting.newest().classPath(),
                Server.class.getName(),
                running.toString(),
                leaking.toString(),
                stop.toString())
            .redirectOutput(directory.resolve("stdout.txt").toFile())
            .redirectError(directory.resolve("stderr.txt").toFile())
            .start();
    try {
      await(running);
      load(process, FlowCases.INCLUDE + ";report=" + flowsFile);
      Thread.sleep(1_000);
      load(process, "detach");
      Files.createFile(leaking);
      Thread.sleep(1_000);
      Files.createFile(stop);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      FlowsFile flows = FlowsFile.read(flowsFile);
      assertThat(flows.total("released")).isPositive();
      assertThat(flows.total("leaked")).isZero();
      assertThat(flows.total("live")).isZero();
      assertThat(flows.isBalanced()).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private Process serve(Path running, Path leaking, Path stop) throws IOException {
    return new ProcessBuilder(
            Setting.newest().java().toString(),
            "-Dio.netty.leakDetection.level=disabled",
            "-cp",
            Setting.newest().classPath(),
            Server.class.getName(),
            running.toString(),
            leaking.toString(),
            stop.toString())
        .redirectOutput(directory.resolve("stdout.txt").toFile())
        .redirectError(directory.resolve("stderr.txt").toFile())
        .start();
  }

  private static void load(Process process, String options) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(Long.toString(process.pid()));
    try {
      machine.loadAgent(Setting.JAR.toString(), options);
    } finally {
      machine.detach();
    }
  }

  private static void await(Path file) throws InterruptedException {
    for (int i = 0; i < 600 && !Files.exists(file); i++) {
      Thread.sleep(50);
    }
    assertThat(file).exists();
  }
}
