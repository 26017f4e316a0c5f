package org.buftrail.profile.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.junit.jupiter.api.Test;

final class ProfileDiffTest {
  /** One stack of one frame; with no type where that is empty. */
  private static Profiles profiles(String frame, String type) {
    Dictionary dictionary = new Dictionary();
    int function = dictionary.functions().intern(frame);
    int set = type.isEmpty() ? 0 : dictionary.frameType(type);
    int[] stack = {dictionary.locations().intern(function, 0, set)};
    Samples samples = Samples.summed(1);
    samples.add(dictionary.stacks().intern(stack, 0, 1), 0, 0, 5L);
    return new Profiles(dictionary)
        .add(new Profile("cpu", ValueType.of("samples", "count"), samples, 0));
  }

  private static List<String> types(Profiles base, Profiles now) {
    return ProfileDiff.of(List.of(base), List.of(now), ProfileDiff.Scale.NONE, false).types();
  }

  @Test
  void aFrameHasTheTypeThatEitherSideKnows() {
    Profiles collapsed = profiles("app.Main.run", "");
    Profiles typed = profiles("app.Main.run", "jvm");
    assertThat(types(collapsed, typed)).containsExactly("jvm");
    assertThat(types(typed, collapsed)).containsExactly("jvm");
    assertThat(types(typed, profiles("app.Main.run", "native"))).containsExactly("jvm");
    assertThat(types(collapsed, collapsed)).containsExactly("");
  }

  /** What was allocated and what is live, each in one sample, over so many nanoseconds. */
  private static Profiles flows(long allocated, long live, long duration) {
    Dictionary dictionary = new Dictionary();
    Profiles profiles = new Profiles(dictionary);
    add(profiles, "allocated", allocated, duration);
    add(profiles, "live", live, duration);
    return profiles;
  }

  private static void add(Profiles to, String kind, long value, long duration) {
    Samples samples = Samples.summed(1);
    samples.add(0, 0, 0, value);
    to.add(
        new Profile(kind, ValueType.of(kind + "_objects", "count"), samples, 0)
            .period(ValueType.of("bytebuf", "count"), 1)
            .range(1, duration));
  }

  private static List<Long> bases(Profiles base, Profiles now, ProfileDiff.Scale scale) {
    ProfileDiff diff = ProfileDiff.of(List.of(base), List.of(now), scale, false);
    return diff.measures().stream().map(Measure::baseTotal).toList();
  }

  @Test
  void whatIsLiveAtOneMomentIsNotScaled() {
    Profiles base = flows(10, 6, 1_000);
    Profiles now = flows(30, 6, 5_000);
    assertThat(bases(base, now, ProfileDiff.Scale.NONE)).containsExactly(10L, 6L);
    assertThat(bases(base, now, ProfileDiff.Scale.ALLOCATIONS)).containsExactly(30L, 6L);
    assertThat(bases(base, now, ProfileDiff.Scale.DURATION)).containsExactly(50L, 6L);
    assertThat(bases(base, now, ProfileDiff.Scale.AUTO)).containsExactly(30L, 6L);
  }

  @Test
  void whatTheScaleNeedsMustBeOnBothSides() {
    Profiles all = flows(10, 6, 1_000);
    assertThatThrownBy(() -> bases(flows(0, 6, 1_000), all, ProfileDiff.Scale.ALLOCATIONS))
        .hasMessage("no allocations on both sides to normalize by");
    assertThatThrownBy(() -> bases(all, flows(10, 6, 0), ProfileDiff.Scale.DURATION))
        .hasMessage("no duration on both sides to normalize by");
    assertThat(bases(flows(0, 6, 1_000), flows(10, 6, 0), ProfileDiff.Scale.AUTO))
        .containsExactly(0L, 6L);
  }

