package org.buftrail.agent;

import java.io.IOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.buftrail.agent.ask.Questions;
import org.buftrail.agent.base.Log;
import org.buftrail.agent.end.Announcement;
import org.buftrail.agent.end.EndDecision;
import org.buftrail.agent.end.FinalReport;
import org.buftrail.agent.options.MistakenNames;
import org.buftrail.agent.options.Options;
import org.buftrail.agent.options.ResourceOption;
import org.buftrail.agent.options.ServiceOptions;
import org.buftrail.agent.pools.Pools;
import org.buftrail.agent.source.ThisProcess;
import org.buftrail.agent.weave.Libraries;
import org.buftrail.agent.weave.Selection;
import org.buftrail.agent.weave.Weaver;
import org.buftrail.agent.weave.netty4.Netty4;
import org.buftrail.agent.weave.resources.ResourceRule;
import org.buftrail.agent.weave.resources.UnmatchedMembers;
import org.buftrail.agent.weave.selection.ApplicationClasses;
import org.buftrail.agent.weave.selection.ClassPattern;
import org.buftrail.flow.control.FlowTracker;
import org.buftrail.flow.control.UnfollowedWrappers;
import org.buftrail.flow.control.UnwatchedPackages;
import org.buftrail.flow.control.UnwovenClasses;
import org.buftrail.flow.woven.AddedResources;
import org.jspecify.annotations.Nullable;

/**
 * Starts and stops tracking in this JVM.
 *
 * <p>Wires and returns: what runs are the runtime's sweeper, daemon threads of {@link Services},
 * and the shutdown hook that writes the reports.
 */
public final class Agent {
  private static final String LOADED_BEFORE = "Netty was loaded before the agent";

  /** Classes that the JDK links in the cache are there before any agent (JEP 483). */
  private static final String BY_CACHE =
      " (an AOT cache does that unless it was made with -XX:-AOTClassLinking)";

  private static final String LESS_EXACT =
      ": buffers are followed from now on through a map, at a higher cost";

  private static final Libraries LIBRARIES = new Libraries(new Netty4());

  /** Made once and never removed: classes that it has shaped must always be woven by it. */
  private static @Nullable Weaver weaver;

  /** Named once: the JDK links each place that names a method, and the application waits. */
  private static final Consumer<String> LOG = Log::line;

  private static final Consumer<ResourceOption> FOLLOW = Agent::follow;

  private static final Consumer<ResourceOption> FOLLOW_NOW = Agent::followNow;

  private static final ApplicationResources APPLICATION =
      new ApplicationResources(ClassLoader.getSystemClassLoader(), LOG);

  /** Packages of the application that the first line names. */
  private static final int MAX_NAMED = 5;

  /** Before an answer to who attached: done, failed, or the options are wrong. */
  private static final String DONE = "0 ";

  private static final String FAILED = "1 ";
  private static final String WRONG_OPTIONS = "2 ";

  /** Null while detached. */
  private static volatile @Nullable Attachment attachment;

  private static @Nullable FinalReport report;

  /** Options of the services, which start only once. */
  private static @Nullable ServiceOptions services;

  /** Null until the services run. */
  private static volatile @Nullable Questions questions;

  /** Prints and starts the rest once there is a buffer to follow; null once it has. */
  private static volatile @Nullable Announcement announcement;

  /** Described by the application itself, so they are followed after a further attach too. */
  private static final List<ResourceRule> APPLICATION_RESOURCES = new ArrayList<>();

  private Agent() {}

