package org.buftrail.flow.base;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.buftrail.model.TrackerStatus;
import org.jspecify.annotations.Nullable;

/**
 * All threads of the tracker. Each looks after the others: one that died is started again by the
 * next that comes round. Thread-safe.
 */
public final class ServiceThreads {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private static final List<ServiceThread> ALL = new CopyOnWriteArrayList<>();

  /** The group of the threads; null for the group of the thread that makes them. */
  private static final @Nullable ThreadGroup GROUP = topGroup();

  /** Makes what this class says. */
  static final ServiceThread.Maker MAKER = new Maker();

  private static volatile long lookedNanos = System.nanoTime();

  private ServiceThreads() {}

  static void add(ServiceThread service) {
    ALL.add(service);
  }

  static void remove(ServiceThread service) {
    ALL.remove(service);
  }

  private static final class Maker implements ServiceThread.Maker {
    @Override
    public Thread make(Runnable run, String name) {
      Thread thread = new Thread(GROUP, run, name, 0, false);
      thread.setDaemon(true);
      thread.setContextClassLoader(null);
      return thread;
    }
  }

  /** Starts threads again that died, once a second at most. */
  public static void restartDead() {
    long now = System.nanoTime();
    if (now - lookedNanos >= LOOK_NANOS) {
      lookedNanos = now;
      for (ServiceThread service : ALL) {
        service.launch();
      }
    }
  }

  public static void addTo(TrackerStatus.Builder status) {
    for (ServiceThread service : ALL) {
      status.add(service.health());
    }
  }

  /** The eldest, which is the JVM's own; null where a security manager keeps it back. */
  private static @Nullable ThreadGroup topGroup() {
    try {
      ThreadGroup group = Thread.currentThread().getThreadGroup();
      while (group != null && group.getParent() != null) {
        group = group.getParent();
      }
      return group;
    } catch (SecurityException e) {
      return null;
    }
  }
}