  @Test
  void inlinedFunctionsStandBelowTheirCallers() {
    Dictionary dictionary = new Dictionary();
    int inner = dictionary.functions().intern("inner");
    int outer = dictionary.functions().intern("outer");
    int inlined =
        dictionary
            .locations()
            .intern(0, 0, 0, new int[] {inner, outer}, new long[] {7, 8}, new long[2], 2);
    Samples samples = Samples.summed(1);
    samples.add(dictionary.stacks().intern(new int[] {inlined}, 0, 1), 0, 0, 5);
    Profiles now =
        new Profiles(dictionary)
            .add(new Profile("cpu", ValueType.of("samples", "count"), samples, 0));
    ProfileDiff diff = ProfileDiff.of(List.of(), List.of(now), ProfileDiff.Scale.NONE, true);
    Change change = diff.changes(diff.measures().get(0)).get(0);
    assertThat(change.kind()).isEqualTo(Change.Kind.NEW);
    assertThat(diff.frames(change.node())).containsExactly("outer:8", "inner:7");
  }

  /** A stack of one frame for each value; those of 0 have none. As exact as flows are. */
  private static Profiles values(String type, long... values) {
    Dictionary dictionary = new Dictionary();
    Samples samples = Samples.summed(1);
    for (int i = 0; i < values.length; i++) {
      if (values[i] != 0) {
        int frame =
            dictionary.locations().intern(dictionary.functions().intern("app.A.m" + i), 0, 0);
        samples.add(dictionary.stacks().intern(new int[] {frame}, 0, 1), 0, 0, values[i]);
      }
    }
    return new Profiles(dictionary)
        .add(
            new Profile("cpu", ValueType.of(type, "count"), samples, 0)
                .period(ValueType.of("bytebuf", "count"), 1));
  }

  private static ProfileDiff plain(Profiles base, Profiles now) {
    return ProfileDiff.of(List.of(base), List.of(now), ProfileDiff.Scale.NONE, false);
  }

  @Test
  void changesAreSaidTheLargestFirst() {
    ProfileDiff diff = plain(values("s", 5, 0, 10, 9, 7, 3), values("s", 0, 2, 40, 1, 7, 4));
    Measure measure = diff.measures().get(0);
    assertThat(diff.changes(measure))
        .extracting(change -> diff.frames(change.node()).get(0) + " " + text(change))
        .containsExactly(
            "app.A.m2 GREW 10 40 30",
            "app.A.m3 SHRANK 9 1 -8",
            "app.A.m0 GONE 5 0 -5",
            "app.A.m1 NEW 0 2 2",
            "app.A.m5 GREW 3 4 1");
    assertThat(measure.baseTotal()).isEqualTo(34);
    assertThat(measure.nowTotal()).isEqualTo(54);
    assertThat(measure.growthPercent()).isCloseTo(58.82, within(0.01));
    assertThat(measure.base()).containsExactlyInAnyOrder(5, 10, 9, 7, 3, 0);
    assertThat(measure.now()).containsExactlyInAnyOrder(0, 40, 1, 7, 4, 2);
  }

  private static String text(Change change) {
    return change.kind() + " " + change.base() + " " + change.now() + " " + change.difference();
  }

  @Test
  void ofEqualChangesTheFirstStackIsFirst() {
    ProfileDiff diff = plain(values("s", 1, 2, 3), values("s", 2, 1, 4));
    assertThat(diff.changes(diff.measures().get(0)))
        .extracting(Change::node)
        .containsExactly(0, 1, 2);
  }

  @Test
  void manyStacksAreKeptApart() {
    long[] many = new long[1_000];
    for (int i = 0; i < many.length; i++) {
      many[i] = i + 1L;
    }
    long[] one = many.clone();
    one[777] = 0;
    ProfileDiff diff = plain(values("s", many), values("s", one));
    assertThat(diff.changes(diff.measures().get(0)))
        .singleElement()
        .satisfies(
            change -> {
              assertThat(text(change)).isEqualTo("GONE 778 0 -778");
              assertThat(diff.frames(change.node())).containsExactly("app.A.m777");
            });
    assertThat(diff.measures().get(0).baseTotal()).isEqualTo(500_500);
  }