  /**
   * Called by the entry class, through reflection.
   *
   * @param argument options, {@code key=value;key=value}
   * @param attached whether the application is running already
   * @param quiet whether nothing is said and started before there is something to follow
   * @param installer takes the transformer that weaves
   * @return one of the codes above and one line for who attached
   */
  public static synchronized String start(
      String argument,
      Instrumentation instrumentation,
      boolean attached,
      boolean quiet,
      Consumer<ClassFileTransformer> installer) {
    Announcement waiting = announcement;
    if (waiting != null) {
      waiting.make();
    }
    if (attachment != null) {
      return answer(FAILED, "tracking is on already; detach first to change its options");
    }
    List<String> mistaken = MistakenNames.lines(System.getProperties(), System.getenv());
    Options options;
    try {
      options = Options.parse(argument, System.getProperties(), System.getenv());
    } catch (IllegalArgumentException e) {
      mistaken.forEach(LOG);
      return answer(
          WRONG_OPTIONS, e.getMessage() + "; tracking is off, the application runs without it");
    }
    FlowTracker.setLog(LOG);
    UnwovenClasses.forget();
    UnwatchedPackages.forget();
    UnfollowedWrappers.forget();
    Weaver installed = weaver == null ? install(installer) : weaver;
    Attachment begun;
    try {
      ServiceOptions running = services == null ? options.services : services;
      boolean alarm = running.snapshotDirectory != null;
      begun = Attachment.begin(options, alarm, patterns(options), installed, instrumentation, LOG);
    } catch (RuntimeException | Error e) {
      forgetOptions();
      return answer(FAILED, "not started, and nothing is changed: " + e);
    }
    attachment = begun;
    boolean mapped = FlowTracker.INSTANCE.areLessExact();
    boolean later = !attached && !mapped && begun.woven() == 0;
    String ignored = prepareServices(options, instrumentation);
    String greeting = greeting(options, begun.packages()) + ignored;
    if (later && quiet && !options.followsResources()) {
      announceLater(mistaken, greeting, instrumentation, installed);
      return DONE + greeting;
    }
    mistaken.forEach(LOG);
    Log.line(greeting);
    startServices(instrumentation);
    if (later) {
      return DONE + greeting;
    }
    String done =
        "wove "
            + begun.woven()
            + " classes that were loaded already"
            + stays(begun)
            + (mapped ? "; " + LOADED_BEFORE + (attached ? "" : BY_CACHE) + LESS_EXACT : "");
    Log.line(done);
    String refusal = FlowTracker.INSTANCE.refusal();
    return DONE + (refusal == null ? greeting + "; " + done : refusal);
  }

  /** Once for all attachments; what a later one asks for in vain is what this returns. */
  private static String prepareServices(Options options, Instrumentation instrumentation) {
    FinalReport reported = report;
    ServiceOptions running = services;
    if (reported == null || running == null) {
      FinalReport last =
          new FinalReport(
              options.reports,
              new EndDecision(options.collectAtEnd),
              options.services,
              new ThisProcess(options.written(options.services), new Pools(instrumentation)),
              Agent::unmatchedAtEnd);
      report = last;
      services = options.services;
      Runtime.getRuntime().addShutdownHook(last);
      Services.initialise(options.services);
      return "";
    }
    reported.writeTo(options.reports, options.written(running));
    reported.decision().setWanted(options.collectAtEnd);
    List<String> ignored = options.services.differingFrom(running);
    return ignored.isEmpty()
        ? ""
        : "; ignored, since the services run as the first start had them: "
            + String.join(", ", ignored);
  }

  /** Once for all attachments. */
  private static void startServices(Instrumentation instrumentation) {
    FinalReport last = report;
    ServiceOptions options = services;
    if (questions == null && last != null && options != null) {
      questions =
          new Questions(
              Services.start(options, instrumentation, last, findResources(instrumentation), LOG));
    }
  }

  /** Says and starts nothing before the first of Netty's buffers, or a resource, is there. */
  private static void announceLater(
      List<String> mistaken, String greeting, Instrumentation instrumentation, Weaver installed) {
    List<String> lines = new ArrayList<>(mistaken);
    lines.add(greeting);
    Announcement made = new Announcement(lines, () -> startLater(instrumentation));
    announcement = made;
    Objects.requireNonNull(report).waitFor(made);
    installed.whenBuffersLoad(made::makeSoon);
    AddedResources.setWeaver(
        resource -> {
          made.makeSoon();
          APPLICATION.add(resource, FOLLOW);
        });
  }

  private static synchronized void startLater(Instrumentation instrumentation) {
    startServices(instrumentation);
  }

  private static Selection patterns(Options options) {
    List<ResourceRule> resources = new ArrayList<>(APPLICATION_RESOURCES);
    for (ResourceOption resource : options.resources) {
      resources.add(resource.register());
    }
    for (ResourceOption resource : APPLICATION.named(options.trackedResources)) {
      resources.add(resource.register());
    }
    LIBRARIES.setFurther(options.libraries);
    LIBRARIES.setFrameworks(options.carriers);
    ClassPattern include = options.include;
    if (include != null) {
      return new Selection(include, options.exclude, options.trackConstructors, resources)
          .withDirectBuffers(options.directBuffers)
          .withCallLines(!options.fewerHops);
    }
    ApplicationClasses application =
        ApplicationClasses.of(System.getProperties(), LIBRARIES::isOwn);
    return new Selection(application, options.exclude, options.trackConstructors, resources)
        .withDirectBuffers(options.directBuffers)
        .withCallLines(!options.fewerHops);
  }

