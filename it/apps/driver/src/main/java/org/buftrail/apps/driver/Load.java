package org.buftrail.apps.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Calls on two threads, each answer compared with the one known for it. */
final class Load {
  private static final int THREADS = 2;

  /** Further wrong answers would only say the same. */
  private static final int WRONG_ANSWERS = 20;

  private final Application application;
  private final List<String> expected;
  private final AtomicInteger done = new AtomicInteger();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean stopped;

  Load(Application application, List<String> expected) {
    this.application = application;
    this.expected = expected;
  }

  void start() {
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(this::run, "load " + i);
      thread.setDaemon(true);
      threads.add(thread);
      thread.start();
    }
  }

  void await(int more) throws InterruptedException {
    for (int until = done.get() + more; done.get() < until; ) {
      Thread.sleep(10);
    }
  }

  /** Returns the wrong answers, none if all is well. */
  String stop() throws InterruptedException {
    stopped = true;
    for (Thread thread : threads) {
      thread.join();
    }
    threads.clear();
    return String.join("\n\n", wrong);
  }

  private void run() {
    for (int i = 0; !stopped; i = (i + 1) % expected.size()) {
      String answer;
      try {
        answer = application.call(i);
      } catch (Exception e) {
        answer = e.toString();
      }
      if (!answer.equals(expected.get(i)) && wrong.size() < WRONG_ANSWERS) {
        wrong.add("expected " + expected.get(i) + "\nbut got " + answer);
      }
      done.incrementAndGet();
    }
  }
}
