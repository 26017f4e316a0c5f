package org.buftrail.junit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

final class KernelTasksTest {
  @Test
  void aThreadRunsOrWaitsForADiskUnlessItIsOfTheJvm() {
    assertThat(KernelTasks.isRunning("17 (nioEventLoopGro) R 1 2")).isTrue();
    assertThat(KernelTasks.isRunning("17 (a) S (b)) D 1 2")).isTrue();
    assertThat(KernelTasks.isRunning("17 (VM Thread) R 1 2")).as("stops the others").isTrue();
    assertThat(KernelTasks.isRunning("17 (nioEventLoopGro) S 1 2")).isFalse();
    assertThat(KernelTasks.isRunning("17 (C2 CompilerThre) R 1 2")).isFalse();
    assertThat(KernelTasks.isRunning("17 (C2 Comp..hread0) R 1 2")).isFalse();
    for (String other :
        new String[] {
          "process reaper",
          "process reaper ",
          "Attach Listener",
          "VM Periodic Tas",
          "VM Peri..Thread",
          "Monitor Ctrl-Br",
          "Monitor..-Break",
          "surefire-forked",
          "surefir..thread",
          "buftrail-writer",
          "buftrai..writer"
        }) {
      assertThat(KernelTasks.isRunning("17 (" + other + ") R 1 2")).as(other).isFalse();
    }
    for (String own :
        new String[] {"processor-1", "process..ool-17", "MonitorThread", "Attachment"}) {
      assertThat(KernelTasks.isRunning("17 (" + own + ") R 1 2")).as(own).isTrue();
    }
  }

  /** The kernel cuts a name after 15 bytes, here in the middle of a character. */
  @Test
  void aThreadWhoseNameIsCutWithinACharacterRuns(@TempDir Path task) throws IOException {
    byte[] stat = "17 (ääääääää) R 1 2".getBytes(UTF_8);
    byte[] cut = new byte[stat.length - 1];
    System.arraycopy(stat, 0, cut, 0, 19);
    System.arraycopy(stat, 20, cut, 19, cut.length - 19);
    Files.write(task.resolve("stat"), cut);
    assertThat(KernelTasks.isRunning(task)).isTrue();
    Files.delete(task.resolve("stat"));
    assertThat(KernelTasks.isRunning(task)).as("it has ended").isFalse();
  }

  @Test
  void theSystemTellsOrDoesNot() {
    assertThat(KernelTasks.areTold()).isEqualTo(KernelTasks.isAnyRunning() != null);
  }

  @Test
  @Timeout(60)
  @EnabledOnOs(OS.LINUX)
  void aThreadThatRunsIsSeenWhereItWaitsForAProcessorToo() throws InterruptedException {
    Thread[] threads = new Thread[Runtime.getRuntime().availableProcessors() + 1];
    for (int i = 0; i < threads.length; i++) {
      threads[i] =
          new Thread(
              () -> {
                while (!Thread.currentThread().isInterrupted()) {
                  Thread.onSpinWait();
                }
              });
      threads[i].start();
    }
    try {
      assertThat(KernelTasks.isAnyRunning()).isTrue();
    } finally {
      for (Thread thread : threads) {
        thread.interrupt();
        thread.join();
      }
    }
    // Others of the JVM run now and then.
    while (!Boolean.FALSE.equals(KernelTasks.isAnyRunning())) {
      Thread.sleep(1);
    }
  }
}
