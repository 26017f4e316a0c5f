package org.buftrail.cli.shape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.junit.jupiter.api.Test;

final class GrainTest {
  private final Dictionary dictionary = new Dictionary();

  private Profiles of(Samples samples) {
    Profiles profiles = new Profiles(dictionary);
    for (int column = 0; column < samples.columns(); column++) {
      profiles.add(new Profile("p" + column, ValueType.of("p", "count"), samples, column));
    }
    return profiles;
  }

  @Test
  void valuesAreMultiplesAndWhatIsCarriedIsNotLost() throws NothingLeft {
    Samples samples = Samples.summed(1);
    long[] values = {4, 4, 4, 25, 3};
    for (int i = 0; i < values.length; i++) {
      samples.add(i, 0, 0, values[i]);
    }
    Samples coarse = Grain.apply(of(samples), 10).profiles().get(0).samples();
    // 4 and 4 make nothing yet, with the third it is 12; then 2 + 25, and 7 + 3.
    assertThat(List.of(coarse.stack(0), coarse.stack(1), coarse.stack(2))).containsExactly(2, 3, 4);
    assertThat(List.of(coarse.sum(0, 0), coarse.sum(1, 0), coarse.sum(2, 0)))
        .containsExactly(10L, 20L, 10L);
    assertThat(coarse.size()).isEqualTo(3);
  }

  @Test
  void whatIsMeasuredGoesAlongWithWhatIsCounted() throws NothingLeft {
    Samples samples = Samples.summed(2);
    samples.add(0, 0, 0, 15, 1_500);
    samples.add(1, 0, 0, 2, 100_000);
    List<Profile> profiles = Grain.apply(of(samples), 10).profiles();
    assertThat(profiles.get(0).total()).isEqualTo(10);
    assertThat(profiles.get(1).total()).isEqualTo(1_000);
  }

  @Test
  void observationsKeepTheirTimes() throws NothingLeft {
    Samples samples = Samples.observed(1);
    for (int time = 0; time < 10; time++) {
      samples.observe(0, 0, 0, time, 1);
    }
    Samples coarse = Grain.apply(of(samples), 4).profiles().get(0).samples();
    assertThat(coarse.observations().count(0)).isEqualTo(2);
    assertThat(coarse.observations().time(0, 0)).isEqualTo(3);
    assertThat(coarse.observations().time(0, 1)).isEqualTo(7);
    assertThat(coarse.total(0)).isEqualTo(8);
  }

  @Test
  void lessThanOneGrainIsNothing() {
    Samples samples = Samples.summed(1);
    samples.add(0, 0, 0, 9);
    assertThatThrownBy(() -> Grain.apply(of(samples), 10))
        .isInstanceOf(NothingLeft.class)
        .hasMessage("all together is less than a grain of 10.0");
  }
}
