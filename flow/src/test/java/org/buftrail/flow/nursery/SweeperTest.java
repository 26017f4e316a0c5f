package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.util.concurrent.TimeUnit;
import org.buftrail.flow.FakeBuffer;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.tree.Sites;
import org.buftrail.flow.woven.Buffers;
import org.buftrail.flow.woven.Tracker;
import org.buftrail.model.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The sweeping thread, in a virtual machine of its own, since nothing can stop it. */
@Tag("slow")
class SweeperTest {
  @Test
  void findsLeaksThoughItWasInterrupted() throws Exception {
    assertThat(run(Interrupted.class, "-Xmx192m")).isZero();
  }

  @Test
  void programThatNeverReleasesItsHeapBuffersHasRoomEnough() throws Exception {
    assertThat(run(NeverReleasing.class, "-Xmx192m")).isZero();
  }

  private static int run(Class<?> program, String heap) throws Exception {
    Process process =
        new ProcessBuilder(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                heap,
                "-cp",
                String.join(
                    File.pathSeparator,
                    place(Site.class),
                    place(FlowTracker.class),
                    place(SweeperTest.class)),
                program.getName())
            .inheritIO()
            .start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    return process.waitFor();
  }

  private static String place(Class<?> type) throws Exception {
    return java.nio.file.Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
        .toString();
  }

  /** Interrupts the sweeper, then leaks. */
  static final class Interrupted {
    private Interrupted() {}

    public static void main(String[] args) throws Exception {
      FlowTracker.INSTANCE.start(true);
      for (Thread thread : Thread.getAllStackTraces().keySet()) {
        if (thread.getName().equals("buftrail-sweeper")) {
          thread.interrupt();
        }
      }
      int root = Sites.intern(new Site("test.Sweeper", "make", "", 0, ""));
      for (int i = 0; i < 100; i++) {
        FakeBuffer.heap(1).allocatedAt(root);
      }
      int node = Tracker.INSTANCE.tree.roots.of(root, Buffers.HEAP).id;
      // Not by a snapshot, which sweeps itself. The test's caller waits at most a minute.
      while (Tracker.INSTANCE.nursery.table.leaks.counters.count(node) < 100) {
        System.gc();
        // Collections alone leave the sweeper no turn where few processors are free.
        Thread.sleep(10);
      }
    }
  }

  /** Allocates 2 GB of heap buffers on four threads and releases none. */
  static final class NeverReleasing {
    private NeverReleasing() {}

    public static void main(String[] args) throws Exception {
      FlowTracker.INSTANCE.start(true);
      int root = Sites.intern(new Site("test.Sweeper", "make", "", 0, ""));
      Thread[] threads = new Thread[4];
      for (int t = 0; t < threads.length; t++) {
        int size = 16_384 << (2 * t);
        threads[t] =
            new Thread(
                () -> {
                  for (long left = 1L << 29; left > 0; left -= size) {
                    new Filled(size).allocatedAt(root);
                  }
                });
        threads[t].setUncaughtExceptionHandler((thread, e) -> System.exit(2));
        threads[t].start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  private static final class Filled extends FakeBuffer {
    private final byte[] content;

    Filled(int size) {
      super(false);
      content = new byte[size];
      reset(size);
    }

    @Override
    public int capacity() {
      return content.length;
    }
  }
}
