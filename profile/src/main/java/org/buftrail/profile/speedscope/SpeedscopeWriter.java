package org.buftrail.profile.speedscope;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FrameNames;
import org.buftrail.profile.dictionary.LocationTable;
import org.buftrail.profile.dictionary.StackTable;
import org.buftrail.profile.json.JsonOut;
import org.buftrail.profile.trie.AttributeByKey;
import org.jspecify.annotations.Nullable;

/**
 * Writes profiles in speedscope's file format: one profile of type {@code sampled} for each, over
 * one list of frames.
 *
 * <p>A frame is a function, whatever its line, unless lines are asked for. Counted samples of a
 * time have their time as weight. Samples of one stack are one, with their sum as weight; sums of 0
 * or less, which speedscope cannot show, are left out.
 */
public final class SpeedscopeWriter {
  private static final String SCHEMA = "https://www.speedscope.app/file-format-schema.json";

  private final Profiles profiles;
  private final Dictionary dictionary;
  private final FrameNames frameNames;
  private final Map<List<String>, Integer> indices = new HashMap<>();
  private final List<List<String>> frames = new ArrayList<>();
  private final int[][] framesOfLocation;
  private final boolean lines;
  private final boolean threads;

  // By stack, and which stacks these are, in their order; empty between two profiles.
  private final long[] weights;
  private final boolean[] seen;
  private int[] order = new int[16];

  private SpeedscopeWriter(Profiles profiles, boolean lines, boolean threads) {
    this.lines = lines;
    this.threads = threads;
    this.weights = new long[profiles.dictionary().stacks().size()];
    this.seen = new boolean[weights.length];
    this.profiles = profiles;
    this.dictionary = profiles.dictionary();
    this.frameNames = new FrameNames(dictionary);
    this.framesOfLocation = new int[dictionary.locations().size()][];
  }

  /**
   * Writes one file, which ends with a line feed.
   *
   * @param lines whether one function on different lines is different frames
   * @param threads whether a profile is followed by one for each of its threads
   * @throws IOException when {@code out} does
   */
  public static void write(Profiles profiles, boolean lines, boolean threads, Appendable out)
      throws IOException {
    new SpeedscopeWriter(profiles, lines, threads).write(new JsonOut(out));
    out.append('\n');
  }

  private void write(JsonOut json) throws IOException {
    json.beginObject().name("$schema").value(SCHEMA).name("exporter").value("buftrail");
    Object service = profiles.resource().asMap().get("service.name");
    json.name("name").value(service == null ? "Profile" : service.toString());
    json.name("activeProfileIndex").value(0).name("profiles").beginArray();
    for (Profile profile : profiles.profiles()) {
      write(profile, json);
    }
    json.endArray().name("shared").beginObject().name("frames").beginArray();
    for (List<String> frame : frames) {
      json.newLine().beginObject().name("name").value(frame.get(0));
      if (!frame.get(1).isEmpty()) {
        json.name("file").value(frame.get(1));
      }
      if (!frame.get(2).isEmpty()) {
        json.name("line").value(Long.parseLong(frame.get(2)));
      }
      json.endObject();
    }
    json.endArray().endObject().endObject();
  }

  private void write(Profile profile, JsonOut json) throws IOException {
    String type = profile.sampleType().type();
    boolean said = profile.name().isEmpty() || type.startsWith(profile.name());
    String name = said ? type : profile.name() + ": " + type;
    Samples samples = profile.samples();
    write(profile, name, IntStream.range(0, samples.size()).toArray(), json.newLine());
    if (threads) {
      for (Map.Entry<String, int[]> thread : byThread(profile).entrySet()) {
        write(profile, name + ", " + thread.getKey(), thread.getValue(), json.newLine());
      }
    }
  }

