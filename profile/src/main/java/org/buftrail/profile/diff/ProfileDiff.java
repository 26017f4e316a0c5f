package org.buftrail.profile.diff;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FrameNames;
import org.buftrail.profile.dictionary.StackTable;
import org.buftrail.profile.trie.AttributeByKey;
import org.buftrail.profile.trie.FrameTrie;

/**
 * Two sets of profiles side by side: their stacks merged by the names of their frames, with the
 * values before and after. What is on one side only is kept.
 *
 * <p>Profiles belong together when kind, type and unit are the same; where one side has no kinds,
 * as pprof has none, type and unit suffice. Belongs to one thread.
 */
public final class ProfileDiff {
  private final FrameTrie trie = new FrameTrie();
  private final Map<String, Integer> labels = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private final List<String> types = new ArrayList<>();
  private final Map<String, Measure> measures = new LinkedHashMap<>();
  private final Ends ends = new Ends();
  private final boolean lines;
  private final Side before;
  private final Side after;
  private boolean kindless;

  /** By what the base is multiplied to be comparable. */
  public enum Scale {
    /** As it is. */
    NONE,
    /** The ratio of the times that were recorded. */
    DURATION,
    /** The ratio of what was allocated: of flows for flows, of objects for the rest. */
    ALLOCATIONS,
    /** Flows by their allocations, the rest by duration, as far as both sides know them. */
    AUTO
  }

  private ProfileDiff(Side before, Side after, boolean lines) {
    this.before = before;
    this.after = after;
    this.lines = lines;
  }

  /**
   * Compares.
   *
   * @param base the profiles from before
   * @param now the profiles to judge
   * @param wanted how to scale the base
   * @param lines whether frames of one method on different lines are different frames
   * @throws IllegalArgumentException when there is nothing to scale by, as {@code wanted} asks
   */
  public static ProfileDiff of(
      List<Profiles> base, List<Profiles> now, Scale wanted, boolean lines) {
    ProfileDiff diff = new ProfileDiff(Side.of(base), Side.of(now), lines);
    diff.kindless = hasUnnamed(base) || hasUnnamed(now);
    base.forEach(profiles -> diff.add(profiles, true));
    now.forEach(profiles -> diff.add(profiles, false));
    diff.measures.values().forEach(measure -> measure.close(diff.trie.size()));
    new Scaling(diff.before, diff.after, diff.measures()).apply(wanted);
    return diff;
  }

  private static boolean hasUnnamed(List<Profiles> side) {
    return side.stream()
        .flatMap(profiles -> profiles.profiles().stream())
        .anyMatch(profile -> profile.name().isEmpty());
  }

  private void add(Profiles profiles, boolean toBase) {
    Dictionary dictionary = profiles.dictionary();
    FrameLabels frameLabels = new FrameLabels(dictionary);
    int[] nodes = new int[dictionary.stacks().size()];
    Arrays.fill(nodes, FrameTrie.NONE);
    for (Profile profile : profiles.profiles()) {
      if (Side.isStatistics(profile)) {
        continue;
      }
      Measure measure = measure(profile);
      measure.isIn(toBase);
      SamplingError error = SamplingError.of(profiles, profile);
      if (error.hasTimes()) {
        measure.slices(toBase).add(profile);
      }
      for (int i = 0; i < profile.samples().size(); i++) {
        int stack = profile.samples().stack(i);
        if (nodes[stack] == FrameTrie.NONE) {
          nodes[stack] = node(dictionary.stacks(), stack, frameLabels);
        }
        measure.add(toBase, nodes[stack], profile.value(i), error.variance(i));
      }
    }
  }

  private Measure measure(Profile profile) {
    String kind = kindless ? "" : profile.name();
    String type = profile.sampleType().type();
    String unit = profile.sampleType().unit();
    return measures.computeIfAbsent(
        kind + '\n' + type + '\n' + unit, key -> new Measure(kind, profile, ends));
  }

  private int node(StackTable stacks, int stack, FrameLabels frameLabels) {
    int node = FrameTrie.NONE;
    for (int i = stacks.depth(stack) - 1; i >= 0; i--) {
      for (int label : frameLabels.of(stacks.location(stack, i))) {
        node = trie.child(node, label);
      }
    }
    return node == FrameTrie.NONE ? trie.child(node, label("[no stack]", "")) : node;
  }

