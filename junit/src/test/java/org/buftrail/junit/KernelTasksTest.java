package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

final class KernelTasksTest {
  @Test
  void aThreadRunsOrWaitsForADiskUnlessItIsOfTheJvm() {
    assertThat(KernelTasks.isRunning("17 (nioEventLoopGro) R 1 2")).isTrue();
    assertThat(KernelTasks.isRunning("17 (a) S (b)) D 1 2")).isTrue();
    assertThat(KernelTasks.isRunning("17 (VM Thread) R 1 2")).as("stops the others").isTrue();
    assertThat(KernelTasks.isRunning("17 (nioEventLoopGro) S 1 2")).isFalse();
    assertThat(KernelTasks.isRunning("17 (C2 CompilerThre) R 1 2")).isFalse();
    assertThat(KernelTasks.isRunning("17 (C2 Comp..hread0) R 1 2")).isFalse();
  }

  @Test
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
    assertThat(KernelTasks.isAnyRunning()).isTrue();
    for (Thread thread : threads) {
      thread.interrupt();
      thread.join();
    }
    // Others of the JVM run now and then.
    while (!Boolean.FALSE.equals(KernelTasks.isAnyRunning())) {
      Thread.sleep(1);
    }
  }
}
