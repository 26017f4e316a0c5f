package org.buftrail.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A table of a document that the code makes, between two markers. */
public final class TableInPage {
  private TableInPage() {}

  /** The page has the table; or gets it, with {@code -Dbuftrail.docs=update}. */
  public static void assertSame(Path page, String begin, String end, String table)
      throws IOException {
    String text = Files.readString(page);
    int from = text.indexOf(begin) + begin.length();
    int to = text.indexOf(end);
    assertThat(to).as("markers in " + page).isGreaterThanOrEqualTo(from);
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      Files.writeString(page, text.substring(0, from) + table + text.substring(to));
      return;
    }
    assertThat(text.substring(from, to)).as("-Dbuftrail.docs=update mends it").isEqualTo(table);
  }
}
