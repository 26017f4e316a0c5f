package org.buftrail.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.buftrail.agent.application.ApplicationLoaders;
import org.buftrail.agent.application.MetersInApplication;
import org.buftrail.agent.end.FinalReport;
import org.buftrail.agent.events.FlowEvents;
import org.buftrail.agent.jmx.Jmx;
import org.buftrail.agent.metrics.HandlerRounds;
import org.buftrail.agent.options.ServiceOptions;
import org.buftrail.agent.page.LivePage;
import org.buftrail.agent.page.PageAddress;
import org.buftrail.agent.push.Pusher;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.source.History;
import org.buftrail.agent.source.MinuteStore;
import org.buftrail.agent.source.OwnMemory;
import org.buftrail.agent.source.ThisProcess;
import org.buftrail.agent.watch.Alerts;
import org.buftrail.agent.watch.ContainerMemory;
import org.buftrail.agent.watch.ContainerSnapshots;
import org.buftrail.agent.watch.HeapPressure;
import org.buftrail.agent.watch.OutOfMemorySnapshots;
import org.buftrail.agent.watch.SnapshotFiles;
import org.buftrail.agent.watch.Watch;
import org.buftrail.agent.watch.Watcher;
import org.buftrail.flow.base.ServiceThread;
import org.buftrail.flow.woven.MemoryAlarm;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackedProcess;
import org.buftrail.profile.push.PushTarget;

/**
 * Starts what shows the flows to the world, after the agent has returned, on a daemon thread.
 *
 * <p>Each service starts by itself: one that cannot, for want of a module of the JDK or a free
 * port, costs a line on standard error and nothing else.
 */
final class Services {
  /** How soon the bean follows the application's server. */
  private static final long BEAN_MILLIS = 200;

  private static final long LEAK_CHECK_MILLIS = 5_000;
  private static final long ALERT_MILLIS = 5_000;

  /** How soon it is seen that Flight Recorder runs. */
  private static final long RECORDER_MILLIS = 100;

  private static final long EVENTS_MILLIS = 1_000;
  private static final long MEMORY_MILLIS = 200;

  /** How soon it is seen that the container's memory is nearly used up. */
  private static final long CONTAINER_MILLIS = 500;

  /** How soon it is seen that a minute is over. */
  private static final long MINUTE_CHECK_MILLIS = 100;

  /** How many times as long as a look took none follows: half a hundredth of a core at most. */
  private static final long MINUTE_REST = 200;

  /** How soon it is seen that the application has loaded something. */
  private static final long SEARCH_MILLIS = 1_000;

  private static final LongSupplier NANOS = System::nanoTime;

  /** The most attempts at a step that finds no memory, a tenth of a second apart. */
  private static final int MAX_ATTEMPTS = 600;

  private final ServiceOptions options;
  private final Instrumentation instrumentation;
  private final FinalReport report;
  private final Consumer<String> log;
  private final long startedMillis;
  private final FlowSource source;
  private final Watch watch;
  private final List<Consumer<String>> alarms = new CopyOnWriteArrayList<>();
  private final int errorsBefore = MemoryAlarm.count();

  /** The steps still to take, in order. Used by the starting thread alone. */
  private final Deque<Step> steps = new ArrayDeque<>();

  private int attempts;

  /** A step of the start. */
  private static final class Step {
    final String what;
    final String module;
    final Action action;

    Step(String what, String module, Action action) {
      this.what = what;
      this.module = module;
      this.action = action;
    }
  }

  /** The work of a step. */
  private interface Action {
    void run() throws Exception;
  }

  private Services(
      ServiceOptions options,
      Instrumentation instrumentation,
      FinalReport report,
      Consumer<String> log) {
    this.options = options;
    this.instrumentation = instrumentation;
    this.report = report;
    this.log = log;
    this.startedMillis = System.currentTimeMillis();
    ThisProcess process = report.process();
    MinuteStore minutes = process.minutes();
    OwnMemory memory = new OwnMemory(instrumentation);
    this.source =
        new FlowSource(process, NANOS, startedMillis, process::pools, minutes::upTo, memory);
    this.watch = new Watch(source, NANOS, log);
  }

