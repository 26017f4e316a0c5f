package org.buftrail.cli.watch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.buftrail.profile.text.Printable;

/** Figures about the work of a converter that stays. Thread-safe. */
final class WatchFigures {
  private static final int MOST_FAILURES = 100;

  final AtomicLong taken = new AtomicLong();
  final AtomicLong failed = new AtomicLong();
  final AtomicLong damaged = new AtomicLong();
  final AtomicLong retried = new AtomicLong();
  final AtomicLong refused = new AtomicLong();
  final AtomicLong bytes = new AtomicLong();
  final AtomicLong nanos = new AtomicLong();
  private final Deque<String> failures = new ArrayDeque<>();

  synchronized void failure(String line) {
    if (failures.size() == MOST_FAILURES) {
      failures.removeFirst();
    }
    failures.addLast(Printable.line(line));
  }

  /** The last failures, a line each. */
  synchronized String failures() {
    return failures.isEmpty() ? "" : String.join("\n", failures) + "\n";
  }

  /**
   * All figures as Prometheus reads them.
   *
   * @param waiting recordings in the queue
   * @param busy workers that have one
   */
  String metrics(int waiting, int busy) {
    StringBuilder text = new StringBuilder();
    add(text, "recordings_taken_total", "counter", "Recordings converted.", taken.get());
    add(text, "recordings_failed_total", "counter", "Recordings not converted.", failed.get());
    add(text, "recordings_damaged_total", "counter", "Converted in part.", damaged.get());
    add(text, "retries_total", "counter", "Put back to be tried again.", retried.get());
    add(text, "refused_total", "counter", "Posts refused for lack of a worker.", refused.get());
    add(text, "bytes_total", "counter", "Bytes of recordings converted.", bytes.get());
    text.append("# HELP buftrail_watch_seconds_total Time that workers spent.\n");
    text.append("# TYPE buftrail_watch_seconds_total counter\n");
    text.append(
        String.format(Locale.ROOT, "buftrail_watch_seconds_total %.3f%n", nanos.get() / 1e9));
    add(text, "queue", "gauge", "Recordings that wait.", waiting);
    add(text, "busy_workers", "gauge", "Workers that convert.", busy);
    return text.toString();
  }

  private static void add(StringBuilder text, String name, String type, String help, long value) {
    text.append("# HELP buftrail_watch_").append(name).append(' ').append(help).append('\n');
    text.append("# TYPE buftrail_watch_").append(name).append(' ').append(type).append('\n');
    text.append("buftrail_watch_").append(name).append(' ').append(value).append('\n');
  }
}
