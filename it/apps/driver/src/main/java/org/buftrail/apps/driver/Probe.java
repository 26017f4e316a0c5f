package org.buftrail.apps.driver;

import static java.util.stream.Collectors.joining;

/** What each process of an application can be asked for. */
public enum Probe {
  /** Collects garbage. */
  COLLECT {
    @Override
    public String ask() {
      System.gc();
      return "";
    }
  },

  /** The id of the process. */
  PROCESSES {
    @Override
    public String ask() {
      return Long.toString(ProcessHandle.current().pid());
    }
  },

  /** The names of all threads, a line each. */
  THREADS {
    @Override
    public String ask() {
      return Thread.getAllStackTraces().keySet().stream()
          .map(Thread::getName)
          .sorted()
          .collect(joining("\n"));
    }
  };

  /** The answer of the process that this is called in. */
  public abstract String ask();
}