  /** Searches for resources that the application describes later. */
  private static Runnable findResources(Instrumentation instrumentation) {
    AddedResources.setWeaver(resource -> APPLICATION.add(resource, FOLLOW));
    Runnable search = APPLICATION.later(instrumentation, FOLLOW_NOW, FOLLOW);
    return () -> {
      search.run();
      lookAtResources();
    };
  }

  private static synchronized void lookAtResources() {
    Attachment now = attachment;
    if (now != null) {
      now.catchUp();
      now.lookAtResources();
    }
  }

  /** Not synchronized: the end of the JVM waits for nobody. */
  private static List<String> unmatchedAtEnd() {
    Attachment now = attachment;
    if (now == null) {
      return List.of();
    }
    List<String> lines = new ArrayList<>(UnmatchedMembers.atEnd(now.resources()));
    lines.addAll(LIBRARIES.unmetFrameworks());
    return lines;
  }

  private static synchronized void follow(ResourceOption resource) {
    ResourceRule rule = resource.register();
    if (APPLICATION_RESOURCES.stream().noneMatch(rule::isSame)) {
      APPLICATION_RESOURCES.add(rule);
    }
    follow(resource, rule);
  }

  /** One that an option of this attachment names. */
  private static synchronized void followNow(ResourceOption resource) {
    if (attachment != null) {
      follow(resource, resource.register());
    }
  }

  private static void follow(ResourceOption resource, ResourceRule rule) {
    Attachment now = attachment;
    if (now != null) {
      now.add(rule);
      Log.line("following resources of type " + resource.name());
    }
  }

  private static String answer(String code, String line) {
    Log.line(line);
    return code + line;
  }

  /**
   * Answers the command line. Called as {@link #start} is; blocks as long as the answer takes.
   *
   * @param question one of {@link Questions}
   * @return one of the codes above and one line
   */
  public static String ask(String question) {
    Questions asked = questions;
    if (asked == null) {
      return FAILED + "has met no buffer yet";
    }
    try {
      return DONE + asked.answer(question);
    } catch (IOException | RuntimeException e) {
      String message = e.getMessage();
      return FAILED + (message == null ? e.toString() : message);
    }
  }

  private static Weaver install(Consumer<ClassFileTransformer> installer) {
    Weaver installed = new Weaver(LIBRARIES, LOG);
    installer.accept(installed);
    weaver = installed;
    return installed;
  }

  /**
   * Stops following new buffers and gives classes their byte code back; those of a Netty that
   * loaded under the agent keep their shape. Called as {@link #start} is.
   */
  public static synchronized String stop(Instrumentation instrumentation) {
    Attachment ending = attachment;
    if (ending == null) {
      return answer(FAILED, "nothing to detach: tracking is off");
    }
    attachment = null;
    ending.end();
    forgetOptions();
    return answer(
        DONE,
        "detached; the tracking was taken out of "
            + ending.restored()
            + " classes"
            + stays(ending));
  }

  /**
   * What classes are woven for that load from now on; the next attachment has options of its own.
   */
  private static void forgetOptions() {
    LIBRARIES.setFrameworks(Map.of());
    APPLICATION.named(List.of());
  }

  private static String stays(Attachment attachment) {
    int count = attachment.failures();
    return count == 0
        ? ""
        : count == 1 ? "; 1 class stays as it was" : "; " + count + " stay as they were";
  }

  private static String hops(@Nullable ClassPattern include, List<String> packages) {
    if (include != null) {
      return include.isEmpty() ? "allocations and releases only" : "hops in " + include;
    }
    List<String> named = packages.subList(0, Math.min(MAX_NAMED, packages.size()));
    int more = packages.size() - named.size();
    return "hops in the application's own classes"
        + (named.isEmpty() ? "" : " (" + String.join(", ", named))
        + (more > 0 ? ", and " + more + " packages more" : "")
        + (named.isEmpty() ? "" : ")");
  }

  private static String greeting(Options options, List<String> packages) {
    String hops = hops(options.include, packages) + (options.fewerHops ? ", fewer of them" : "");
    String sampled = options.sample == 1 ? "" : ", 1 in " + options.sample + " buffers";
    StringBuilder resources = new StringBuilder();
    for (ResourceOption resource : options.resources) {
      resources.append(resources.length() == 0 ? ", and " : ", ").append(resource.name());
    }
    resources.append(options.directBuffers ? ", direct buffers of the JDK" : "");
    String later = options.delayMillis == 0 ? "" : ", " + options.delayMillis + " ms from now on";
    String libraries = options.libraries.isEmpty() ? "Netty" : "Netty and Arrow";
    return "following " + libraries + " buffers" + resources + ", " + hops + sampled + later;
  }
}
