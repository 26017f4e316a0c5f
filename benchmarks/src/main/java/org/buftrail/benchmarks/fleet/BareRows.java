package org.buftrail.benchmarks.fleet;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.buftrail.jfr.RowReader;
import org.buftrail.jfr.RowSelection;
import org.buftrail.jfr.rows.SampleBatch;
import org.buftrail.jfr.rows.SampleColumn;

/**
 * The decoder alone, in a JVM of its own: reads recordings as rows, looks at each, and prints how
 * many there were. {@code BareRows all|values THREADS FILE...}
 */
public final class BareRows {
  private static final RowSelection VALUES =
      new RowSelection(
          EnumSet.of(SampleColumn.KIND, SampleColumn.VALUE),
          null,
          Long.MIN_VALUE,
          Long.MAX_VALUE,
          Set.of());

  private BareRows() {}

  /** Reads, several files at a time. */
  public static void main(String[] args) throws Exception {
    boolean all = args[0].equals("all");
    int threads = Integer.parseInt(args[1]);
    List<String> files = List.of(args).subList(2, args.length);
    AtomicInteger next = new AtomicInteger();
    AtomicLong rows = new AtomicLong();
    AtomicLong seen = new AtomicLong();
    ExecutorService workers = Executors.newFixedThreadPool(threads);
    List<Future<?>> ends = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      ends.add(
          workers.submit(
              () -> {
                RowReader reader =
                    new RowReader(
                        all ? RowSelection.ALL : VALUES,
                        batch -> {
                          rows.addAndGet(batch.size());
                          seen.addAndGet(look(batch, all));
                        });
                for (int at = next.getAndIncrement();
                    at < files.size();
                    at = next.getAndIncrement()) {
                  reader.read(Path.of(files.get(at)));
                }
                return null;
              }));
    }
    for (Future<?> end : ends) {
      end.get();
    }
    workers.shutdown();
    System.out.println(rows + " rows, " + Long.toHexString(seen.get()));
  }

  private static long look(SampleBatch batch, boolean all) {
    long seen = 0;
    for (int i = 0; i < batch.size(); i++) {
      seen += batch.value(i);
      if (all) {
        seen += batch.stackId(i) + batch.time(i) + batch.second(i) + batch.tags(i).size();
        seen += String.valueOf(batch.thread(i)).length() + String.valueOf(batch.state(i)).length();
      }
    }
    return seen;
  }
}
