package org.buftrail.agent.pools;

import java.util.Arrays;
import java.util.List;

/** The threads of this JVM, without a stop of any. */
final class Threads {
  private Threads() {}

  /** All platform threads. */
  static List<Thread> all() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group != null && group.getParent() != null) {
      group = group.getParent();
    }
    Thread[] threads = new Thread[group == null ? 0 : group.activeCount() * 2 + 16];
    int count = group == null ? 0 : group.enumerate(threads, true);
    return Arrays.asList(threads).subList(0, count);
  }
}
