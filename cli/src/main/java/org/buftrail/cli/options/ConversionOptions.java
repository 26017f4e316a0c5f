package org.buftrail.cli.options;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.buftrail.cli.shape.AttributeRemoval;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.jfr.Options;
import org.buftrail.profile.Attributes;
import org.buftrail.profile.Kind;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.push.OtelVariables;

/** Options of every command that converts recordings: what of them, and as whose profiles. */
public final class ConversionOptions {
  private static final Set<String> FOR_ALL =
      Set.of(
          "--resource",
          "--without",
          "--trace-id",
          "--lenient",
          "--title",
          "--minwidth",
          "--highlight",
          "--source",
          "--inverted");

  private final KindOptions named = new KindOptions();
  private final TextsOption events =
      new TextsOption(
          "--event",
          "NAME[:field[:unit]]",
          false,
          "Convert this event type too, counting it or adding up a field.");

  private final TimeOption from =
      new TimeOption(
          "--from",
          "Leave out what began earlier: milliseconds from the start, or, if negative, from the end"
              + " of the recording; HH:MM:SS of today; 2026-01-31T12:00:00, or with Z in UTC.");

  private final TimeOption to = new TimeOption("--to", "Leave out what began later.");

  private final RegexOption include =
      new RegexOption(
          "-I --include",
          "Only stacks with a frame, class or (with --threads) thread that matches.");

  private final RegexOption exclude =
      new RegexOption(
          "-X --exclude", "No stacks with a frame, class or (with --threads) thread that matches.");

  private final Flag threads =
      new Flag(
          "-t --threads",
          "Make the thread the root frame of each stack. A speedscope file also has a profile for"
              + " each thread.");

  private final Flag timestamps =
      new Flag(
          "--timestamps",
          "Keep the time of every event. Pages of recordings up to 64 MiB, and heatmaps, have them"
              + " anyway.");

  private final Flag bytecodeIndex = new Flag("--bci", "Keep the bytecode index of every frame.");

  private final Flag normalized =
      new Flag("--norm", "Cut the numbers from names of hidden classes.");

  private final PairOption resource =
      new PairOption(
          "--resource",
          "Set this attribute of the process, such as service.name=orders. Comes before"
              + " OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, these before what the recording"
              + " says.");

  private final TextsOption without =
      new TextsOption(
          "--without",
          "ATTRIBUTE",
          true,
          "Leave out these attributes of samples, such as thread.id,thread.name. Samples that"
              + " become equal are added up.");

  private final SizeOption mostUnpacked =
      new SizeOption(
          "--max-unpacked",
          Long.MAX_VALUE,
          "Refuse packed recordings that are larger than SIZE, such as 2g, unpacked.");

  private final Flag lenient =
      new Flag(
          "--lenient", "Exit with 0 also when a damaged recording could be read only in part.");

  private boolean compilation;
  private boolean keepsTimes;

  public ConversionOptions() {}

  /** The options, but for those of kinds. */
  public void addTo(List<CommandOption> options) {
    options.addAll(own());
  }

  private List<CommandOption> own() {
    return List.of(
        events,
        from,
        to,
        include,
        exclude,
        threads,
        timestamps,
        bytecodeIndex,
        normalized,
        resource,
        without,
        mostUnpacked,
        lenient);
  }

  /** One option for each kind of profile. */
  public void addKindsTo(List<CommandOption> options) {
    named.addTo(options);
  }

  /** The kinds that are named. */
  public Set<Kind> kinds() {
    return named.kinds();
  }

  /** What to convert, and how. */
  public Options options() {
    try {
      // Not as a stream: the first of a JVM takes some milliseconds, and mostly there are none.
      List<Options.Event> all = new ArrayList<>();
      for (String event : events.values()) {
        all.add(Options.Event.parse(event));
      }
      return Options.DEFAULT
          .kinds(named.isAll() ? Set.of() : kindsWithParts())
          .timestamps(hasTimestamps())
          .bytecodeIndex(bytecodeIndex.isGiven())
          .compilation(compilation)
          .normalized(normalized.isGiven())
          .window(from.value().relative(), to.value().relative())
          .between(from.value().nanos(Long.MIN_VALUE), to.value().nanos(Long.MAX_VALUE))
          .include(include.value())
          .exclude(exclude.value())
          .threads(threads.isGiven())
          .mostUnpacked(mostUnpacked.value())
          .events(all);
    } catch (IllegalArgumentException e) {
      throw new WrongUsage(String.valueOf(e.getMessage()));
    }
  }

