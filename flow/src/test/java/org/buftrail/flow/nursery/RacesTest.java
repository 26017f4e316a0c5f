package org.buftrail.flow.nursery;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of changes names each race of the nursery that there is, and no other. */
final class RacesTest {
  private static final Path TABLE =
      Path.of("src/main/java/org/buftrail/flow/nursery/package-info.java");
  private static final Path RACES =
      Path.of("../flow-jcstress/src/main/java/org/buftrail/flow/nursery");

  @Test
  void theTableNamesEachRace() throws IOException {
    Set<String> named =
        Pattern.compile("\\w+Against\\w+")
            .matcher(Files.readString(TABLE))
            .results()
            .map(found -> found.group())
            .collect(Collectors.toCollection(TreeSet::new));
    // A race of a composite stands in the package of what races there.
    assertThat(named.remove("PlaceAgainstPromotion")).isTrue();
    try (Stream<Path> files = Files.list(RACES)) {
      assertThat(
              files
                  .map(file -> file.getFileName().toString().replace(".java", ""))
                  .filter(name -> name.contains("Against")))
          .containsExactlyInAnyOrderElementsOf(named);
    }
  }
}
