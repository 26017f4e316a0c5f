package org.buftrail.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.util.List;
import java.util.Map;
import org.buftrail.profile.dictionary.Dictionary;
import org.junit.jupiter.api.Test;

/** Samples with the names of their frames, and methods by what they have of them. */
final class StackSampleTest {
  private final Dictionary dictionary = new Dictionary();
  private final Samples samples = Samples.summed(2);
  private final Profile count =
      new Profile("alloc", ValueType.of("allocated_objects", "count"), samples, 0);
  private final Profile bytes =
      new Profile("alloc", ValueType.of("allocated_space", "bytes"), samples, 1);
  private final Profiles profiles = new Profiles(dictionary).add(count).add(bytes);

  private int function(String name, String file) {
    return dictionary
        .functions()
        .intern(dictionary.strings().intern(name), 0, dictionary.strings().intern(file), 0);
  }

  private int frame(String name, long line) {
    return dictionary
        .locations()
        .intern(function(name, name + ".java"), line, dictionary.frameType("jvm"));
  }

  private int stack(int... leafFirst) {
    return dictionary.stacks().intern(leafFirst, 0, leafFirst.length);
  }

  @Test
  void samplesHaveFramesAndAttributes() {
    int thread =
        dictionary.attributeSets().intern(dictionary.attributes().intern("thread.name", "main"));
    samples.add(stack(frame("work", 7), frame("main", 3)), thread, 0, 2, 64);
    samples.add(0, 0, 0, 1, 16);
    List<StackSample> all = profiles.samples("alloc");
    assertThat(all).extracting(StackSample::value).containsExactly(2L, 1L);
    assertThat(all.get(0).frames())
        .extracting(Frame::name, Frame::file, Frame::line, Frame::type)
        .containsExactly(
            tuple("work", "work.java", 7L, "jvm"), tuple("main", "main.java", 3L, "jvm"));
    assertThat(all.get(0).attributes()).isEqualTo(Map.of("thread.name", "main"));
    assertThat(all.get(0)).hasToString("2 [work:7, main:3]");
    assertThat(all.get(1).frames()).isEmpty();
    assertThat(profiles.samples(bytes)).extracting(StackSample::value).containsExactly(64L, 16L);
    assertThat(profiles.samples("cpu")).isEmpty();
  }

  @Test
  void inlinedFunctionsAreFramesAndAddressesHaveNames() {
    int inlined =
        dictionary
            .locations()
            .intern(
                0,
                0,
                0,
                new int[] {function("callee", ""), function("caller", "")},
                new long[] {1, 2},
                new long[2],
                2);
    int address = dictionary.locations().intern(0, 0x10, 0, 0, 0, 0);
    samples.add(stack(inlined, address), 0, 0, 1, 1);
    assertThat(profiles.samples("alloc").get(0).frames())
        .extracting(Frame::toString)
        .containsExactly("callee:1", "caller:2", "0x10");
  }

  @Test
  void theHottestMethodsComeFirst() {
    samples.add(stack(frame("work", 7), frame("main", 3)), 0, 0, 2, 64);
    samples.add(stack(frame("work", 9), frame("work", 7), frame("main", 3)), 0, 0, 3, 8);
    samples.add(stack(frame("wait", 1), frame("main", 4)), 0, 0, 4, 1);
    samples.add(0, 0, 0, 1, 0);
    assertThat(profiles.hottest("alloc", 10))
        .extracting(MethodCost::name, MethodCost::self, MethodCost::total)
        .containsExactly(
            tuple("work", 5L, 5L),
            tuple("wait", 4L, 4L),
            tuple("[no stack]", 1L, 1L),
            tuple("main", 0L, 9L));
    assertThat(profiles.hottest(bytes, 1))
        .extracting(MethodCost::toString)
        .containsExactly("72 72 work");
    assertThat(profiles.hottest("cpu", 1)).isEmpty();
  }
}
