package org.buftrail.profile.speedscope;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.junit.jupiter.api.Test;

final class SpeedscopeWriterTest {
  private final Dictionary dictionary = new Dictionary();

  private int stack(int line) {
    int function = dictionary.functions().intern("shop.Cart.add");
    int location = dictionary.locations().intern(function, line, 0);
    return dictionary.stacks().intern(new int[] {location}, 0, 1);
  }

  private String written(boolean lines) throws IOException {
    Samples samples = Samples.summed(1);
    samples.add(stack(3), 0, 0, 7);
    samples.add(stack(9), 0, 0, 2);
    Profile profile =
        new Profile("wall", ValueType.of("samples", "count"), samples, 0)
            .period(ValueType.of("wall", "nanoseconds"), 50);
    StringBuilder out = new StringBuilder();
    SpeedscopeWriter.write(new Profiles(dictionary).add(profile), lines, out);
    return out.toString().replaceAll("\\s", "");
  }

  @Test
  void samplesOfATimeAreTime() throws IOException {
    assertThat(written(false))
        .contains("\"unit\":\"nanoseconds\"", "\"endValue\":450", "\"weights\":[350,100]");
  }

  @Test
  void linesTellFramesApartWhereTheyAreAskedFor() throws IOException {
    assertThat(written(false)).contains("\"frames\":[{\"name\":\"shop.Cart.add\"}]");
    assertThat(written(true))
        .contains(
            "{\"name\":\"shop.Cart.add\",\"line\":3}", "{\"name\":\"shop.Cart.add\",\"line\":9}");
  }
}
