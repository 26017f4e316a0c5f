package org.buftrail.cli.options;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.buftrail.cli.output.WrongUsage;
import org.buftrail.cli.shape.AttributeRemoval;
import org.buftrail.jfr.Options;
import org.buftrail.profile.Attributes;
import org.buftrail.profile.Kind;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.push.OtelVariables;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of every command that converts recordings: what of them, and as whose profiles. */
public final class ConversionOptions {
  private static final Set<String> FOR_ALL =
      Set.of(
          "--resource",
          "--without",
          "--lenient",
          "--title",
          "--minwidth",
          "--highlight",
          "--inverted");

  /** Those that are named. */
  public final Set<Kind> kinds = EnumSet.noneOf(Kind.class);

  /** Profiles that are named by options of their own, as parts of their kinds. */
  public final Set<String> parts = new LinkedHashSet<>();

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--event",
      paramLabel = "NAME[:field[:unit]]",
      description = "Convert this event type too, counting it or adding up a field.")
  private List<String> events = new ArrayList<>();

  @Option(
      names = "--from",
      paramLabel = "TIME",
      converter = TimeOption.class,
      description = {
        "Leave out what began earlier: milliseconds from the start, or, if negative, from the end"
            + " of the recording; HH:MM:SS of today; 2026-01-31T12:00:00, or with Z in UTC."
      })
  private TimeOption.Time from = new TimeOption.Time(0, false);

  @Option(
      names = "--to",
      paramLabel = "TIME",
      converter = TimeOption.class,
      description = "Leave out what began later.")
  private TimeOption.Time to = new TimeOption.Time(0, false);

  @Option(
      names = {"-I", "--include"},
      paramLabel = "REGEX",
      description = "Only stacks with a frame, class or (with --threads) thread that matches.")
  private @Nullable Pattern include;

  @Option(
      names = {"-X", "--exclude"},
      paramLabel = "REGEX",
      description = "No stacks with a frame, class or (with --threads) thread that matches.")
  private @Nullable Pattern exclude;

  @Option(
      names = {"-t", "--threads"},
      description = "Make the thread the root frame of each stack.")
  private boolean threads;

  @Option(
      names = "--timestamps",
      description =
          "Keep the time of every event. Pages of recordings up to 64 MiB, and heatmaps, have them"
              + " anyway.")
  private boolean timestamps;

  @Option(names = "--bci", description = "Keep the bytecode index of every frame.")
  private boolean bytecodeIndex;

  private boolean compilation;

  @Option(names = "--norm", description = "Cut the numbers from names of hidden classes.")
  private boolean normalized;

  @Option(
      names = "--resource",
      paramLabel = "KEY=VALUE",
      description = {
        "Say this of the process, such as service.name=orders. Comes before OTEL_SERVICE_NAME and"
            + " OTEL_RESOURCE_ATTRIBUTES, these before what the recording says."
      })
  private Map<String, String> resource = new LinkedHashMap<>();

  @Option(
      names = "--without",
      paramLabel = "ATTRIBUTE",
      split = ",",
      description =
          "Leave out these attributes of samples, such as thread.id,thread.name. Samples that become"
              + " equal are added up.")
  private Set<String> without = new LinkedHashSet<>();

  @Option(
      names = "--max-unpacked",
      paramLabel = "SIZE",
      converter = SizeOption.class,
      description = "Refuse packed recordings that are larger than SIZE, such as 2g, unpacked.")
  private long mostUnpacked = Long.MAX_VALUE;

  @Option(
      names = "--lenient",
      description = "Exit with 0 also when a damaged recording could be read only in part.")
  private boolean lenient;

  public ConversionOptions() {}

  /** What to convert, and how. */
  public Options options() {
    try {
      // Not as a stream: the first of a JVM takes some milliseconds, and mostly there are none.
      List<Options.Event> named = new ArrayList<>();
      for (String event : events) {
        named.add(Options.Event.parse(event));
      }
      return Options.DEFAULT
          .kinds(isAll() ? Set.of() : kindsWithParts())
          .timestamps(timestamps)
          .bytecodeIndex(bytecodeIndex)
          .compilation(compilation)
          .normalized(normalized)
          .window(from.relative(), to.relative())
          .between(from.nanos(Long.MIN_VALUE), to.nanos(Long.MAX_VALUE))
          .include(include)
          .exclude(exclude)
          .threads(threads)
          .mostUnpacked(mostUnpacked)
          .events(named);
    } catch (IllegalArgumentException e) {
      throw new WrongUsage(String.valueOf(e.getMessage()));
    }
  }

  /** Whether options leave out something of what is converted by itself. */
  public boolean isSelected() {
    return ((!kinds.isEmpty() || !parts.isEmpty()) && !isAll())
        || include != null
        || exclude != null
        || from.isSet()
        || to.isSet();
  }

  private Set<Kind> kindsWithParts() {
    if (parts.isEmpty()) {
      return kinds;
    }
    Set<Kind> all = EnumSet.noneOf(Kind.class);
    all.addAll(kinds);
    for (String part : parts) {
      all.add(KindOptions.kind(part));
    }
    return all;
  }

  /** Leaves out the other profiles of a kind of which only a part was asked for. */
  public Profiles select(Profiles all) {
    if (parts.isEmpty() || isAll()) {
      return all;
    }
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
    return without.isEmpty()
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
    if (without.isEmpty()) {
      return all;
    }
    try {
      return AttributeRemoval.apply(all, without);
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
    timestamps |= PageTimes.areKept(destination);
  }

  public boolean hasTimestamps() {
    return timestamps;
  }

  private boolean isAll() {
    return spec != null && spec.commandLine().getParseResult().hasMatchedOption("--all");
  }

  /**
   * Refuses options that say what of a recording to convert, and how, for what is none.
   *
   * @throws WrongUsage naming one that was given
   */
  public void refuseForProfiles(Path input) {
    if (spec == null) {
      return;
    }
    Set<String> ofRecordings = new HashSet<>();
    for (CommandSpec mixin : spec.mixins().values()) {
      if (!(mixin.userObject() instanceof ReceiverOptions)) {
        mixin.options().forEach(option -> ofRecordings.add(option.longestName()));
      }
    }
    for (Kind kind : Kind.values()) {
      ofRecordings.add("--" + kind.option());
    }
    ofRecordings.removeAll(FOR_ALL);
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      if (ofRecordings.contains(option.longestName())) {
        throw new WrongUsage(option.longestName() + " is for recordings, unlike " + input);
      }
    }
  }

  /** Whether an option says something else than profiles that were read do. */
  public boolean changesRead() {
    return !resource.isEmpty() || !without.isEmpty();
  }

  /**
   * Says of the process what options say, and what the environment says and profiles that were read
   * do not.
   */
  public void describeRead(Attributes attributes) {
    Attributes said = new Attributes();
    describe(said);
    said.asMap()
        .forEach(
            (key, value) -> {
              if (resource.containsKey(key) || !attributes.asMap().containsKey(key)) {
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
    put(resource, attributes);
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
    return lenient;
  }
}
