package org.buftrail.sql;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.buftrail.console.engine.SqlQuestion;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Terminal;

/** What a question was answered with. */
record Answer(int exit, String out, String err) {
  /** The recordings that the converter is tested with. */
  private static final Path RECORDINGS = Path.of("../jfr/src/test/resources/recordings");

  static Path recording(String name) {
    return RECORDINGS.resolve(name + ".jfr.gz");
  }

  /** A recording as the JDK's own reader takes it. */
  static Path unpacked(String name, Path directory) throws IOException {
    Path file = directory.resolve(name + ".jfr");
    if (!Files.exists(file)) {
      try (InputStream in = new GZIPInputStream(Files.newInputStream(recording(name)))) {
        Files.copy(in, file);
      }
    }
    return file;
  }

  static Answer to(String query, Path... inputs) throws IOException {
    return to(new SqlQuestion(query, List.of(inputs), null, null, false));
  }

  static Answer to(SqlQuestion question) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    int exit;
    try {
      exit = new DuckDbEngine().answer(question, terminal);
    } catch (CommandFailure e) {
      exit = 1;
      terminal.fail(String.valueOf(e.getMessage()));
    }
    return new Answer(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** The rows, each by the columns that two spaces part. */
  List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    out.lines().skip(1).forEach(line -> rows.add(List.of(line.strip().split(" {2,}"))));
    return rows;
  }
}
