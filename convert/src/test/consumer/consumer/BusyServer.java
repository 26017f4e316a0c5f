package consumer;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Options;

/**
 * Converts a recording while every thread of the common pool is taken, then on workers that carry
 * interrupts, and prints a digest of each output.
 */
public final class BusyServer {
  private BusyServer() {}

  /**
   * @param args a recording
   */
  public static void main(String[] args) throws Exception {
    List<Path> files = List.of(Path.of(args[0]));
    CountDownLatch converted = new CountDownLatch(1);
    for (int i = 0; i < 64; i++) {
      ForkJoinPool.commonPool().execute(() -> await(converted));
    }
    System.out.println(Digests.digest(new Converter(Options.DEFAULT).convert(files)));
    converted.countDown();

    ExecutorService pool = Executors.newFixedThreadPool(2);
    Converter converter =
        new Converter(Options.DEFAULT)
            .workers(
                task ->
                    pool.execute(
                        () -> {
                          Thread.currentThread().interrupt();
                          task.run();
                        }),
                2);
    for (int i = 0; i < 20; i++) {
      System.out.println(Digests.digest(converter.convert(files)));
    }
    pool.shutdown();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
