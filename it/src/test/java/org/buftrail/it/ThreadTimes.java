package org.buftrail.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** For how long each thread of another process has run, as the kernel counts it. Immutable. */
final class ThreadTimes {
  private final Map<String, Times> byId;

  /**
   * @param name at most 15 characters of it
   * @param ran nanoseconds on a processor
   * @param waited nanoseconds in which it could have run and had none
   */
  private record Times(String name, long ran, long waited) {}

  private ThreadTimes(Map<String, Times> byId) {
    this.byId = byId;
  }

  /** Those of now. */
  static ThreadTimes of(String pid) throws IOException {
    Map<String, Times> byId = new HashMap<>();
    List<Path> threads;
    try (Stream<Path> tasks = Files.list(Path.of("/proc", pid, "task"))) {
      threads = tasks.toList();
    }
    for (Path thread : threads) {
      try {
        String[] figures = Files.readString(thread.resolve("schedstat")).split(" ", -1);
        String name = Files.readString(thread.resolve("comm")).strip();
        long ran = Long.parseLong(figures[0]);
        byId.put(thread.toString(), new Times(name, ran, Long.parseLong(figures[1])));
      } catch (IOException e) {
        // It has ended.
      }
    }
    return new ThreadTimes(byId);
  }

  /** What was added since. */
  ThreadTimes since(ThreadTimes before) {
    Map<String, Times> added = new HashMap<>();
    byId.forEach(
        (id, now) -> {
          Times then = before.byId.getOrDefault(id, new Times(now.name, 0, 0));
          added.put(id, new Times(now.name, now.ran - then.ran, now.waited - then.waited));
        });
    return new ThreadTimes(added);
  }

  /** For how long the threads with some names ran. */
  Duration ran(Predicate<String> names) {
    return Duration.ofNanos(
        byId.values().stream().filter(t -> names.test(t.name)).mapToLong(Times::ran).sum());
  }

  /** For how long these waited for a processor. */
  Duration waited(Predicate<String> names) {
    return Duration.ofNanos(
        byId.values().stream().filter(t -> names.test(t.name)).mapToLong(Times::waited).sum());
  }
}
