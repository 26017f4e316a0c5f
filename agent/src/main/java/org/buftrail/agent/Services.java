package org.buftrail.agent;

import java.util.function.Consumer;
import org.buftrail.agent.jmx.Jmx;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.watch.Watch;
import org.buftrail.flow.FlowTracker;

/**
 * Starts what shows the flows to the world, after the agent has returned, on a daemon thread.
 *
 * <p>Each service starts by itself: one that cannot, for want of a module of the JDK or a free
 * port, costs a line on standard error and nothing else.
 */
final class Services {
  private static final long LEAK_CHECK_MILLIS = 5_000;

  private final Options options;
  private final Consumer<String> log;
  private final FlowSource source;
  private final Watch watch;

  /** A step of the start. */
  private interface Step {
    void run() throws Exception;
  }

  private Services(Options options, Consumer<String> log) {
    this.options = options;
    this.log = log;
    this.source =
        new FlowSource(FlowTracker::snapshot, System::nanoTime, System.currentTimeMillis());
    this.watch = new Watch(source, System::nanoTime, log);
  }

  /** Starts them a moment later, and returns where their snapshots come from. */
  static FlowSource start(Options options, Consumer<String> log) {
    Services services = new Services(options, log);
    Thread thread = new Thread(null, services::startAll, "buftrail-services", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
    return services.source;
  }

  private void startAll() {
    if (options.jmx) {
      attempt("the management bean", "java.management", this::startJmx);
    }
    watch.start();
  }

  private void startJmx() {
    Jmx jmx = Jmx.start(source, log);
    watch.add(jmx.watcher(), LEAK_CHECK_MILLIS);
  }

  private void attempt(String what, String module, Step step) {
    try {
      step.run();
    } catch (NoClassDefFoundError e) {
      log.accept(
          what + " is off: this JVM has no module " + module + " (--add-modules " + module + ")");
    } catch (Throwable e) {
      log.accept(what + " is off: " + e);
    }
  }
}