  /** The labels of a location's frames, the caller first, made when first asked for. */
  private final class FrameLabels {
    private final Dictionary dictionary;
    private final FrameNames names;
    private final AttributeByKey frameType;
    private final int[][] known;

    FrameLabels(Dictionary dictionary) {
      this.dictionary = dictionary;
      this.names = new FrameNames(dictionary);
      this.frameType = new AttributeByKey(dictionary, Dictionary.FRAME_TYPE);
      this.known = new int[dictionary.locations().size()][];
    }

    int[] of(int location) {
      int[] labels = known[location];
      if (labels == null) {
        labels = made(location);
        known[location] = labels;
      }
      return labels;
    }

    private int[] made(int location) {
      int functions = dictionary.locations().lineCount(location);
      String type = frameType.in(dictionary.locations().attributeSet(location));
      if (functions == 0) {
        return new int[] {label(names.address(location), type)};
      }
      int[] labels = new int[functions];
      for (int position = 0; position < functions; position++) {
        String name = names.function(location, position);
        long line = dictionary.locations().line(location, position);
        labels[functions - 1 - position] =
            label(lines && line > 0 ? name + ':' + line : name, type);
      }
      return labels;
    }
  }

  /** A name has the first type that anybody knows: a collapsed file, say, knows none. */
  private int label(String name, String type) {
    int label =
        labels.computeIfAbsent(
            name,
            n -> {
              names.add(n);
              types.add(type);
              return names.size() - 1;
            });
    if (types.get(label).isEmpty()) {
      types.set(label, type);
    }
    return label;
  }

  /** The description of the base. */
  public Side base() {
    return before;
  }

  /** The description of the new side. */
  public Side now() {
    return after;
  }

  /** The merged stacks, labelled with positions in {@link #names}. */
  public FrameTrie trie() {
    return trie;
  }

  /** The names of frames, unmodifiable. */
  public List<String> names() {
    return Collections.unmodifiableList(names);
  }

  /** What kind of frame has a name, such as {@code jvm}, by that name; empty where unknown. */
  public List<String> types() {
    return Collections.unmodifiableList(types);
  }

  /** The measures of either side, unmodifiable. */
  public List<Measure> measures() {
    return List.copyOf(measures.values());
  }

  /** Whether something is measured on both sides, or one of them is empty. */
  public boolean isComparable() {
    boolean base = measures.values().stream().anyMatch(Measure::isInBase);
    boolean now = measures.values().stream().anyMatch(Measure::isInNew);
    return !base || !now || measures.values().stream().anyMatch(m -> m.isInBase() && m.isInNew());
  }

  /**
   * Leaves only some measures.
   *
   * @param types names of types or kinds; empty for all
   */
  public void retain(Set<String> types) {
    if (!types.isEmpty()) {
      measures.values().removeIf(m -> !types.contains(m.type()) && !types.contains(m.kind()));
    }
  }

  /** The frames of a stack, root first. */
  public List<String> frames(int node) {
    List<String> frames = new ArrayList<>();
    for (int at = node; at != FrameTrie.NONE; at = trie.parent(at)) {
      frames.add(names.get(trie.label(at)));
    }
    Collections.reverse(frames);
    return frames;
  }

  /**
   * The stacks whose values differ by more than one sampling error, the largest difference first.
   */
  public List<Change> changes(Measure measure) {
    List<Change> changes = new ArrayList<>();
    for (int node = 0; node < trie.size(); node++) {
      if (measure.baseAt(node) != measure.nowAt(node) && !measure.isWithinError(node)) {
        changes.add(
            new Change(
                node, measure.measuredBaseAt(node), measure.baseAt(node), measure.nowAt(node)));
      }
    }
    Collections.sort(changes);
    return changes;
  }

  /** How many stacks differ by no more than one sampling error. */
  public int withinError(Measure measure) {
    int within = 0;
    for (int node = 0; node < trie.size(); node++) {
      if (measure.baseAt(node) != measure.nowAt(node) && measure.isWithinError(node)) {
        within++;
      }
    }
    return within;
  }
}
