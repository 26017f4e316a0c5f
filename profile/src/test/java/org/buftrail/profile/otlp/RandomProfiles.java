package org.buftrail.profile.otlp;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;

/** Conformant profiles made from a seed, with entries in every table and some that nothing uses. */
public final class RandomProfiles {
  static final long START = 1_700_000_000_000_000_000L;
  static final long DURATION = 1_000_000_000L;

  private final Random random;
  private final Dictionary dictionary;

  private RandomProfiles(Random random, Dictionary dictionary) {
    this.random = random;
    this.dictionary = dictionary;
  }

  public static Profiles of(long seed) {
    return of(seed, new Dictionary());
  }

  public static Profiles of(long seed, Dictionary dictionary) {
    return new RandomProfiles(new Random(seed), dictionary).make();
  }

  private Profiles make() {
    Profiles profiles = new Profiles(dictionary).scope("buftrail", "1." + random.nextInt(9));
    profiles
        .resource()
        .put("service.name", "shop")
        .put("process.pid", (long) random.nextInt(99_999))
        .put("ratio", random.nextDouble())
        .put("truth", random.nextBoolean())
        .put("process.command_args", List.of("java", "-jar", "ü.jar"))
        .putAny("tree", Map.of("inner", List.of(1L, "two", new byte[] {3})));
    Samples both = Samples.summed(2);
    fill(both);
    Samples observed = Samples.observed(1);
    fill(observed);
    Samples ones = Samples.observed(2);
    fill(ones);
    ValueType space = ValueType.of("allocated_space", "bytes");
    profiles
        .add(
            profile("alloc", ValueType.of("allocated_objects", "count"), both, 0)
                .period(space, 512))
        .add(profile("alloc", space, both, 1).period(space, 512))
        .add(
            profile("", ValueType.of("samples", "count"), observed, 0)
                .period(ValueType.of("cpu", "nanoseconds"), 10_000_000))
        .add(profile("exceptions", ValueType.of("exceptions", "count"), ones, 0).period(space, 1));
    return profiles;
  }

  private Profile profile(String name, ValueType type, Samples samples, int column) {
    int set = dictionary.attributeSets().intern(dictionary.attributes().intern("host", "a"));
    return new Profile(name, type, samples, column)
        .range(START, DURATION)
        .attributes(random.nextBoolean() ? set : 0);
  }

  private void fill(Samples samples) {
    int count = random.nextInt(40);
    for (int i = 0; i < count; i++) {
      int stack = stack();
      int set = attributes();
      int link = random.nextInt(3) == 0 ? 0 : link();
      long time = START + Math.floorMod(random.nextLong(), DURATION);
      long value = random.nextLong() >>> random.nextInt(64) >>> 8;
      if (!samples.isObserved()) {
        samples.add(stack, set, link, 1 + random.nextInt(3), value);
      } else if (samples.columns() == 1) {
        samples.observe(stack, set, link, time, value);
      } else {
        samples.observe(stack, set, link, time, 1, value);
      }
    }
    // Entries that nothing uses.
    stack();
    attributes();
    link();
  }

  private int link() {
    return dictionary.links().intern(random.nextInt(2), random.nextInt(3), 1 + random.nextInt(3));
  }

  private int stack() {
    int[] locations = new int[random.nextInt(random.nextInt(60) == 0 ? 300 : 12)];
    for (int i = 0; i < locations.length; i++) {
      locations[i] = location();
    }
    return dictionary.stacks().intern(locations, 0, locations.length);
  }

  private int location() {
    int jvm = dictionary.frameType("jvm");
    for (int i = 0; random.nextInt(20) == 0 || (i > 0 && i < 5); i++) {
      jvm = dictionary.attributeSets().with(jvm, dictionary.attributes().intern("a" + i, "b"));
    }
    if (random.nextInt(4) > 0) {
      return dictionary.locations().intern(function(), random.nextInt(200_000), jvm);
    }
    int mapping =
        dictionary
            .mappings()
            .intern(
                0x1000,
                0x9000L << random.nextInt(48),
                random.nextInt(2),
                dictionary.strings().intern("libc.so." + random.nextInt(3)),
                dictionary
                    .attributeSets()
                    .intern(
                        dictionary.attributes().intern("process.executable.build_id.gnu", "ab")));
    int lines = random.nextInt(4);
    int[] functions = new int[lines];
    long[] numbers = new long[lines];
    long[] columns = new long[lines];
    for (int i = 0; i < lines; i++) {
      functions[i] = function();
      numbers[i] = random.nextInt(9) - 1L;
      columns[i] = random.nextInt(3);
    }
    return dictionary
        .locations()
        .intern(
            mapping,
            0x1000L + random.nextInt(64),
            dictionary.frameType("native"),
            functions,
            numbers,
            columns,
            lines);
  }

  private int function() {
    return dictionary
        .functions()
        .intern(
            dictionary.strings().intern("org.example.Ünit" + random.nextInt(30) + ".run"),
            random.nextBoolean() ? 0 : dictionary.strings().intern("()V"),
            random.nextBoolean() ? 0 : dictionary.strings().intern("Unit.java"),
            random.nextInt(3));
  }

  private int attributes() {
    int set = dictionary.attributeSets().intern(0);
    if (random.nextBoolean()) {
      int name = dictionary.attributes().intern("thread.name", "worker-" + random.nextInt(5));
      int id = dictionary.attributes().intern("thread.id", random.nextInt(5) - 1L, "");
      set = dictionary.attributeSets().with(dictionary.attributeSets().with(set, id), name);
    }
    if (random.nextInt(4) == 0) {
      set =
          dictionary
              .attributeSets()
              .with(set, dictionary.attributes().intern("weight", random.nextDouble(), "By"));
    }
    if (random.nextInt(4) == 0) {
      int direct = dictionary.attributes().intern("direct", random.nextBoolean());
      set = dictionary.attributeSets().with(set, direct);
    }
    return set;
  }
}
