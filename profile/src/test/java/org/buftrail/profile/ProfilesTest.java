package org.buftrail.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.buftrail.profile.dictionary.Dictionary;
import org.junit.jupiter.api.Test;

final class ProfilesTest {
  @Test
  void theVersionIsThatOfTheBuild() throws IOException {
    String project = Files.readString(Path.of("../pom.xml"));
    assertThat(project)
        .contains(
            "<artifactId>buftrail-parent</artifactId>\n  <version>"
                + Profiles.VERSION
                + "</version>");
  }

  @Test
  void joinedProfilesKeepWhatTheirResourcesAgreeIn() {
    Dictionary dictionary = new Dictionary();
    Profiles first = new Profiles(dictionary).madeBy("org.example");
    first.resource().put("host.name", "a").put("process.pid", 1).put("only.here", "x");
    first.add(new Profile("cpu", ValueType.of("samples", "count"), Samples.summed(1), 0));
    Profiles second = new Profiles(dictionary).scope("other", "2");
    second.resource().put("host.name", "a").put("process.pid", 2);
    second.add(new Profile("wall", ValueType.of("samples", "count"), Samples.summed(1), 0));
    Profiles joined = Profiles.joined(List.of(first, second));
    assertThat(joined.resource().asMap()).isEqualTo(Map.of("host.name", "a"));
    assertThat(joined.profiles()).extracting(Profile::name).containsExactly("cpu", "wall");
    assertThat(joined.scopeName()).isEqualTo("org.example");
    assertThat(joined.scopeVersion()).isEqualTo(Profiles.VERSION);
    assertThat(Profiles.joined(List.of(second))).isSameAs(second);
  }

  @Test
  void whatHasNothingInCommonIsNotJoined() {
    List<Profiles> apart = List.of(new Profiles(new Dictionary()), new Profiles(new Dictionary()));
    assertThatThrownBy(() -> Profiles.joined(apart))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("profiles over different dictionaries");
    assertThatThrownBy(() -> Profiles.joined(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