  @Test
  void growthIsOfWhatThereWas() {
    assertThat(growth(new long[] {0, 5}, new long[] {0, 5})).isZero();
    assertThat(growth(new long[] {0}, new long[] {3})).isInfinite();
    assertThat(growth(new long[] {4}, new long[] {1})).isEqualTo(-75);
    assertThat(growth(new long[] {4}, new long[] {5})).isEqualTo(25);
  }

  private static double growth(long[] base, long[] now) {
    return plain(values("s", base), values("s", now)).measures().get(0).growthPercent();
  }

  @Test
  void whatMeasuresNothingAlikeIsNotCompared() {
    ProfileDiff apart = plain(values("samples", 1), values("bytes", 1));
    assertThat(apart.isComparable()).isFalse();
    assertThat(apart.measures()).extracting(Measure::isInBase).containsExactly(true, false);
    assertThat(apart.measures()).extracting(Measure::isInNew).containsExactly(false, true);
    assertThat(plain(values("samples", 1), values("samples", 2)).isComparable()).isTrue();
    assertThat(plain(values("samples", 1), new Profiles(new Dictionary())).isComparable()).isTrue();
    assertThat(plain(new Profiles(new Dictionary()), values("samples", 1)).isComparable()).isTrue();
    apart.retain(Set.of("bytes"));
    assertThat(apart.measures()).extracting(Measure::type).containsExactly("bytes");
    apart.retain(Set.of());
    assertThat(apart.measures()).hasSize(1);
  }

  @Test
  void jsonSaysAllOfIt() throws IOException {
    Profiles base = flows(3, 9, 1);
    base.resource().put("service.name", "orders").put("host.name", "h");
    ProfileDiff diff =
        ProfileDiff.of(List.of(base), List.of(flows(10, 5, 1)), ProfileDiff.Scale.AUTO, false);
    StringBuilder json = new StringBuilder();
    DiffJson.write(diff, "a", "b", List.of("grew"), json);
    assertThat(json.toString().replaceAll("\\s", ""))
        .isEqualTo(
            "{\"format\":\"buftrail.diff\",\"version\":1,\"base\":\"a\",\"new\":\"b\","
                + "\"sides\":[{\"service\":\"orders\",\"host\":\"h\",\"timeUnixNano\":1,"
                + "\"durationNano\":1},{\"timeUnixNano\":1,\"durationNano\":1}],"
                + "\"failed\":[\"grew\"],\"measures\":["
                + "{\"kind\":\"allocated\",\"type\":\"allocated_objects\",\"unit\":\"count\","
                + "\"normalizedBy\":\"allocations\",\"factor\":\"3.33333\",\"error\":0,"
                + "\"measuredBase\":3,\"base\":10,\"new\":10,\"withinError\":0,\"changes\":[]},"
                + "{\"kind\":\"live\",\"type\":\"live_objects\",\"unit\":\"count\","
                + "\"normalizedBy\":\"none\",\"factor\":\"1\",\"error\":4,\"measuredBase\":9,"
                + "\"base\":9,\"new\":5,\"withinError\":0,\"changes\":[{\"change\":\"shrank\","
                + "\"measuredBase\":9,\"base\":9,\"new\":5,\"frames\":[\"[nostack]\"]}]}]}");
  }

  /**
   * Observed events of one stack, each a second after the one before, and so many nanoseconds long.
   */
  private static Profile observed(String kind, String type, long... values) {
    Samples samples = Samples.observed(1);
    for (int i = 0; i < values.length; i++) {
      samples.observe(0, 0, 0, 1 + i * 1_000_000_000L, values[i]);
    }
    return new Profile(kind, ValueType.of(type, "nanoseconds"), samples, 0)
        .range(1, values.length * 1_000_000_000L);
  }

