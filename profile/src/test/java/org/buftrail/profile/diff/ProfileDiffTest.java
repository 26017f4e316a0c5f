package org.buftrail.profile.diff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
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
