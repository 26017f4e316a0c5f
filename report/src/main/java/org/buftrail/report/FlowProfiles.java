package org.buftrail.report;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.pprof.PprofWriter;

/**
 * A snapshot as profiles: a flow path is a stack, its last hop the leaf, its allocator the root.
 *
 * <p>Eight profiles over one dictionary: {@code live_objects}, {@code leaked_objects}, {@code
 * dropped_objects} and {@code allocated_objects} in {@code count}, {@code live_space}, {@code
 * leaked_space}, {@code dropped_space} and {@code allocated_space} in {@code bytes}; all but
 * allocated are left out when there is nothing to say. Each sample says its {@link #STATE}, {@link
 * #REFS} and {@link #MEMORY}. Allocated is all that was followed, whatever became of it.
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
   * Profile attribute: how many live flows may be lost; absent where none may be, and from {@link
   * #deltas}.
   */
  public static final String UNDECIDED = "buftrail.flow.undecided";

  private static final ValueType PERIOD = ValueType.of("bytebuf", "count");

  private final Dictionary dictionary = new Dictionary();
  private final Map<Site, Integer> locations = new HashMap<>();
  private final Samples live = Samples.summed(2);
  private final Samples leaked = Samples.summed(2);
  private final Samples dropped = Samples.summed(2);
  private final Samples allocated = Samples.summed(2);
  private final int frameType = dictionary.frameType("jvm");
  private final int[] attributes = new int[3];
  private final boolean deltas;
  private int[] frames = new int[64];

  private FlowProfiles(boolean deltas) {
    this.deltas = deltas;
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
    return profiles(new FlowProfiles(false), snapshot, sinceMillis);
  }

  /**
   * The profiles of what happened since an earlier snapshot, to be added up: a flow counts as
   * allocated when it ends, so each counts once. What is live is of the moment.
   *
   * @param since the snapshot without what had ended before
   * @param sinceMillis when that was, in milliseconds since the epoch
   */
  public static Profiles deltas(Snapshot since, long sinceMillis) {
    return profiles(new FlowProfiles(true), since, sinceMillis);
  }

  private static Profiles profiles(FlowProfiles flows, Snapshot snapshot, long sinceMillis) {
    for (Path path : PathOrder.sorted(snapshot)) {
      flows.add(path);
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
    FlowProfiles flows = new FlowProfiles(false);
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
    add(live, stack, "live", path.live());
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
    int set = dictionary.attributeSets().intern(attributes, 0, attributes.length);
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
    return profiles;
  }

  private int attributes(Snapshot snapshot) {
    int[] members = {dictionary.attributes().intern(SAMPLING, snapshot.sampling(), ""), 0};
    long undecided = snapshot.status().undecided();
    if (undecided == 0 || deltas) {
      return dictionary.attributeSets().intern(members[0]);
    }
    members[1] = dictionary.attributes().intern(UNDECIDED, undecided, "");
    return dictionary.attributeSets().intern(members, 0, members.length);
  }

  private List<Profile> kind(String kind, Samples samples, Snapshot snapshot, long sinceMillis) {
    int attributes = attributes(snapshot);
    long time = TimeUnit.MILLISECONDS.toNanos(sinceMillis);
    long millis = Math.max(1, snapshot.takenAtMillis() - sinceMillis);
    List<Profile> profiles = new ArrayList<>();
    for (int column = 1; column >= 0; column--) {
      ValueType type =
          column == 0
              ? ValueType.of(kind + "_objects", "count")
              : ValueType.of(kind + "_space", "bytes");
      profiles.add(
          new Profile(kind, type, samples, column)
              .period(PERIOD, 1)
              .range(time, TimeUnit.MILLISECONDS.toNanos(millis))
              .attributes(attributes));
    }
    return profiles;
  }
}
