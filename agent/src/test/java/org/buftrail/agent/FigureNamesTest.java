package org.buftrail.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.buftrail.model.Figure;
import org.junit.jupiter.api.Test;

/**
 * What a figure is called somewhere it is called for ever; see docs/compatibility.md. {@code
 * figure-names.txt} has the names with unit and kind. {@code -Dbuftrail.docs=update} adds new ones,
 * and takes none away.
 */
final class FigureNamesTest {
  private static final Path FILE = Path.of("src/test/resources/figure-names.txt");

  private static List<String> promised() throws IOException {
    try (InputStream in =
            Objects.requireNonNull(FigureNamesTest.class.getResourceAsStream("/figure-names.txt"));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      return lines.lines().filter(line -> !line.startsWith("#")).collect(Collectors.toList());
    }
  }

  private static List<String> named() {
    List<String> named = new ArrayList<>();
    for (Figure figure : Figure.values()) {
      for (Figure.Place place : Figure.Place.values()) {
        String name = figure.name(place);
        if (name != null) {
          String unit = figure.unit() + " " + figure.kind() + " " + figure.label();
          named.add(place + " " + name + " " + unit);
        }
      }
    }
    return named;
  }

  @Test
  void noNameGoesAndNoneMeansSomethingElse() throws IOException {
    List<String> fresh = new ArrayList<>(named());
    fresh.removeAll(promised());
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      List<String> lines = new ArrayList<>(Files.readAllLines(FILE));
      lines.addAll(fresh);
      Files.write(FILE, lines);
      return;
    }
    assertThat(named()).containsAll(promised());
    assertThat(fresh).as("-Dbuftrail.docs=update promises these").isEmpty();
  }
}