  /**
   * Starts them a moment later; from now on no error of want of memory that is noted is missed.
   *
   * @param report what the same thread is to prepare
   * @param resources looks for those of the application, now and again every second or so
   * @return where they take the flows from
   */
  static FlowSource start(
      ServiceOptions options,
      Instrumentation instrumentation,
      FinalReport report,
      Runnable resources,
      Consumer<String> log) {
    Services services = new Services(options, instrumentation, report, log);
    services.add("report at shutdown", "java.base", () -> report.prepare(log));
    services.addSteps(resources);
    ServiceThread.start("buftrail-services", services::startNext);
    return services.source;
  }

  /**
   * Initialises what may be needed when the heap is full; before the application runs.
   *
   * <p>A class of the JDK that names what is written and sent. That may begin when the heap is
   * full, and a class that cannot be initialised then is lost to the application too. (Those of the
   * network read properties that the application may yet set.)
   */
  static void initialise(ServiceOptions options) {
    int unused = MemoryAlarm.count();
    if (options.snapshotDirectory != null || options.push != null || options.page != null) {
      Objects.requireNonNull(ProcessHandle.current());
    }
  }

  private void add(String what, String module, Action action) {
    steps.add(new Step(what, module, action));
  }

  private void addSteps(Runnable resources) {
    if (options.jmx) {
      add("management bean", "java.management", this::startJmx);
    }
    add("Flight Recorder events", "jdk.jfr", this::startEvents);
    SnapshotFiles files = options.snapshotDirectory == null ? null : options.snapshotFiles(log);
    if (files != null) {
      add("snapshots", "java.base", () -> startSnapshots(files));
    }
    PageAddress page = options.page;
    add("timeline", "java.base", this::startTimeline);
    add("minutes", "java.base", this::startMinutes);
    if (page != null) {
      Supplier<TrackedProcess> process = report.process()::process;
      add("live page", "java.base", () -> LivePage.start(page, source, process, files, log));
    }
    PushTarget push = options.push;
    if (push != null) {
      add("push to " + push, "java.base", () -> startPush(push));
    }
    add("metrics handlers", "java.base", () -> startHandlers(resources));
    add("watch", "java.base", () -> watch.start("buftrail-watch"));
  }

  /** One step a round, so that one that finds no memory is tried again. */
  private ServiceThread.Outcome startNext() {
    Step step = steps.peek();
    if (step == null) {
      return ServiceThread.Outcome.ENDED;
    }
    attempts++;
    attempt(step);
    attempts = 0;
    steps.remove();
    return ServiceThread.Outcome.DONE;
  }

  /** On a thread of their own: what the application does in them may take long. */
  private void startHandlers(Runnable resources) {
    HandlerRounds handlers =
        new HandlerRounds(
            options.metricsHandlers,
            new MetersInApplication(instrumentation)::find,
            new ApplicationLoaders(instrumentation),
            options.metricsMillis,
            NANOS,
            log);
    Watch rounds = new Watch(source, NANOS, log);
    rounds.add("metrics handlers", handlers, HandlerRounds.SEARCH_MILLIS);
    rounds.add("search for tracked resources", Watcher.calling(resources), SEARCH_MILLIS);
    rounds.start("buftrail-metrics");
  }

  private void startPush(PushTarget target) {
    // Flows from before this thread came here are pushed too.
    Snapshot nothing = Snapshot.empty(startedMillis);
    Pusher pusher = new Pusher(target, nothing, log);
    watch.add("push", pusher, options.pushMillis);
    pusher.start();
  }

  private void startJmx() {
    Jmx jmx = new Jmx(source, log);
    alarms.add(jmx::alert);
    watch.add("management bean", Watcher.calling(jmx::follow), BEAN_MILLIS);
    watch.add("notifications of leaks", jmx.watcher(), LEAK_CHECK_MILLIS);
  }