  /** The samples of each thread, those of the busiest first; none where there is one thread. */
  private Map<String, int[]> byThread(Profile profile) {
    AttributeByKey name = new AttributeByKey(dictionary, "thread.name");
    AttributeByKey id = new AttributeByKey(dictionary, "thread.id");
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    Map<String, Long> values = new HashMap<>();
    for (int i = 0; i < profile.samples().size(); i++) {
      int set = profile.samples().attributeSet(i);
      String number = id.in(set).isEmpty() ? "" : "#" + id.in(set);
      String thread = (name.in(set) + " " + number).strip();
      if (!thread.isEmpty()) {
        groups.computeIfAbsent(thread, key -> new ArrayList<>()).add(i);
        values.merge(thread, profile.value(i), Samples::plus);
      }
    }
    Map<String, int[]> sorted = new LinkedHashMap<>();
    if (groups.size() > 1) {
      values.entrySet().stream()
          .filter(thread -> thread.getValue() > 0)
          .sorted(
              Map.Entry.<String, Long>comparingByValue()
                  .reversed()
                  .thenComparing(Map.Entry.comparingByKey()))
          .map(Map.Entry::getKey)
          .forEach(thread -> sorted.put(thread, numbers(groups.get(thread))));
    }
    return sorted;
  }

  private static int[] numbers(@Nullable List<Integer> list) {
    return list == null ? new int[0] : list.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Writes some samples of a profile as one of speedscope's. */
  private void write(Profile profile, String name, int[] samples, JsonOut json) throws IOException {
    boolean isTime = profile.isSampledTime();
    int count = 0;
    for (int i : samples) {
      int stack = profile.samples().stack(i);
      if (!seen[stack]) {
        seen[stack] = true;
        order = count == order.length ? Arrays.copyOf(order, count * 2) : order;
        order[count++] = stack;
      }
      long value = isTime ? profile.sampledNanos(i) : profile.value(i);
      weights[stack] = Samples.plus(weights[stack], value);
    }
    int[] shown = Arrays.stream(order, 0, count).filter(stack -> weights[stack] > 0).toArray();
    json.beginObject().name("type").value("sampled").name("name").value(name);
    json.name("unit").value(isTime ? "nanoseconds" : unit(profile.sampleType().unit()));
    json.name("startValue").value(0);
    json.name("endValue")
        .value(Arrays.stream(shown).mapToLong(stack -> weights[stack]).reduce(0, Samples::plus));
    json.name("samples").beginArray();
    for (int stack : shown) {
      writeStack(stack, json);
    }
    json.endArray().name("weights").beginArray();
    for (int stack : shown) {
      json.value(weights[stack]);
    }
    json.endArray().endObject();
    for (int i = 0; i < count; i++) {
      weights[order[i]] = 0;
      seen[order[i]] = false;
    }
  }

  /** What speedscope calls a unit; it knows no counts. */
  private static String unit(String unit) {
    return List.of("bytes", "nanoseconds", "microseconds", "milliseconds", "seconds").contains(unit)
        ? unit
        : "none";
  }

  /** The frames of a stack, root first. */
  private void writeStack(int stack, JsonOut json) throws IOException {
    StackTable stacks = dictionary.stacks();
    json.beginArray();
    for (int k = stacks.depth(stack) - 1; k >= 0; k--) {
      for (int frame : frames(stacks.location(stack, k))) {
        json.value(frame);
      }
    }
    if (stacks.depth(stack) == 0) {
      json.value(index("[no stack]", "", 0));
    }
    json.endArray();
  }

  /** The frames of a location, the caller first. */
  private int[] frames(int location) {
    int[] known = framesOfLocation[location];
    if (known == null) {
      LocationTable locations = dictionary.locations();
      int count = locations.lineCount(location);
      known = new int[Math.max(1, count)];
      if (count == 0) {
        known[0] = index(frameNames.address(location), "", 0);
      }
      for (int i = 0; i < count; i++) {
        int file = dictionary.functions().fileName(locations.function(location, i));
        known[count - 1 - i] =
            index(
                frameNames.function(location, i),
                dictionary.strings().get(file),
                lines ? locations.line(location, i) : 0);
      }
      framesOfLocation[location] = known;
    }
    return known;
  }

  private int index(String name, String file, long line) {
    return indices.computeIfAbsent(
        List.of(name, file, line > 0 ? String.valueOf(line) : ""),
        frame -> {
          frames.add(frame);
          return frames.size() - 1;
        });
  }
}
