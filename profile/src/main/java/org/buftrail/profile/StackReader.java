package org.buftrail.profile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.buftrail.profile.dictionary.AttributeSetTable;
import org.buftrail.profile.dictionary.AttributeTable;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FrameNames;
import org.buftrail.profile.dictionary.LocationTable;
import org.buftrail.profile.dictionary.StackTable;
import org.jspecify.annotations.Nullable;

/** Profiles with the names that their indices stand for. Belongs to one thread. */
final class StackReader {
  private static final String NO_STACK = "[no stack]";

  private final Dictionary dictionary;
  private final FrameNames names;
  private final @Nullable List<Frame>[] framesOfLocation;
  private final Map<Integer, List<Frame>> stacks = new HashMap<>();
  private final Map<Integer, Map<String, String>> attributes = new HashMap<>();

  @SuppressWarnings({"unchecked", "rawtypes"})
  StackReader(Dictionary dictionary) {
    this.dictionary = dictionary;
    names = new FrameNames(dictionary);
    framesOfLocation = new List[dictionary.locations().size()];
  }

  List<StackSample> samples(Profile profile) {
    List<StackSample> all = new ArrayList<>(profile.samples().size());
    for (int i = 0; i < profile.samples().size(); i++) {
      List<Frame> frames = stacks.computeIfAbsent(profile.samples().stack(i), this::frames);
      Map<String, String> known =
          attributes.computeIfAbsent(profile.samples().attributeSet(i), this::attributes);
      all.add(new StackSample(frames, known, profile.value(i)));
    }
    return Collections.unmodifiableList(all);
  }

  private List<Frame> frames(int stack) {
    List<Frame> frames = new ArrayList<>();
    StackTable table = dictionary.stacks();
    for (int k = 0; k < table.depth(stack); k++) {
      frames.addAll(framesOf(table.location(stack, k)));
    }
    return Collections.unmodifiableList(frames);
  }

  /** The frames of a location, the innermost first. */
  private List<Frame> framesOf(int location) {
    List<Frame> known = framesOfLocation[location];
    if (known == null) {
      known = new ArrayList<>();
      LocationTable locations = dictionary.locations();
      String type =
          attributes(locations.attributeSet(location)).getOrDefault(Dictionary.FRAME_TYPE, "");
      for (int k = 0; k < locations.lineCount(location); k++) {
        int file = dictionary.functions().fileName(locations.function(location, k));
        known.add(
            new Frame(
                names.function(location, k),
                dictionary.strings().get(file),
                locations.line(location, k),
                type));
      }
      if (known.isEmpty()) {
        known.add(new Frame(names.address(location), "", 0, type));
      }
      framesOfLocation[location] = known;
    }
    return known;
  }

  private Map<String, String> attributes(int set) {
    AttributeSetTable sets = dictionary.attributeSets();
    AttributeTable table = dictionary.attributes();
    Map<String, String> all = new LinkedHashMap<>();
    for (int k = 0; k < sets.length(set); k++) {
      int attribute = sets.attribute(set, k);
      all.put(dictionary.strings().get(table.key(attribute)), table.text(attribute));
    }
    return Collections.unmodifiableMap(all);
  }

  /** The methods of a profile, those with the largest values first. */
  List<MethodCost> hottest(Profile profile, int most) {
    Costs costs = new Costs();
    int[][] idsOfLocation = new int[framesOfLocation.length][];
    StackTable table = dictionary.stacks();
    for (int i = 0; i < profile.samples().size(); i++) {
      long value = profile.value(i);
      int stack = profile.samples().stack(i);
      boolean isLeaf = true;
      for (int k = 0; k < table.depth(stack); k++) {
        int location = table.location(stack, k);
        if (idsOfLocation[location] == null) {
          idsOfLocation[location] =
              framesOf(location).stream().mapToInt(frame -> costs.id(frame.name())).toArray();
        }
        for (int id : idsOfLocation[location]) {
          costs.add(id, i, value, isLeaf);
          isLeaf = false;
        }
      }
      if (table.depth(stack) == 0) {
        costs.add(costs.id(NO_STACK), i, value, true);
      }
    }
    return costs.largest(most);
  }

  /** The values of methods by their number. */
  private static final class Costs {
    private final Map<String, Integer> ids = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private long[] self = new long[64];
    private long[] total = new long[64];
    private int[] seenIn = new int[64];

    int id(String name) {
      Integer known = ids.putIfAbsent(name, names.size());
      if (known != null) {
        return known;
      }
      names.add(name);
      if (names.size() > self.length) {
        self = Arrays.copyOf(self, 2 * self.length);
        total = Arrays.copyOf(total, 2 * total.length);
        seenIn = Arrays.copyOf(seenIn, 2 * seenIn.length);
      }
      return names.size() - 1;
    }

    void add(int id, int sample, long value, boolean isLeaf) {
      if (isLeaf) {
        self[id] = Samples.plus(self[id], value);
      }
      // A method that calls itself has its callees' share once.
      if (seenIn[id] != sample + 1) {
        seenIn[id] = sample + 1;
        total[id] = Samples.plus(total[id], value);
      }
    }

    List<MethodCost> largest(int most) {
      List<MethodCost> all = new ArrayList<>();
      IntStream.range(0, names.size())
          .filter(id -> total[id] > 0)
          .forEach(id -> all.add(new MethodCost(names.get(id), self[id], total[id])));
      all.sort(
          (a, b) ->
              a.self() == b.self()
                  ? Long.compare(b.total(), a.total())
                  : Long.compare(b.self(), a.self()));
      return List.copyOf(all.subList(0, Math.min(most, all.size())));
    }
  }
}
