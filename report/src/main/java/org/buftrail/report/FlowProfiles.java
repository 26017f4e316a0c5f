package org.buftrail.report;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.Suspects;
import org.buftrail.model.TrackerStatus;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.pprof.PprofWriter;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot as profiles: a flow path is a stack, its last hop the leaf, its allocator the root.
 *
 * <p>Nine profiles over one dictionary: {@code live_objects}, {@code leaked_objects}, {@code
 * dropped_objects} and {@code allocated_objects} in {@code count}, {@code live_space}, {@code
 * leaked_space}, {@code dropped_space} and {@code allocated_space} in {@code bytes}; all but
 * allocated are left out when there is nothing to say, and so is {@code misuses}. Each sample says
 * its {@link #STATE}, {@link #REFS} and {@link #MEMORY}. Allocated is all that was followed,
 * whatever became of it.
 */
public final class FlowProfiles {
  /**
   * Sample attribute: {@code live}, {@code leaked}, {@code held}, {@code dropped}, {@code
   * released}.
   */
  public static final String STATE = "buftrail.flow.state";

  /** Sample attribute: the reference-count bucket at the last hop, such as {@code 1-2}. */
  public static final String REFS = "buftrail.flow.refs";

  /** Sample attribute: {@code direct} or {@code heap}, or the type of another resource. */
  public static final String MEMORY = "buftrail.flow.memory";

  /** Profile attribute: N where 1 in N allocations was followed; the values are scaled already. */
  public static final String SAMPLING = "buftrail.flow.sampling";

  /**
   * Profile attribute: the number of the rules by which hops were made; profiles of older agents do
   * not say it.
   */
  public static final String HOP_RULES = "buftrail.flow.hop_rules";

  /**
   * Profile attribute: how many live flows may be lost; absent where none may be, and from {@link
   * #deltas}.
   */
  public static final String UNDECIDED = "buftrail.flow.undecided";

  /**
   * Profile attribute: flows that went past a bound of the tracker; left out while there are none.
   */
  public static final String OVERFLOWED = "buftrail.flow.overflowed";

  /** Profile attribute: why new flows are not followed; left out while they are. */
  public static final String STOPPED = "buftrail.tracking.stopped";

  /** Attribute of live samples: true on a path that looks like a leak, else left out. */
  public static final String SUSPECT = "buftrail.flow.suspect";

  /** Attribute of misuses: {@code double release} and the like. */
  public static final String MISUSE = "buftrail.misuse.kind";

  /** Attribute of misuses: where, the first place outside Netty. */
  public static final String PLACE = "buftrail.misuse.place";

  private static final ValueType PERIOD = ValueType.of("bytebuf", "count");

  private final Dictionary dictionary = new Dictionary();
  private final Map<Site, Integer> locations = new HashMap<>();
  private final Samples live = Samples.summed(2);
  private final Samples leaked = Samples.summed(2);
  private final Samples dropped = Samples.summed(2);
  private final Samples allocated = Samples.summed(2);
  private final Samples misused = Samples.summed(1);
  private final Set<String> suspects = new HashSet<>();
  private final int frameType = dictionary.frameType("jvm");
  private final int[] attributes = new int[5];
  private final boolean deltas;
  private int[] frames = new int[64];

  /**
   * @param whole the snapshot that suspects are judged by: all that came to a path, and not a part
   *     of it
   */
  private FlowProfiles(boolean deltas, Snapshot whole) {
    this.deltas = deltas;
    for (Suspects.Suspect suspect : Suspects.of(whole)) {
      suspects.add(key(suspect.path()));
    }
  }

  private static String key(Path path) {
    StringBuilder key = new StringBuilder().append(path.isDirect());
    for (Path.Hop hop : path.hops()) {
      key.append('\n').append(hop.site()).append(hop.refs());
    }
    return key.toString();
  }

  /**
   * The profiles of a snapshot of which only the moment is known: their range is the millisecond in
   * which it was taken.
   */
  public static Profiles of(Snapshot snapshot) {
    return of(snapshot, snapshot.takenAtMillis());
  }

  /**
   * The profiles of a snapshot.
   *
   * @param sinceMillis when the counting began, in milliseconds since the epoch
   */
  public static Profiles of(Snapshot snapshot, long sinceMillis) {
    return profiles(new FlowProfiles(false, snapshot), snapshot, sinceMillis);
  }

  /**
   * The profiles of what happened since an earlier snapshot, to be added up: a flow counts as
   * allocated when it ends, so each counts once. What is live is of the moment.
   *
   * @param now the snapshot
   * @param since the same without what had ended before
   * @param sinceMillis when that was, in milliseconds since the epoch
   */
  public static Profiles deltas(Snapshot now, Snapshot since, long sinceMillis) {
    return profiles(new FlowProfiles(true, now), since, sinceMillis);
  }

  private static Profiles profiles(FlowProfiles flows, Snapshot snapshot, long sinceMillis) {
    for (Path path : PathOrder.sorted(snapshot)) {
      flows.add(path);
    }
    for (Misuse misuse : PathOrder.misuses(snapshot)) {
      flows.add(misuse);
    }
    return flows.profiles(snapshot, sinceMillis);
  }

  /**
   * Writes all flows as one gzipped pprof file: {@code allocated_objects} and {@code
   * allocated_space}, with {@link #STATE} as a label to focus on.
   *
   * @throws IOException when {@code out} does
   */
  static void writePprof(Snapshot snapshot, OutputStream out) throws IOException {
    FlowProfiles flows = new FlowProfiles(false, snapshot);
    for (Path path : PathOrder.sorted(snapshot)) {
      flows.add(path);
    }
    List<Profile> group =
        flows.kind("allocated", flows.allocated, snapshot, snapshot.takenAtMillis());
    PprofWriter.write(group, flows.dictionary, out);
  }

  private void add(Path path) {
    int stack = stack(path.hops());
    String refs = Wording.last(path).refs();
    attributes[1] = dictionary.attributes().intern(REFS, refs);
    attributes[2] = dictionary.attributes().intern(MEMORY, Wording.memory(path));
    boolean suspect = !suspects.isEmpty() && suspects.contains(key(path));
    attributes[3] = suspect ? dictionary.attributes().intern(SUSPECT, true) : 0;
    add(live, stack, "live", path.live());
    attributes[3] = 0;
    add(leaked, stack, "leaked", path.leaked());
    add(dropped, stack, "dropped", path.dropped());
    if (!deltas) {
      add(allocated, stack, "live", path.live());
    }
    add(allocated, stack, "leaked", path.leaked());
    add(allocated, stack, "held", new Path.Flows(path.held(), 0));
    add(allocated, stack, "dropped", path.dropped());
    add(allocated, stack, "released", path.released());
  }

  private void add(Samples samples, int stack, String state, Path.Flows flows) {
    if (flows.count() == 0 && flows.bytes() == 0) {
      return;
    }
    attributes[0] = dictionary.attributes().intern(STATE, state);
    int length = attributes[3] == 0 ? 3 : 4;
    int set = dictionary.attributeSets().intern(attributes, 0, length);
    samples.add(stack, set, 0, flows.count(), flows.bytes());
  }

  /** Hops of one site in a row, which differ in reference counts alone, are one frame. */
  private int stack(List<Path.Hop> hops) {
    if (frames.length < hops.size()) {
      frames = new int[hops.size() * 2];
    }
    int depth = 0;
    Site before = null;
    for (int i = hops.size() - 1; i >= 0; i--) {
      Site site = hops.get(i).site();
      if (before == null || !site.equals(before)) {
        frames[depth++] = locations.computeIfAbsent(site, this::location);
      }
      before = site;
    }
    return dictionary.stacks().intern(frames, 0, depth);
  }

  private int location(Site site) {
    int function = dictionary.functions().intern(site.qualifiedName());
    return dictionary.locations().intern(function, site.line(), frameType);
  }

  /** The stack is the path whose release came first. */
  private void add(Misuse misuse) {
    attributes[0] = dictionary.attributes().intern(MISUSE, misuse.kind().text());
    attributes[1] = dictionary.attributes().intern(PLACE, misuse.site().toString());
    int set = dictionary.attributeSets().intern(attributes, 0, 2);
    misused.add(stack(misuse.hops()), set, 0, misuse.count());
  }

  private Profiles profiles(Snapshot snapshot, long sinceMillis) {
    Profiles profiles = new Profiles(dictionary).madeBy("org.buftrail");
    if (!live.isEmpty()) {
      kind("live", live, snapshot, sinceMillis).forEach(profiles::add);
    }
    if (!leaked.isEmpty()) {
      kind("leaked", leaked, snapshot, sinceMillis).forEach(profiles::add);
    }
    if (!dropped.isEmpty()) {
      kind("dropped", dropped, snapshot, sinceMillis).forEach(profiles::add);
    }
    if (!deltas || !allocated.isEmpty()) {
      kind("allocated", allocated, snapshot, sinceMillis).forEach(profiles::add);
    }
    if (!misused.isEmpty()) {
      profiles.add(
          profile("misuses", ValueType.of("misuses", "count"), misused, 0, snapshot, sinceMillis));
    }
    return profiles;
  }

  private List<Profile> kind(String kind, Samples samples, Snapshot snapshot, long sinceMillis) {
    List<Profile> profiles = new ArrayList<>();
    for (int column = 1; column >= 0; column--) {
      ValueType type =
          column == 0
              ? ValueType.of(kind + "_objects", "count")
              : ValueType.of(kind + "_space", "bytes");
      profiles.add(profile(kind, type, samples, column, snapshot, sinceMillis));
    }
    return profiles;
  }

  private Profile profile(
      String kind,
      ValueType type,
      Samples samples,
      int column,
      Snapshot snapshot,
      long sinceMillis) {
    long time = TimeUnit.MILLISECONDS.toNanos(sinceMillis);
    long millis = Math.max(1, snapshot.takenAtMillis() - sinceMillis);
    return new Profile(kind, type, samples, column)
        .period(PERIOD, 1)
        .range(time, TimeUnit.MILLISECONDS.toNanos(millis))
        .attributes(status(snapshot));
  }

  /** What the tracker says of itself. */
  private int status(Snapshot snapshot) {
    int length = 0;
    attributes[length++] = dictionary.attributes().intern(SAMPLING, snapshot.sampling(), "");
    attributes[length++] = dictionary.attributes().intern(HOP_RULES, snapshot.hopRules(), "");
    if (snapshot.overflowed() > 0) {
      attributes[length++] = dictionary.attributes().intern(OVERFLOWED, snapshot.overflowed(), "");
    }
    TrackerStatus.@Nullable Stop stop = snapshot.status().stop();
    if (stop != null) {
      attributes[length++] = dictionary.attributes().intern(STOPPED, stop.reason());
    }
    long undecided = snapshot.status().undecided();
    if (undecided > 0 && !deltas) {
      attributes[length++] = dictionary.attributes().intern(UNDECIDED, undecided, "");
    }
    return dictionary.attributeSets().intern(attributes, 0, length);
  }
}
