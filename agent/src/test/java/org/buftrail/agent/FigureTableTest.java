package org.buftrail.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.buftrail.agent.watch.Threshold;
import org.buftrail.model.Figure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * docs/figures.md is the table of figures. After a change, {@code -Dbuftrail.docs=update} writes it
 * anew. What each place shows is compared with the table in the tests of that place.
 */
final class FigureTableTest {
  private static final Path PAGE = Path.of("../docs/figures.md");
  private static final String BEGIN = "<!-- figures: made from the code by FigureTableTest -->\n";
  private static final String END = "<!-- end of figures -->\n";

  private static String table() {
    StringBuilder text = new StringBuilder();
    text.append(
        "| figure | kind | by | `/metrics` | meters | bean | event | `alert` | handlers |\n");
    text.append("|---|---|---|---|---|---|---|---|---|\n");
    for (Figure figure : Figure.values()) {
      boolean labelled = figure.label() != Figure.Label.NONE;
      text.append("| ").append(figure.help()).append(" | ").append(lower(figure.kind()));
      text.append(" | ").append(labelled ? "`" + lower(figure.label()) + "`" : "");
      cell(text, figure, Figure.Place.PROMETHEUS);
      cell(text, figure, Figure.Place.METERS);
      cell(text, figure, Figure.Place.BEAN);
      cell(text, figure, Figure.Place.EVENT);
      cell(text, figure, Figure.Place.ALERT);
      cell(text, figure, Figure.Place.HANDLERS);
      text.append(" |\n");
    }
    return text.toString();
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  private static void cell(StringBuilder text, Figure figure, Figure.Place place) {
    String name = figure.name(place);
    text.append(" | ").append(name == null ? "" : "`" + name + "`");
  }

  @Test
  void thePageIsWhatTheCodeDoes() throws IOException {
    TableInPage.assertSame(PAGE, BEGIN, END, table());
  }

  @ParameterizedTest
  @EnumSource
  void noPlaceCallsTwoFiguresTheSame(Figure.Place place) {
    List<String> names = new ArrayList<>();
    for (Figure figure : Figure.in(place)) {
      names.add(figure.name(place));
    }
    assertThat(names).isNotEmpty().doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource
  void eachIsShownSomewhereUnderANameThatSaysItsKind(Figure figure) {
    assertThat(Figure.Place.values())
        .as("places of %s", figure)
        .anyMatch(place -> figure.name(place) != null);
    String metric = figure.name(Figure.Place.PROMETHEUS);
    if (metric != null) {
      assertThat(metric.endsWith("_total")).isEqualTo(figure.kind() == Figure.Kind.COUNTER);
      assertThat(metric.endsWith("_seconds")).isEqualTo(figure.unit() == Figure.Unit.MILLIS);
    }
  }

  /** What meters and handlers of the application show comes from the same rounds. */
  @Test
  void handlersGetAllThatMetersShow() {
    assertThat(Figure.in(Figure.Place.HANDLERS)).containsAll(Figure.in(Figure.Place.METERS));
  }

  @Test
  void alertsTakeTheFiguresOfTheTableAndNoOthers() {
    for (Figure figure : Figure.values()) {
      String name = figure.name(Figure.Place.ALERT);
      if (name != null) {
        String limit = figure.unit() == Figure.Unit.MILLIS ? "1s" : "1";
        assertThat(Threshold.parse(name + ">" + limit).get(0).name()).isEqualTo(name);
      }
    }
    assertThat(Figure.of(Figure.Place.ALERT, "released")).isNull();
  }
}
