package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.it.programs.Switched;
import org.junit.jupiter.api.io.TempDir;

/** Tracking switched on and off in a running JVM, by hand and by the clock. */
final class SwitchIT {
  private static final String HELD =
      "UnpooledByteBufAllocator.directBuffer > Switched.hold > Switched.hold_return";

  @TempDir private Path directory;

  private RunningProgram start(Setting setting, String options) throws IOException {
    return new RunningProgram(
        directory,
        setting.java(),
        List.of(
            "-javaagent:" + Setting.JAR + "=" + FlowCases.INCLUDE + ";report=flows.json;" + options,
            "-cp",
            setting.classPath(),
            Switched.class.getName()));
  }

  private static void swap(Path directory) throws IOException, InterruptedException {
    Path swap = Files.createFile(directory.resolve("swap"));
    while (Files.exists(swap)) {
      Thread.sleep(10);
    }
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void whileItIsOffNothingBeginsAndWhatIsUnderWayStillEnds(Setting setting) throws Exception {
    try (RunningProgram program = start(setting, "")) {
      program.await("ready");
      assertThat(program.command("off").exit()).isZero();
      FlowsFile off = program.dump();
      assertThat(off.total("live")).isEqualTo(1);
      assertThat(off.tracker("stopReason")).isEqualTo("switched off");
      // The buffer held is released, and the next one is not followed.
      swap(directory);
      FlowsFile later = program.dump();
      assertThat(later.total("allocated")).isEqualTo(off.total("allocated"));
      assertThat(later.total("live")).isZero();
      assertThat(later.isBalanced()).isTrue();
      assertThat(program.command("on").exit()).isZero();
      swap(directory);
      FlowsFile on = program.dump();
      assertThat(on.total("allocated")).isGreaterThan(off.total("allocated"));
      assertThat(on.tracker("stopReason")).isEmpty();
      assertThat(on.total("live")).isBetween(1L, 2L);
      program.stop();
      FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
      String released = HELD + " > Switched.main > Switched.main > ByteBuf.release 1/0/0";
      assertThat(flows.summaries())
          .as("each in a line of its own")
          .filteredOn(path -> path.startsWith(HELD))
          .containsExactly(released, released);
      assertThat(flows.isBalanced()).isTrue();
      assertThat(flows.total("allocated"))
          .isLessThan(Long.parseLong(Files.readString(directory.resolve("made"))));
    }
  }

  /** Waits for a quarter of a minute, and the clock is the agent's own. */
  @EachSetting(newestNetty = true, ownJvm = true)
  void delayAndDurationBoundTheTime(Setting setting) throws Exception {
    try (RunningProgram program = start(setting, "delay=15s;duration=2s")) {
      program.await("ready");
      FlowsFile before = program.dump();
      assertThat(before.total("allocated")).isZero();
      assertThat(before.tracker("stopReason")).isEqualTo("not switched on yet");
      awaitLine(program, "new buffers are followed from now on");
      awaitLine(program, "new buffers are followed no more: the duration is over");
      FlowsFile over = program.dump();
      assertThat(over.total("allocated")).isPositive();
      assertThat(over.tracker("stopReason")).contains("duration");
      swap(directory);
      assertThat(program.dump().total("allocated")).isEqualTo(over.total("allocated"));
      program.stop();
      FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
      assertThat(flows.total("allocated")).isEqualTo(over.total("allocated"));
      // Made before the delay was over, so never followed.
      assertThat(flows.summaries()).noneMatch(path -> path.startsWith(HELD));
      assertThat(flows.isBalanced()).isTrue();
    }
  }

  private static void awaitLine(RunningProgram program, String line) throws Exception {
    for (int i = 0; i < 600 && !program.err().contains(line); i++) {
      Thread.sleep(50);
    }
    assertThat(program.err()).contains(line);
  }
}
