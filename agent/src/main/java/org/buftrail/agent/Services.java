package org.buftrail.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.buftrail.agent.events.FlowEvents;
import org.buftrail.agent.jmx.Jmx;
import org.buftrail.agent.metrics.HandlerRounds;
import org.buftrail.agent.page.LivePage;
import org.buftrail.agent.page.PageAddress;
import org.buftrail.agent.push.Pusher;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.watch.Alerts;
import org.buftrail.agent.watch.HeapPressure;
import org.buftrail.agent.watch.OutOfMemorySnapshots;
import org.buftrail.agent.watch.OutOfMemoryWeaver;
import org.buftrail.agent.watch.SnapshotFiles;
import org.buftrail.agent.watch.Watch;
import org.buftrail.flow.FlowTracker;
import org.buftrail.flow.MemoryAlarm;
import org.buftrail.flow.Snapshot;
import org.buftrail.profile.push.PushTarget;

/**
 * Starts what shows the flows to the world, after the agent has returned, on a daemon thread.
 *
 * <p>Each service starts by itself: one that cannot, for want of a module of the JDK or a free
 * port, costs a line on standard error and nothing else.
 */
final class Services {
  private static final long LEAK_CHECK_MILLIS = 5_000;
  private static final long ALERT_MILLIS = 5_000;

  private static final long EVENTS_MILLIS = 1_000;
  private static final long MEMORY_MILLIS = 200;

  private final ServiceOptions options;
  private final Instrumentation instrumentation;
  private final Consumer<String> log;
  private final FlowSource source;
  private final Watch watch;
  private final List<Consumer<String>> alarms = new CopyOnWriteArrayList<>();
  private final int errorsBefore = MemoryAlarm.count();

  /** A step of the start. */
  private interface Step {
    void run() throws Exception;
  }

  private Services(ServiceOptions options, Instrumentation instrumentation, Consumer<String> log) {
    this.options = options;
    this.instrumentation = instrumentation;
    this.log = log;
    this.source =
        new FlowSource(FlowTracker::snapshot, System::nanoTime, System.currentTimeMillis());
    this.watch = new Watch(source, System::nanoTime, log);
  }

  /**
   * Starts them a moment later; from now on no error of want of memory is missed.
   *
   * @param first what the same thread is to do before
   */
  static void start(
      ServiceOptions options,
      Instrumentation instrumentation,
      Runnable first,
      Consumer<String> log) {
    Services services = new Services(options, instrumentation, log);
    if (options.snapshotDirectory != null) {
      services.attempt("snapshot on OutOfMemoryError", "java.instrument", services::weaveErrors);
    }
    Runnable work =
        () -> {
          services.attempt("tracked resources", "java.base", first::run);
          services.startAll();
        };
    Thread thread = new Thread(null, work, "buftrail-services", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
  }

  private void startAll() {
    if (options.jmx) {
      attempt("management bean", "java.management", this::startJmx);
    }
    attempt("Flight Recorder events", "jdk.jfr", this::startEvents);
    SnapshotFiles files =
        options.snapshotDirectory == null
            ? null
            : new SnapshotFiles(
                options.snapshotDirectory, options.snapshotFiles, options.snapshotBytes, log);
    if (files != null) {
      startSnapshots(files);
    }
    PageAddress page = options.page;
    if (page != null) {
      attempt("live page", "java.base", () -> LivePage.start(page, source, watch, files, log));
    }
    PushTarget push = options.push;
    if (push != null) {
      attempt("push to " + push, "java.base", () -> startPush(push));
    }
    startHandlers();
    watch.start("buftrail-watch");
  }

  /** On a thread of their own: what the application does in them may take long. */
  private void startHandlers() {
    Watch rounds = new Watch(source, System::nanoTime, log);
    rounds.add(
        new HandlerRounds(options.metricsHandlers, ClassLoader.getSystemClassLoader(), log),
        options.metricsMillis);
    rounds.start("buftrail-metrics");
  }

  private void startPush(PushTarget target) {
    Pusher pusher = new Pusher(target, source.sinceStart(0), log);
    watch.add(pusher, options.pushMillis);
    pusher.start();
  }

  private void startJmx() {
    Jmx jmx = Jmx.start(source, log);
    alarms.add(jmx::alert);
    watch.add(jmx.watcher(), LEAK_CHECK_MILLIS);
  }

  private void startEvents() {
    watch.add(new FlowEvents(source), EVENTS_MILLIS);
  }

  private void startSnapshots(SnapshotFiles files) {
    if (options.everyMillis > 0) {
      watch.add(now -> files.write(now, "every"), options.everyMillis);
    }
    if (!options.alerts.isEmpty()) {
      watch.add(
          new Alerts(options.alerts, (name, message, now) -> alert(files, name, message, now)),
          ALERT_MILLIS);
    }
    watch.add(
        new OutOfMemorySnapshots(
            MemoryAlarm::count, errorsBefore, heapCheck(), System::nanoTime, files),
        MEMORY_MILLIS);
    Thread last = new Thread(null, () -> writeLast(files), "buftrail-snapshot", 0, false);
    last.setContextClassLoader(null);
    Runtime.getRuntime().addShutdownHook(last);
  }

  private void alert(SnapshotFiles files, String name, String message, Snapshot now) {
    log.accept("alert: " + message);
    files.write(now, "alert-" + name);
    for (Consumer<String> alarm : alarms) {
      alarm.accept(message);
    }
  }

  private void weaveErrors() throws UnmodifiableClassException {
    OutOfMemoryWeaver.weave(instrumentation);
  }

  /** Without the module that tells of the heap, errors that are constructed are still seen. */
  private static BooleanSupplier heapCheck() {
    try {
      HeapPressure heap = new HeapPressure();
      return heap::isHigh;
    } catch (NoClassDefFoundError e) {
      return () -> false;
    }
  }

  private void writeLast(SnapshotFiles files) {
    try {
      files.write(source.sinceStart(0), "shutdown");
    } catch (Throwable e) {
      log.accept("no snapshot at shutdown: " + e);
    }
  }

  private void attempt(String what, String module, Step step) {
    try {
      step.run();
    } catch (NoClassDefFoundError e) {
      log.accept(
          "no "
              + what
              + ": this JVM runs without the module "
              + module
              + "; start it with --add-modules "
              + module);
    } catch (IOException e) {
      log.accept("no " + what + ": " + e.getMessage());
    } catch (Throwable e) {
      log.accept("no " + what + ": " + e);
    }
  }
}
