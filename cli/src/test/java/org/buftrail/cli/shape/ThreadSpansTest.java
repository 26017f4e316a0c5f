package org.buftrail.cli.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Thread 7 is in the span {@code outer} from 10 to 40 and in {@code inner} from 20 to 30, thread 8
 * in a traced method from 99 to 100. Each is sampled at the times below.
 */
final class ThreadSpansTest {
  private static final long[] TIMES = {9, 10, 19, 20, 29, 30, 39, 40, 99, 100};
  private static final ValueType COUNT = ValueType.of("samples", "count");

  private final Dictionary dictionary = new Dictionary();

  private int stack(String name) {
    int function = dictionary.functions().intern(name);
    return dictionary
        .stacks()
        .intern(new int[] {dictionary.locations().intern(function, 0, 0)}, 0, 1);
  }

  private int thread(long id) {
    return dictionary.attributeSets().intern(dictionary.attributes().intern("thread.id", id, ""));
  }

  private Profile timed(String name, Samples samples) {
    return new Profile(name, COUNT, samples, samples.columns() - 1);
  }

  private Profiles spans() {
    Samples spans = Samples.observed(2);
    spans.observe(stack("inner"), thread(7), 0, 20, 1, 10);
    spans.observe(stack("outer"), thread(7), 0, 10, 1, 30);
    Samples calls = Samples.observed(2);
    calls.observe(stack("call"), thread(8), 0, 99, 1, 1);
    return new Profiles(dictionary).add(timed("span", spans)).add(timed("method_trace", calls));
  }

  private Profiles sampled() {
    Samples samples = Samples.observed(1);
    for (long time : TIMES) {
      samples.observe(stack("work"), thread(7), 0, time, 1);
      samples.observe(stack("other"), thread(8), 0, time, 10);
    }
    return new Profiles(dictionary).add(timed("cpu", samples));
  }

  /** Samples of thread 7 count as 1, those of thread 8 as 10. The end of a span is outside. */
  @ParameterizedTest
  @CsvSource({"0, , 16", "11, , 6", "0, inner, 2", "0, outer, 6", "10, inner, 2", "31, outer, 0"})
  void samplesWithinStay(long least, @Nullable String tag, long left) throws NothingLeft {
    if (left == 0) {
      assertThatThrownBy(() -> ProfileSelection.inSpans(sampled(), spans(), least, tag, false))
          .isInstanceOf(NothingLeft.class)
          .hasMessage("no sample was taken in such a span or call");
      return;
    }
    Profiles within = ProfileSelection.inSpans(sampled(), spans(), least, tag, false);
    assertThat(within.profiles()).hasSize(1);
    assertThat(within.profiles().get(0).total()).isEqualTo(left);
    assertThat(within.profiles().get(0).samples().isObserved()).isFalse();
    Profiles timed = ProfileSelection.inSpans(sampled(), spans(), least, tag, true);
    assertThat(timed.profiles().get(0).total()).isEqualTo(left);
    assertThat(timed.profiles().get(0).samples().isObserved()).isTrue();
  }

  /** Two end together, and one begins where another ends. */
  @Test
  void spansMayMeet() throws NothingLeft {
    Samples spans = Samples.observed(2);
    spans.observe(stack("outer"), thread(7), 0, 10, 1, 10);
    spans.observe(stack("inner"), thread(7), 0, 15, 1, 5);
    spans.observe(stack("next"), thread(7), 0, 20, 1, 9);
    spans.observe(stack("last"), thread(8), 0, 10, 1, 20);
    spans.observe(stack("within"), thread(8), 0, 20, 1, 10);
    Profiles timed = new Profiles(dictionary).add(timed("span", spans));
    Profiles within = ProfileSelection.inSpans(sampled(), timed, 0, null, true);
    // Thread 7 at 10, 19 and 20, which is the first of the next; thread 8 at 10, 19, 20 and 29.
    assertThat(within.profiles().get(0).total()).isEqualTo(43);
  }

  @Test
  void withoutSpansAndCallsThereIsNothingToBeIn() {
    assertThatThrownBy(() -> ProfileSelection.inSpans(sampled(), sampled(), 0, null, false))
        .isInstanceOf(NothingLeft.class)
        .hasMessage("there are no spans (profiler.Span) and no traced methods");
  }

  @ParameterizedTest
  @CsvSource({
    "a.b.Outer$Inner.run, Outer$Inner.run",
    "Main.main, Main.main",
    "a.b.C$$Lambda.0x00007f.run, C$$Lambda.0x00007f.run",
    "a.b.C$$Lambda/0x00007f.run, C$$Lambda/0x00007f.run",
    "clone3, clone3",
  })
  void simpleNamesHaveNoPackage(String name, String simple) {
    assertThat(StackShape.simpleName(name)).isEqualTo(simple);
  }

  @Test
  void twoProfilesOfTheSameSamplesStayTwo() {
    Samples samples = Samples.summed(2);
    samples.add(stack("a.b.C.m"), thread(7), 0, 1, 100);
    Profiles all =
        new Profiles(dictionary)
            .add(new Profile("alloc", COUNT, samples, 0))
            .add(new Profile("alloc", ValueType.of("space", "bytes"), samples, 1));
    Profiles skipped = StackShape.apply(all, new StackShape.Options(false, false, 1, false));
    List<Profile> profiles = skipped.profiles();
    assertThat(profiles).hasSize(2);
    assertThat(profiles.get(0).samples()).isSameAs(profiles.get(1).samples());
    assertThat(profiles.get(0).total()).isEqualTo(1);
    assertThat(profiles.get(1).total()).isEqualTo(100);
    assertThat(dictionary.stacks().depth(profiles.get(0).samples().stack(0))).isZero();
  }
}
