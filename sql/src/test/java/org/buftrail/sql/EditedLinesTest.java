package org.buftrail.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EditedLinesTest {
  private static final String UP = "\033OA";
  private static final String CTRL_D = "\004";

  @TempDir private Path directory;

  private List<String> typed(String keys) throws IOException {
    List<String> lines = new ArrayList<>();
    ByteArrayInputStream in = new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8));
    ExternalTerminal terminal =
        new ExternalTerminal(
            "test", "xterm", in, new ByteArrayOutputStream(), StandardCharsets.UTF_8);
    Path history = directory.resolve("history");
    try (Lines edited =
        EditedLines.of(terminal, history, List.of(".tables", "hot_methods", "buffer_leaks"))) {
      for (String line = edited.next("sql> "); line != null; line = edited.next("sql> ")) {
        lines.add(line);
      }
    }
    return lines;
  }

  @Test
  void aQueryOfSeveralLinesComesBackAsOneInTheNextPrompt() throws IOException {
    assertThat(typed("select 1,\r '\\' as it;\r.tables\r" + CTRL_D))
        .containsExactly("select 1,", " '\\' as it;", ".tables");
    assertThat(typed(UP + UP + "\r" + CTRL_D)).containsExactly("select 1,", " '\\' as it;");
  }

  @Test
  void tabCompletesNames() throws IOException {
    assertThat(typed("from HOT\t limit 1;\r" + CTRL_D))
        .containsExactly("from hot_methods  limit 1;");
  }

  @Test
  void exclamationMarksStay() throws IOException {
    assertThat(typed("select 1 where 2 !=3;\rselect !!true;\r" + CTRL_D))
        .containsExactly("select 1 where 2 !=3;", "select !!true;");
  }
}
