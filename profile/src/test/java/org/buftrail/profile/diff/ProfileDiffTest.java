package org.buftrail.profile.diff;

import static org.assertj.core.api.Assertions.assertThat;

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
}
