package org.buftrail.profile.text;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.dictionary.FrameNames;
import org.buftrail.profile.dictionary.LocationTable;
import org.buftrail.profile.dictionary.StackTable;

/**
 * Profiles as text for a terminal: of each its sum, and the functions with the largest share, their
 * own and with what they call.
 */
public final class ProfileText {
  private static final int SHOWN = 10;
  private static final String NO_STACK = "[no stack]";

  private final Profiles profiles;
  private final FrameNames frameNames;
  private final Map<String, Integer> ids = new HashMap<>();
  private final List<String> names = new ArrayList<>();
  private final int[][] idsOfLocation;

  private ProfileText(Profiles profiles) {
    this.profiles = profiles;
    this.frameNames = new FrameNames(profiles.dictionary());
    this.idsOfLocation = new int[profiles.dictionary().locations().size()][];
  }

  /**
   * Writes the text, which ends with a line feed.
   *
   * @throws IOException when {@code out} does
   */
  public static void write(Profiles profiles, Appendable out) throws IOException {
    if (profiles.profiles().isEmpty()) {
      out.append("no profiles\n");
    }
    ProfileText text = new ProfileText(profiles);
    String separator = "";
    for (Profile profile : profiles.profiles()) {
      out.append(separator).append(text.of(profile));
      separator = "\n";
    }
  }

  private String of(Profile profile) {
    String unit = profile.sampleType().unit();
    long total = profile.total();
    StringBuilder text = new StringBuilder();
    String kind = profile.name().isEmpty() ? "" : Printable.line(profile.name()) + ": ";
    text.append(kind).append(Printable.line(profile.sampleType().toString())).append("  ");
    text.append(Amounts.of(total, unit)).append(", ");
    int size = profile.samples().size();
    text.append(Amounts.count(size)).append(size == 1 ? " sample\n" : " samples\n");
    Shares shares = shares(profile);
    List<Integer> largest =
        IntStream.range(0, names.size())
            .filter(id -> shares.all[id] > 0)
            .boxed()
            .sorted(
                Comparator.<Integer>comparingLong(id -> -shares.self[id])
                    .thenComparingLong(id -> -shares.all[id]))
            .limit(SHOWN)
            .collect(Collectors.toList());
    if (!largest.isEmpty()) {
      text.append(row("self", "", "with callees", "", "function"));
    }
    for (int id : largest) {
      long self = shares.self[id];
      long all = shares.all[id];
      text.append(
          row(
              Amounts.of(self, unit),
              percent(self, total),
              Amounts.of(all, unit),
              percent(all, total),
              Printable.line(names.get(id))));
    }
    return text.toString();
  }

  /** The values of functions by their number. */
  private static final class Shares {
    private long[] self = new long[64];
    private long[] all = new long[64];
    private int[] seenIn = new int[64];

    void add(int id, int sample, long value, boolean isLeaf) {
      if (id >= self.length) {
        int length = Math.max(id + 1, self.length * 2);
        self = Arrays.copyOf(self, length);
        all = Arrays.copyOf(all, length);
        seenIn = Arrays.copyOf(seenIn, length);
      }
      if (isLeaf) {
        self[id] = Samples.plus(self[id], value);
      }
      // A function that calls itself has its callees' share once.
      if (seenIn[id] != sample + 1) {
        seenIn[id] = sample + 1;
        all[id] = Samples.plus(all[id], value);
      }
    }
  }

  private Shares shares(Profile profile) {
    Shares shares = new Shares();
    StackTable stacks = profiles.dictionary().stacks();
    for (int i = 0; i < profile.samples().size(); i++) {
      int stack = profile.samples().stack(i);
      int depth = stacks.depth(stack);
      boolean isLeaf = true;
      for (int k = 0; k < depth; k++) {
        for (int id : ids(stacks.location(stack, k))) {
          shares.add(id, i, profile.value(i), isLeaf);
          isLeaf = false;
        }
      }
      if (depth == 0) {
        shares.add(id(NO_STACK), i, profile.value(i), true);
      }
    }
    shares.add(names.size(), 0, 0, false);
    return shares;
  }

  /** The functions of a location, the innermost first. */
  private int[] ids(int location) {
    int[] known = idsOfLocation[location];
    if (known == null) {
      LocationTable locations = profiles.dictionary().locations();
      int count = locations.lineCount(location);
      known =
          count == 0
              ? new int[] {id(frameNames.address(location))}
              : IntStream.range(0, count)
                  .map(position -> id(frameNames.function(location, position)))
                  .toArray();
      idsOfLocation[location] = known;
    }
    return known;
  }

  private int id(String name) {
    return ids.computeIfAbsent(
        name,
        n -> {
          names.add(n);
          return names.size() - 1;
        });
  }

  private static String percent(long part, long total) {
    return total == 0 ? "" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / total);
  }

  private static String row(Object... cells) {
    return String.format(Locale.ROOT, "  %14s %7s  %14s %7s  %s\n", cells);
  }
}
