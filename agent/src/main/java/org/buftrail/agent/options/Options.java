package org.buftrail.agent.options;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.agent.weave.Libraries;
import org.buftrail.agent.weave.selection.ClassPattern;
import org.buftrail.options.Option;
import org.jspecify.annotations.Nullable;

/** The user's options, from the places that {@link Settings} reads. Immutable. */
public final class Options {
  private static final Pattern CARRIER =
      Pattern.compile("([\\w$]+(?:\\.[\\w$]+)*)\\.([\\w$]+)", Pattern.UNICODE_CHARACTER_CLASS);

  /** Null where nothing was named, and the application's own classes are meant. */
  public final @Nullable ClassPattern include;

  public final ClassPattern exclude;
  public final ClassPattern trackConstructors;

  /** The field in which a class keeps a buffer, by the internal name of the class. */
  public final Map<String, String> carriers;

  /** Whether lines that release, retain or pass on are no hops. */
  public final boolean fewerHops;

  /** Whose buffers are followed beside Netty's. */
  public final Set<String> libraries;

  public final boolean trackDirectOnly;

  /** Whether calls that allocate the JDK's direct buffers are followed. */
  public final boolean directBuffers;

  /** Whether what is dropped with nothing lost counts as leaked. */
  public final boolean droppedIsLeaked;

  public final List<ResourceOption> resources;

  /** Classes of the application that describe further ones. */
  public final List<String> trackedResources;

  public final int sample;

  /** How long after the start tracking begins; 0 for at once. */
  public final long delayMillis;

  /** How long it goes on from then; 0 for ever. */
  public final long durationMillis;

  public final int maxNodes;
  public final int maxDepth;
  public final int maxChildren;
  public final List<Path> reports;
  public final @Nullable Boolean collectAtEnd;
  public final ServiceOptions services;

  /** The options of tracking as they were written, {@code key=value} each. */
  private final List<String> written;

  public Options(Settings settings, Map<String, String> environment) {
    include = settings.readIfGiven(Option.INCLUDE, Options::included);
    exclude = pattern(settings, Option.EXCLUDE);
    trackConstructors = pattern(settings, Option.TRACK_CONSTRUCTORS);
    carriers = settings.read(Option.CARRIER, Map.of(), Options::carriers);
    fewerHops = settings.flag(Option.FEWER_HOPS);
    libraries = settings.read(Option.LIBRARIES, Set.of(), Libraries::parse);
    trackDirectOnly = settings.flag(Option.TRACK_DIRECT_ONLY);
    directBuffers = settings.flag(Option.DIRECT_BUFFERS);
    droppedIsLeaked = settings.read(Option.DROPPED, Options::isLeaked);
    resources = settings.readEach(Option.RESOURCE, ResourceOption::parse);
    checkDifferent(settings);
    trackedResources =
        settings.read(Option.TRACKED_RESOURCES, List.of(), ServiceOptions::classNames);
    sample = settings.number(Option.SAMPLE);
    delayMillis = settings.millis(Option.DELAY);
    durationMillis = settings.millis(Option.DURATION);
    maxNodes = settings.number(Option.MAX_NODES);
    maxDepth = settings.number(Option.MAX_DEPTH);
    maxChildren = settings.number(Option.MAX_CHILDREN);
    reports = settings.paths(Option.REPORT);
    collectAtEnd = settings.flagIfGiven(Option.COLLECT_AT_END);
    services = new ServiceOptions(settings, environment);
    written = settings.written(false);
  }

  /**
   * @param argument the agent's argument, or null
   * @throws IllegalArgumentException saying in one line what is wrong with which option
   */
  public static Options parse(
      @Nullable String argument, Properties properties, Map<String, String> environment) {
    Settings settings = Settings.read(argument == null ? "" : argument, properties, environment);
    return new Options(settings, environment);
  }

  /** Whether more than buffers is followed from the start. */
  public boolean followsResources() {
    return !resources.isEmpty() || !trackedResources.isEmpty() || directBuffers;
  }

  /**
   * Describes these options while some services run, {@code key=value;key=value}; without secrets.
   */
  public String written(ServiceOptions running) {
    List<String> all = new ArrayList<>(written);
    all.addAll(running.shown());
    return String.join(";", all);
  }

  private void checkDifferent(Settings settings) {
    Set<String> types = new HashSet<>();
    for (ResourceOption resource : resources) {
      if (!types.add(resource.type())) {
        throw new IllegalArgumentException(
            settings.name(Option.RESOURCE)
                + ": "
                + resource.type()
                + " is given twice; put all its open= and close= into one");
      }
    }
  }

  private static Map<String, String> carriers(String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      Matcher carrier = CARRIER.matcher(part.trim());
      if (!carrier.matches()) {
        throw new IllegalArgumentException(
            "'"
                + part.trim()
                + "' is not of the form com.example.Message.body, a class and a field");
      }
      fields.put(carrier.group(1).replace('.', '/'), carrier.group(2));
    }
    return fields;
  }

  private static boolean isLeaked(String text) {
    if (text.equals("leaked") || text.equals("apart")) {
      return text.equals("leaked");
    }
    throw new IllegalArgumentException("'" + text + "' is neither apart nor leaked");
  }

  private static ClassPattern included(String text) {
    return text.equals("none") ? ClassPattern.NONE : ClassPattern.parse(text);
  }

  private static ClassPattern pattern(Settings settings, Option option) {
    return settings.read(option, ClassPattern.NONE, ClassPattern::parse);
  }
}