  private static Measure only(Profile base, Profile now) {
    return ProfileDiff.of(
            List.of(new Profiles(new Dictionary()).add(base)),
            List.of(new Profiles(new Dictionary()).add(now)),
            ProfileDiff.Scale.AUTO,
            false)
        .measures()
        .get(0);
  }

  /** n seconds with a value of 1, of which the first has another. */
  private static long[] ones(int n, long first) {
    long[] values = new long[n];
    Arrays.fill(values, 1);
    values[0] = first;
    return values;
  }

  @Test
  void oneLongPauseProvesNothing() {
    Measure even = only(observed("gc", "time", ones(64, 1)), observed("gc", "time", ones(64, 3)));
    assertThat(even.growthPercent()).isEqualTo(100 * 2 / 64.0);
    assertThat(even.error()).isCloseTo(Math.sqrt(64 + 72), within(1e-9));
    Measure long1 =
        only(observed("gc", "time", ones(64, 1)), observed("gc", "time", ones(64, 500)));
    assertThat(long1.growthPercent()).isGreaterThan(700);
    assertThat(long1.isCertain()).isFalse();
    long[] all = new long[64];
    Arrays.fill(all, 3);
    assertThat(only(observed("gc", "time", ones(64, 1)), observed("gc", "time", all)).isCertain())
        .isTrue();
  }

  @Test
  void burstsVaryMoreThanTheirNumberSays() {
    long[] burst = new long[64];
    Arrays.fill(burst, 0, 16, 10);
    long[] twice = burst.clone();
    Arrays.fill(twice, 16, 32, 10);
    Measure measure = only(observed("lock", "delay", burst), observed("lock", "delay", twice));
    // Four of 16 parts have all of it: far more than the squares of single events.
    assertThat(measure.error()).isGreaterThan(Math.sqrt(1_600 + 3_200) * 1.5);
    assertThat(measure.growthPercent()).isEqualTo(100);
    assertThat(measure.isCertain()).isFalse();
  }

