package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import org.buftrail.jfr.process.ProcessTexts;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProcessTextsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        "OpenJDK 64-Bit Server VM (17.0.15+6-Debian) for linux-amd64 JRE (17.0.15+6)"
            + " | 17.0.15+6-Debian | linux | amd64",
        "25.0.3+9-LTS | 25.0.3+9-LTS | none | none",
        "25 for the future, for linux-x86_64 | 25 | linux | x86_64",
        "OpenJ9 (build 0.1, 11) | '' | none | none",
        "therefor linux-amd64 | '' | none | none",
        "for linux- amd64 for -x for bsd | '' | none | none",
        "9 for bsd-zero | 9 | bsd | zero",
        "٣x for linux-amd64é | '' | linux | amd64",
        "'' | '' | none | none",
      })
  void aVersionTellsItsNumberAndItsPlatform(
      String version, String number, String system, String processor) {
    assertThat(ProcessTexts.number(version)).isEqualTo(number);
    if (system == null) {
      assertThat(ProcessTexts.platform(version)).isEmpty();
    } else {
      assertThat(ProcessTexts.platform(version)).containsExactly(system, processor);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NAME=\"A\"\\nPRETTY_NAME=\"A B 1\"\\nID=a | A B 1",
        "PRETTY_NAME=\"A B | PRETTY_NAME=\"A B",
        "uname: Linux 6.1\\r\\nlibc: 2 | uname: Linux 6.1",
        "one line | one line",
      })
  void aSystemIsItsPrettyNameOrTheFirstLine(String description, String system) {
    String lines = description.replace("\\n", "\n").replace("\\r", "\r");
    assertThat(ProcessTexts.system(lines)).isEqualTo(system);
  }
}
