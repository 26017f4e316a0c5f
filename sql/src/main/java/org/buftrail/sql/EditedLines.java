package org.buftrail.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jline.reader.EOFError;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Lines that a user edits in a terminal: with a history that outlives the prompt, in which a query
 * of several lines is one entry, and completion of names.
 */
final class EditedLines implements Lines {
  /** Beside DuckDB's own {@code .duckdb_history}. */
  private static final String HISTORY = ".buftrail_history";

  private static final int MOST_QUERIES = 10_000;

  private final Terminal terminal;
  private final LineReader reader;
  private final Deque<String> rest = new ArrayDeque<>();

  private EditedLines(Terminal terminal, Path history, List<String> names) {
    this.terminal = terminal;
    LineReaderBuilder builder =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("buftrail")
            .parser(new QueryParser())
            .completer(new StringsCompleter(names))
            // An exclamation mark is an operator of SQL.
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.CASE_INSENSITIVE, true)
            .variable(LineReader.SECONDARY_PROMPT_PATTERN, "...> ")
            .variable(LineReader.HISTORY_SIZE, MOST_QUERIES)
            .variable(LineReader.HISTORY_FILE_SIZE, MOST_QUERIES);
    Path directory = history.getParent();
    if (Files.isWritable(Files.exists(history) || directory == null ? history : directory)) {
      builder.variable(LineReader.HISTORY_FILE, history);
    }
    // Loads the history.
    reader = builder.build();
  }

  /**
   * Takes the terminal of the process; what it shows goes to standard error.
   *
   * @throws IllegalStateException where standard input is no terminal
   */
  static EditedLines ofProcess(List<String> names) throws IOException {
    // The answers to what the terminal is asked about itself would mix with what is typed.
    System.setProperty(TerminalBuilder.PROP_PROBE_TIMEOUT, "0");
    Terminal terminal =
        TerminalBuilder.builder()
            .system(true)
            .dumb(false)
            // By stty alone: no native code is unpacked.
            .provider("exec")
            .systemOutput(TerminalBuilder.SystemOutput.SysErr)
            .build();
    return of(terminal, Path.of(System.getProperty("user.home"), HISTORY), names);
  }

  static EditedLines of(Terminal terminal, Path history, List<String> names) {
    return new EditedLines(terminal, history, names);
  }

  @Override
  public @Nullable String next(String prompt) throws IOException {
    while (rest.isEmpty()) {
      try {
        reader.readLine(prompt).lines().forEach(rest::add);
      } catch (UserInterruptException e) {
        // Ctrl-C gives up what was typed, and nothing else.
      } catch (EndOfFileException e) {
        return null;
      }
    }
    return rest.remove();
  }

  @Override
  public void close() throws IOException {
    terminal.close();
  }

  /** Goes on to another line until a query ends. */
  private static final class QueryParser extends DefaultParser {
    QueryParser() {
      setEscapeChars(new char[0]);
    }

    @Override
    public ParsedLine parse(String text, int cursor, ParseContext context) {
      if (context == ParseContext.ACCEPT_LINE && !Prompt.isWhole(text)) {
        throw new EOFError(-1, -1, "no semicolon yet", "");
      }
      return super.parse(text, cursor, context);
    }
  }
}
