package org.buftrail.agent.report;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.buftrail.flow.Path;
import org.buftrail.flow.Site;
import org.buftrail.flow.Snapshot;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;

/**
 * A snapshot as profiles: a flow path is a stack, its last hop the leaf, its allocator the root.
 *
 * <p>Six profiles over one dictionary: {@code live_objects}, {@code leaked_objects} and {@code
 * allocated_objects} in {@code count}, {@code live_space}, {@code leaked_space} and {@code
 * allocated_space} in {@code bytes}; those without a sample are left out. Each sample says its
 * {@link #STATE}, {@link #REFS} and {@link #MEMORY}. Allocated is all that was followed, whatever
 * became of it.
 */
public final class FlowProfiles {
  /** Sample attribute: {@code live}, {@code leaked} or {@code released}. */
  public static final String STATE = "buftrail.flow.state";

  /** Sample attribute: the reference-count bucket at the last hop, such as {@code 1-2}. */
  public static final String REFS = "buftrail.flow.refs";

  /** Sample attribute: {@code direct} or {@code heap}. */
  public static final String MEMORY = "buftrail.flow.memory";

  /** Profile attribute: N where 1 in N allocations was followed; the values are scaled already. */
  public static final String SAMPLING = "buftrail.flow.sampling";

  private static final ValueType PERIOD = ValueType.of("bytebuf", "count");

  private final Dictionary dictionary = new Dictionary();
  private final Map<Site, Integer> locations = new HashMap<>();
  private final Samples live = Samples.summed(2);
  private final Samples leaked = Samples.summed(2);
  private final Samples allocated = Samples.summed(2);
  private final int frameType = dictionary.frameType("jvm");
  private final int[] attributes = new int[3];
  private int[] frames = new int[64];

  private FlowProfiles() {}

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
    FlowProfiles flows = new FlowProfiles();
    for (Path path : PathOrder.sorted(snapshot)) {
      flows.add(path);
    }
    return flows.profiles(snapshot, sinceMillis);
  }

  private void add(Path path) {
    int stack = stack(path.hops());
    String refs = Wording.last(path).refs();
    attributes[1] = dictionary.attributes().intern(REFS, refs);
    attributes[2] = dictionary.attributes().intern(MEMORY, Wording.memory(path.isDirect()));
    add(live, stack, "live", path.live());
    add(leaked, stack, "leaked", path.leaked());
    add(allocated, stack, "live", path.live());
    add(allocated, stack, "leaked", path.leaked());
    add(allocated, stack, "released", path.released());
  }

  private void add(Samples samples, int stack, String state, Path.Flows flows) {
    if (flows.count() == 0) {
      return;
    }
    attributes[0] = dictionary.attributes().intern(STATE, state);
    int set = dictionary.attributeSets().intern(attributes, 0, attributes.length);
    samples.add(stack, set, 0, flows.count(), flows.bytes());
  }

  private int stack(List<Path.Hop> hops) {
    int depth = hops.size();
    if (frames.length < depth) {
      frames = new int[depth * 2];
    }
    for (int i = 0; i < depth; i++) {
      Site site = hops.get(depth - 1 - i).site();
      frames[i] = locations.computeIfAbsent(site, this::location);
    }
    return dictionary.stacks().intern(frames, 0, depth);
  }

  private int location(Site site) {
    int function = dictionary.functions().intern(site.className() + '.' + site.method());
    return dictionary.locations().intern(function, site.line(), frameType);
  }

  private Profiles profiles(Snapshot snapshot, long sinceMillis) {
    Profiles profiles = new Profiles(dictionary).scope("org.buftrail", "");
    long time = TimeUnit.MILLISECONDS.toNanos(sinceMillis);
    long duration =
        TimeUnit.MILLISECONDS.toNanos(Math.max(1, snapshot.takenAtMillis() - sinceMillis));
    int sampling =
        dictionary
            .attributeSets()
            .intern(dictionary.attributes().intern(SAMPLING, snapshot.sampling(), ""));
    add(profiles, "live", live, time, duration, sampling);
    add(profiles, "leaked", leaked, time, duration, sampling);
    add(profiles, "allocated", allocated, time, duration, sampling);
    return profiles;
  }

  private static void add(
      Profiles profiles, String kind, Samples samples, long time, long duration, int attributes) {
    if (samples.isEmpty()) {
      return;
    }
    ValueType[] types = {
      ValueType.of(kind + "_objects", "count"), ValueType.of(kind + "_space", "bytes")
    };
    for (int column = types.length - 1; column >= 0; column--) {
      profiles.add(
          new Profile(kind, types[column], samples, column)
              .period(PERIOD, 1)
              .range(time, duration)
              .attributes(attributes));
    }
  }
}
