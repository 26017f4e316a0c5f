package org.buftrail.agent;

import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.agent.weave.Weaver;
import org.buftrail.flow.FlowTracker;

/**
 * Starts tracking in this JVM.
 *
 * <p>Wires and returns: the only threads are the runtime's sweeper and the shutdown hook that
 * writes the reports.
 */
public final class Agent {
  private Agent() {}

  /**
   * Called once by the entry class, through reflection.
   *
   * @param argument options, {@code key=value;key=value}
   * @param attached whether the application is running already
   */
  public static void start(String argument, Instrumentation instrumentation, boolean attached) {
    Options options;
    try {
      options = Options.parse(argument, System.getProperties(), System.getenv());
    } catch (IllegalArgumentException e) {
      Log.line(e.getMessage() + "; tracking is off, the application runs without it");
      return;
    }
    FlowTracker.setLog(Log::line);
    FlowTracker.setBounds(options.maxNodes, options.maxDepth, options.maxChildren);
    FlowTracker.configure(options.sample, options.trackDirectOnly);
    Weaver weaver =
        new Weaver(options.include, options.exclude, options.trackConstructors, Log::line);
    instrumentation.addTransformer(weaver, instrumentation.isRetransformClassesSupported());
    FlowTracker.start();
    Runtime.getRuntime().addShutdownHook(new FinalReport(options.reports));
    Services.start(options.services, instrumentation, Log::line);
    Log.line(greeting(options));
    if (attached || Weaver.isAnyBufferLoaded(instrumentation)) {
      weaveLoaded(weaver, instrumentation);
    }
  }

  private static String greeting(Options options) {
    String hops =
        options.include.isEmpty()
            ? "allocations and releases only (no include)"
            : "hops in " + options.include;
    String sampled = options.sample == 1 ? "" : ", 1 in " + options.sample + " buffers";
    return "following Netty buffers, " + hops + sampled;
  }

  private static void weaveLoaded(Weaver weaver, Instrumentation instrumentation) {
    List<Class<?>> loaded = new ArrayList<>();
    for (Class<?> c : instrumentation.getAllLoadedClasses()) {
      if (instrumentation.isModifiableClass(c) && weaver.wants(c.getName())) {
        loaded.add(c);
      }
    }
    Log.line(
        "Netty was loaded before the agent: its buffers have no place for the tracker's state, so they"
            + " are not followed; start the application with -javaagent");
    try {
      if (!loaded.isEmpty()) {
        instrumentation.retransformClasses(loaded.toArray(new Class<?>[0]));
      }
    } catch (UnmodifiableClassException | LinkageError e) {
      Log.line("could not weave what was loaded: " + e);
    }
  }
}