  /** Whether options leave out something of what is converted by itself. */
  public boolean isSelected() {
    return ((!kinds().isEmpty() || !named.parts().isEmpty()) && !named.isAll())
        || include.value() != null
        || exclude.value() != null
        || from.value().isSet()
        || to.value().isSet();
  }

  private Set<Kind> kindsWithParts() {
    Set<Kind> all = kinds();
    for (String part : named.parts()) {
      all.add(KindOptions.kind(part));
    }
    return all;
  }

  /** Leaves out the other profiles of a kind of which only a part was asked for. */
  public Profiles select(Profiles all) {
    Set<String> parts = named.parts();
    if (parts.isEmpty() || named.isAll()) {
      return all;
    }
    Set<Kind> kinds = kinds();
    List<Profile> kept = new ArrayList<>();
    for (Profile profile : all.profiles()) {
      Kind kind = KindOptions.kind(profile.name());
      if (kind == Kind.EVENT || kinds.contains(kind) || parts.contains(profile.name())) {
        kept.add(profile);
      }
    }
    return all.with(kept);
  }

  /** Leaves attributes of samples out that are not wanted. */
  public ReadProfiles withoutAttributes(ReadProfiles read) {
    return without.values().isEmpty()
        ? read
        : ReadProfiles.of(withoutAttributes(read.profiles()), read.damages());
  }

  /** Leaves attributes of samples out that are not wanted. */
  public Profiles withoutAttributes(Profiles profiles) {
    return withoutAttributes(List.of(profiles)).get(0);
  }

  /**
   * Leaves attributes of samples out that are not wanted.
   *
   * @param all profiles over one dictionary
   */
  public List<Profiles> withoutAttributes(List<Profiles> all) {
    if (without.values().isEmpty()) {
      return all;
    }
    try {
      return AttributeRemoval.apply(all, new LinkedHashSet<>(without.values()));
    } catch (IllegalArgumentException e) {
      throw new WrongUsage("--without: " + e.getMessage());
    }
  }

  /**
   * Pages show how frames ran, and when samples were taken; of large recordings, only if that is
   * asked for.
   */
  public void keepTimesFor(Destination destination) throws IOException {
    compilation = PageTimes.isPage(destination);
    keepsTimes = PageTimes.areKept(destination);
  }

  /** Whether threads are distinguished, in stacks or by profiles. */
  public boolean hasThreads() {
    return threads.isGiven();
  }

  public boolean hasTimestamps() {
    return timestamps.isGiven() || keepsTimes;
  }

  /**
   * Refuses options that say what of a recording to convert, and how, for what is none.
   *
   * @param others more options of which some are such
   * @throws WrongUsage naming one that was given
   */
  public void refuseForProfiles(Path input, List<CommandOption> others) {
    List<CommandOption> all = new ArrayList<>(own());
    named.addTo(all);
    all.addAll(others);
    for (CommandOption option : all) {
      if (option.isGiven() && !FOR_ALL.contains(option.name())) {
        throw new WrongUsage(option.name() + " is for recordings, unlike " + input);
      }
    }
  }

  /** Whether an option says something else than profiles that were read do. */
  public boolean changesRead() {
    return resource.isGiven() || without.isGiven();
  }

  /**
   * Says of the process what options say, and what the environment says and profiles that were read
   * do not.
   */
  public void describeRead(Attributes attributes) {
    Map<String, String> given = resource.pairs();
    Attributes said = new Attributes();
    describe(said);
    said.asMap()
        .forEach(
            (key, value) -> {
              if (given.containsKey(key) || !attributes.asMap().containsKey(key)) {
                attributes.putAny(key, value);
              }
            });
  }

  /** Says of the process what options and the environment say. */
  public void describe(Attributes attributes) {
    try {
      put(OtelVariables.resource(System.getenv()), attributes);
    } catch (IllegalArgumentException e) {
      throw new WrongUsage(String.valueOf(e.getMessage()));
    }
    put(resource.pairs(), attributes);
  }

  private static void put(Map<String, String> from, Attributes attributes) {
    for (Map.Entry<String, String> attribute : from.entrySet()) {
      if (attribute.getKey().isBlank()) {
        throw new WrongUsage("--resource =" + attribute.getValue() + " has no key");
      }
      attributes.put(attribute.getKey(), attribute.getValue());
    }
  }

  /** Whether a recording that is read in part is good enough. */
  public boolean isLenient() {
    return lenient.isGiven();
  }
}