  /** From the first moment on, so that a short run has two points too. */
  private void startTimeline() throws IOException {
    Timeline timeline = new Timeline(source, report, options.page != null);
    timeline.begin();
    watch.add("timeline", timeline, History.STEP_MILLIS);
  }

  private void startMinutes() {
    MinuteStore minutes = report.process().minutes();
    long[] notBefore = {NANOS.getAsLong()};
    Runnable look =
        () -> {
          long begun = NANOS.getAsLong();
          if (begun - notBefore[0] >= 0 && minutes.isDue(System.currentTimeMillis(), begun)) {
            minutes.end(source.sinceStart(0));
            long ended = NANOS.getAsLong();
            notBefore[0] = ended + MINUTE_REST * (ended - begun);
          }
        };
    watch.add("minutes", Watcher.calling(look), MINUTE_CHECK_MILLIS);
  }

  private void startEvents() {
    FlowEvents events =
        new FlowEvents(source, report.decision()::beforeRecordingEnds, startedMillis);
    watch.add("search for Flight Recorder", Watcher.calling(events::follow), RECORDER_MILLIS);
    watch.add("Flight Recorder events", events, EVENTS_MILLIS);
  }

  private void startSnapshots(SnapshotFiles files) {
    if (options.everyMillis > 0) {
      watch.add("snapshots at intervals", now -> writeEvery(files, now), options.everyMillis);
    }
    if (!options.alerts.isEmpty()) {
      watch.add(
          "alerts",
          new Alerts(options.alerts, (name, message, now) -> alert(files, name, message, now)),
          ALERT_MILLIS);
    }
    watch.add(
        "snapshots on want of memory",
        new OutOfMemorySnapshots(MemoryAlarm::count, errorsBefore, heapCheck(), NANOS, files),
        MEMORY_MILLIS);
    ContainerMemory container = ContainerMemory.ofThisProcess();
    watch.add(
        "snapshots of a full container",
        new ContainerSnapshots(container::percent, NANOS, now -> writeFull(files, now)),
        CONTAINER_MILLIS);
  }

  private void writeFull(SnapshotFiles files, Snapshot now) {
    files.write(source.whole(now).with(source.process(0).memory()), "cgroup");
  }

  private void writeEvery(SnapshotFiles files, Snapshot now) {
    if (!report.isEnding()) {
      files.write(source.whole(now), "every");
    }
  }

  private void alert(SnapshotFiles files, String name, String message, Snapshot now) {
    log.accept("alert: " + message);
    files.write(source.whole(now), "alert-" + name);
    for (Consumer<String> alarm : alarms) {
      alarm.accept(message);
    }
  }

  /** Without the module that watches the heap, errors that are constructed are still seen. */
  private static BooleanSupplier heapCheck() {
    try {
      HeapPressure heap = new HeapPressure();
      return heap::isHigh;
    } catch (NoClassDefFoundError e) {
      return () -> false;
    }
  }

  private void attempt(Step step) {
    try {
      step.action.run();
    } catch (VirtualMachineError e) {
      if (attempts > 0 && attempts < MAX_ATTEMPTS) {
        throw e;
      }
      fail(step, e.toString());
    } catch (NoClassDefFoundError e) {
      fail(step, isOfJdk(e) ? lacks(step.module) : e.toString());
    } catch (IOException e) {
      fail(step, String.valueOf(e.getMessage()));
    } catch (Throwable e) {
      fail(step, e.toString());
    }
  }

  private void fail(Step step, String why) {
    log.accept("no " + step.what + ": " + why);
  }

  private static String lacks(String module) {
    return "this JVM runs without the module " + module + "; start it with --add-modules " + module;
  }

  private static boolean isOfJdk(NoClassDefFoundError e) {
    return String.valueOf(e.getMessage()).matches("(javax?|jdk|sun|com/sun)/.*");
  }
}