  @Test
  void sumsAreScaledBeforeTheirParts() {
    Profiles base = values("s", 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    Profiles timed = new Profiles(base.dictionary());
    timed.add(base.profiles().get(0).range(1, 1_000));
    Profiles other = values("s", 1, 1, 1, 1, 1, 1, 1);
    Profiles now = new Profiles(other.dictionary());
    now.add(other.profiles().get(0).range(1, 750));
    Measure measure =
        ProfileDiff.of(List.of(timed), List.of(now), ProfileDiff.Scale.AUTO, false)
            .measures()
            .get(0);
    assertThat(measure.scale()).isEqualTo(ProfileDiff.Scale.DURATION);
    assertThat(measure.measuredBaseTotal()).isEqualTo(10);
    assertThat(measure.baseTotal()).isEqualTo(8);
    assertThat(measure.baseAt(0)).isEqualTo(1);
  }

  /** A recording with leaks, heap samples, and two events with the totals of flows. */
  private static Profiles recording(long leaks, long heapSamples, long flows) {
    Dictionary dictionary = new Dictionary();
    Samples leaked = Samples.summed(1);
    leaked.add(0, 0, 0, leaks);
    Samples heap = Samples.summed(1);
    heap.add(0, 0, 0, heapSamples);
    Samples totals = Samples.observed(1);
    totals.observe(0, 0, 0, 1, 50);
    totals.observe(0, 0, 0, 900, 50 + flows);
    return new Profiles(dictionary)
        .add(
            new Profile("alloc_sampled", ValueType.of("allocated_objects", "count"), heap, 0)
                .range(1, 1_000))
        .add(
            new Profile("flow_leaked", ValueType.of("leaked_objects", "count"), leaked, 0)
                .period(ValueType.of("bytebuf", "count"), 1)
                .range(1, 1_000))
        .add(
            new Profile(Side.STATISTICS, ValueType.of("allocated", "count"), totals, 0)
                .range(1, 1_000));
  }

  @Test
  void leaksOfRecordingsAreScaledByFlowsAndNeverByHeapSamples() {
    ProfileDiff diff =
        ProfileDiff.of(
            List.of(recording(400, 137, 40_000)),
            List.of(recording(313, 121, 31_300)),
            ProfileDiff.Scale.AUTO,
            false);
    assertThat(diff.measures())
        .extracting(m -> m.type() + " " + m.scale() + " " + m.baseTotal() + " " + m.nowTotal())
        .containsExactly(
            "allocated_objects DURATION 137 121", "leaked_objects ALLOCATIONS 313 313");
    ProfileDiff unknown =
        ProfileDiff.of(
            List.of(recording(400, 137, 0)),
            List.of(recording(313, 121, 31_300)),
            ProfileDiff.Scale.AUTO,
            false);
    assertThat(unknown.measures())
        .extracting(Measure::scale)
        .containsOnly(ProfileDiff.Scale.DURATION);
    ProfileDiff asked =
        ProfileDiff.of(
            List.of(recording(400, 137, 0)),
            List.of(recording(313, 121, 31_300)),
            ProfileDiff.Scale.ALLOCATIONS,
            false);
    assertThat(asked.measures()).extracting(Measure::factor).containsExactly(121 / 137.0, 1.0);
  }

  @Test
  void sampledFlowsAreOffByChance() {
    Profiles base = flows(10_000, 1, 1);
    assertThat(error(base, flows(10_000, 1, 1))).isZero();
    assertThat(error(sampled(base), sampled(flows(10_000, 1, 1))))
        .isCloseTo(Math.sqrt(2e6), within(1e-6));
  }

  private static double error(Profiles base, Profiles now) {
    return ProfileDiff.of(List.of(base), List.of(now), ProfileDiff.Scale.AUTO, false)
        .measures()
        .get(0)
        .error();
  }

  /** As if 1 in 100 was followed. */
  private static Profiles sampled(Profiles profiles) {
    Dictionary dictionary = profiles.dictionary();
    int[] attributes = {dictionary.attributes().intern("buftrail.flow.sampling", 100, "")};
    int set = dictionary.attributeSets().intern(attributes, 0, 1);
    profiles.profiles().forEach(profile -> profile.attributes(set));
    return profiles;
  }

  /** Like the above as samples, which are not exact. */
  private static Profiles one(Profiles exact) {
    Profile profile = exact.profiles().get(0);
    return new Profiles(exact.dictionary())
        .add(new Profile(profile.name(), profile.sampleType(), profile.samples(), 0));
  }

  @Test
  void aSampleMoreOrLessIsNoChange() {
    Profiles base = profiles("app.Main.run", "");
    ProfileDiff diff =
        ProfileDiff.of(
            List.of(base), List.of(one(values("samples", 0, 1))), ProfileDiff.Scale.NONE, false);
    Measure measure = diff.measures().get(0);
    // Five are gone, which is more than their root; one that is new may be there by chance.
    assertThat(diff.changes(measure)).extracting(Change::kind).containsExactly(Change.Kind.GONE);
    assertThat(diff.withinError(measure)).isEqualTo(1);
  }

  @Test
  void aSideWithoutNamesOfKindsIsComparedByTypes() {
    Profiles named = profiles("app.Main.run", "");
    Profiles unnamed = new Profiles(named.dictionary());
    Profile only = named.profiles().get(0);
    unnamed.add(new Profile("", only.sampleType(), only.samples(), 0));
    ProfileDiff diff =
        ProfileDiff.of(List.of(unnamed), List.of(named), ProfileDiff.Scale.NONE, false);
    assertThat(diff.measures()).hasSize(1);
    assertThat(diff.isComparable()).isTrue();
    assertThat(diff.changes(diff.measures().get(0))).isEmpty();
  }
}
