package org.buftrail.agent;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import org.buftrail.agent.weave.LoadedClasses;
import org.buftrail.agent.weave.Weaver;
import org.buftrail.flow.FlowTracker;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops tracking in this JVM.
 *
 * <p>Wires and returns: what runs are the runtime's sweeper, daemon threads of {@link Services},
 * and the shutdown hook that writes the reports.
 */
public final class Agent {
  private static final String LESS_EXACT =
      "Netty was loaded before the agent: buffers are followed from now on through a map, at a higher"
          + " cost; pooled slices with a count of their own have no flow, and what a composite holds"
          + " does not move with it";

  /** Made once and never taken out: classes that it shaped must always be woven by it. */
  private static @Nullable Weaver weaver;

  /** What is woven now; null while detached. */
  private static Weaver.@Nullable Patterns woven;

  /** Whether some buffers are followed through the map. */
  private static boolean mapped;

  private Agent() {}

  /**
   * Called by the entry class, through reflection.
   *
   * @param argument options, {@code key=value;key=value}
   * @param attached whether the application is running already
   */
  public static synchronized void start(
      String argument, Instrumentation instrumentation, boolean attached) {
    if (woven != null) {
      Log.line("tracking is on already; detach first to change its options");
      return;
    }
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
    LoadedClasses loaded = new LoadedClasses(instrumentation, Log::line);
    Weaver.Patterns patterns =
        new Weaver.Patterns(options.include, options.exclude, options.trackConstructors);
    Weaver known = weaver;
    Weaver installed = known == null ? install(instrumentation, loaded) : known;
    installed.weave(patterns);
    woven = patterns;
    FlowTracker.start();
    if (known == null) {
      Runtime.getRuntime().addShutdownHook(new FinalReport(options.reports));
      Services.start(options.services, instrumentation, Log::line);
    }
    Log.line(greeting(options));
    if (attached || mapped) {
      int classes = loaded.retransform(installed, patterns);
      String note = mapped ? "; " + LESS_EXACT : "";
      Log.line("wove " + classes + " classes that were loaded already" + note);
    }
  }

  private static Weaver install(Instrumentation instrumentation, LoadedClasses loaded) {
    Set<ClassLoader> unshaped = loaded.adoptBuffers();
    mapped = !unshaped.isEmpty();
    Set<Module> runtime = Set.of(FlowTracker.class.getModule());
    Weaver installed =
        new Weaver(
            unshaped,
            module ->
                instrumentation.redefineModule(
                    module, runtime, Map.of(), Map.of(), Set.of(), Map.of()),
            Log::line);
    instrumentation.addTransformer(installed, instrumentation.isRetransformClassesSupported());
    weaver = installed;
    return installed;
  }

  /**
   * Stops following new buffers and gives classes their byte code back; those of a Netty that
   * loaded under the agent keep their shape. Called as {@link #start} is.
   */
  public static synchronized void stop(Instrumentation instrumentation) {
    Weaver.Patterns patterns = woven;
    Weaver installed = weaver;
    if (patterns == null || installed == null) {
      Log.line("nothing to detach: tracking is off");
      return;
    }
    woven = null;
    FlowTracker.stop();
    installed.rest();
    LoadedClasses loaded = new LoadedClasses(instrumentation, Log::line);
    int classes = loaded.retransform(installed, patterns);
    FlowTracker.forgetForeign();
    Log.line("detached; the tracking was taken out of " + classes + " classes");
  }

  private static String greeting(Options options) {
    String hops =
        options.include.isEmpty()
            ? "allocations and releases only (no include)"
            : "hops in " + options.include;
    String sampled = options.sample == 1 ? "" : ", 1 in " + options.sample + " buffers";
    return "following Netty buffers, " + hops + sampled;
  }
}
