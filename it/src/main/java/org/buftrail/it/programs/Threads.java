package org.buftrail.it.programs;

/** The agent's threads, as the application may find them. */
final class Threads {
  private static final int POLL_MILLIS = 20;
  private static final int TIMEOUT_SECONDS = 60;

  private Threads() {}

  /** Every thread of the JVM, those of other groups too. */
  static Thread[] all() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    Thread[] threads = new Thread[group.activeCount() + 100];
    Thread[] found = new Thread[group.enumerate(threads, true)];
    System.arraycopy(threads, 0, found, 0, found.length);
    return found;
  }

  static void await(String name) throws InterruptedException {
    for (int i = 0; i < TIMEOUT_SECONDS * 1_000 / POLL_MILLIS; i++) {
      for (Thread thread : all()) {
        if (thread.getName().equals(name)) {
          return;
        }
      }
      Thread.sleep(POLL_MILLIS);
    }
    throw new IllegalStateException("no thread " + name);
  }
}
