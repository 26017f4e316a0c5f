package org.buftrail.agent.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.buftrail.agent.TableInPage;
import org.buftrail.options.Option;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The table of options, what reads them, and docs/options.md agree. After a change, {@code
 * -Dbuftrail.docs=update} writes the page's table anew.
 */
final class OptionTableTest {
  private static final Path PAGE = Path.of("../docs/options.md");
  private static final String BEGIN = "<!-- options: made from the code by OptionTableTest -->\n";
  private static final String END = "<!-- end of options -->\n";

  /** A row of a table that is about an option. */
  private static final Pattern NAMED = Pattern.compile("(?m)^\\| `(\\w+)=[^`]*`(?:, `(\\w+)=)?");

  private static String table() {
    StringBuilder text = new StringBuilder();
    text.append(
        "| option | what may be written | what it does | without it |\n|---|---|---|---|\n");
    for (Option option : Option.values()) {
      text.append("| `").append(option.example()).append("` | ").append(option.typeText());
      text.append(" | ").append(option.help()).append(" | ").append(option.without());
      text.append(" |\n");
    }
    return text.toString();
  }

  /** What reads an option that is not in the table does not compile. */
  @Test
  void everyOptionIsRead() {
    Settings settings = Settings.read("", new Properties(), Map.of());
    assertThat(settings.unread()).contains(Option.INCLUDE, Option.METRICS_EVERY);
    assertThat(new Options(settings, Map.of()).services).isNotNull();
    assertThat(settings.unread()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void whatIsWrittenAsAnExampleIsUnderstood(Option option) {
    if (option == Option.CONFIG || option == Option.RESOURCE || option == Option.HTTP_TOKEN) {
      return;
    }
    Settings settings = Settings.read(option.example(), new Properties(), Map.of());
    assertThat(new Options(settings, Map.of()).services).isNotNull();
    assertThat(settings.written(option)).isEqualTo(option.example().split("=", 2)[1]);
  }

  @ParameterizedTest
  @EnumSource
  void theNameInTheEnvironmentIsTheKeyInCapitals(Option option) {
    String words = option.key().replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
    assertThat(option.variable()).isEqualTo("BUFTRAIL_" + words);
  }

  @Test
  void thePageIsWhatTheCodeDoes() throws IOException {
    TableInPage.assertSame(PAGE, BEGIN, END, table());
  }

  @Test
  void otherPagesNameOptionsThatAreThere() throws IOException {
    Set<String> named = new TreeSet<>();
    for (String page : List.of("../README.md", "../docs/production.md", "../docs/frameworks.md")) {
      NAMED
          .matcher(Files.readString(Path.of(page)))
          .results()
          .forEach(
              row -> {
                named.add(row.group(1));
                if (row.group(2) != null) {
                  named.add(row.group(2));
                }
              });
    }
    assertThat(named).contains("include", "alert", "sample");
    assertThat(named).isSubsetOf(Option.keys());
  }
}
