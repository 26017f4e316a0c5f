package org.buftrail.cli.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.buftrail.cli.commands.CheckCommand;
import org.buftrail.cli.commands.ConvertCommand;
import org.buftrail.cli.commands.DiffCommand;
import org.buftrail.cli.commands.InfoCommand;
import org.buftrail.cli.commands.ReportCommand;
import org.buftrail.console.output.Terminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Both readers of a command line, beside each other. */
final class ArgumentReaderTest {
  private static final List<String> VALUES =
      List.of(
          "a",
          "5",
          "-5",
          "10%",
          "4m",
          "4mib",
          "200us",
          "12:00:00",
          "2026-01-31T12:00:00Z",
          "otlp",
          "OTLP_JSON",
          "otlp-json",
          "auto",
          "k=v",
          "k=v=w",
          "k=",
          "cpu,wall",
          "a,,b",
          ",a",
          "a,",
          "growth=10%",
          "new-leak,new-dropped",
          "(",
          "x y",
          "-",
          "1.5",
          "--cpu",
          "-x",
          "\"a,b\"",
          "'a'",
          "@a",
          "");

  private static final Set<String> STATE =
      Set.of("value", "inputs", "files", "input", "base", "now");

  private static final Terminal NOWHERE =
      new Terminal(
          new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8),
          new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8));

  /** A command of each name, and how many files it takes. */
  private record Case(String name, Function<Terminal, TableCommand> make, int files) {
    TableCommand command() {
      return make.apply(NOWHERE);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static Stream<Case> commands() {
    return Stream.of(
        new Case("convert", ConvertCommand::new, 2),
        new Case("info", InfoCommand::new, 1),
        new Case("check", CheckCommand::new, 1),
        new Case("report", ReportCommand::new, 1),
        new Case("diff", DiffCommand::new, 2));
  }

  @ParameterizedTest
  @MethodSource("commands")
  void whatIsReadWithoutTheParserIsReadAsByIt(Case of) {
    int read = 0;
    List<CommandOption> options = of.command().options();
    for (CommandOption option : options) {
      for (String name : option.names()) {
        List<List<String>> lines = new ArrayList<>(List.of(List.of(name), List.of(name, name)));
        for (String value : VALUES) {
          lines.add(List.of(name, value));
          lines.add(List.of(name + "=" + value));
          lines.add(List.of(name + value));
          lines.add(List.of(name, value, name, value));
        }
        for (CommandOption other : options) {
          lines.add(List.of(name, "5", other.name()));
          lines.add(List.of(other.name(), name));
        }
        boolean once = false;
        for (List<String> line : lines) {
          for (int files = 0; files < 4; files++) {
            once |= isSame(of, line, files) && files == of.files();
          }
        }
        assertThat(once).as("%s is read without the parser", name).isTrue();
        read++;
      }
    }
    assertThat(read).isGreaterThanOrEqualTo(options.size());
  }

  /** Whether a line is read without the parser; if so, it is read as by the parser. */
  private static boolean isSame(Case of, List<String> line, int files) {
    List<String> arguments = new ArrayList<>(line);
    arguments.addAll(List.of("-", "b.jfr", "c d").subList(0, files));
    List<String> all = new ArrayList<>(arguments);
    all.add(0, of.name());
    TableCommand plain = of.command();
    List<CommandOption> known = plain.options();
    if (!ArgumentReader.read(all.toArray(new String[0]), plain)) {
      return false;
    }
    TableCommand parsed = of.command();
    CommandLine parser = OptionTable.commandLine(parsed);
    parser.setCaseInsensitiveEnumValuesAllowed(true);
    parser.parseArgs(arguments.toArray(new String[0]));
    List<CommandOption> expected = parsed.options();
    for (int i = 0; i < known.size(); i++) {
      assertThat(known.get(i).isGiven()).as("%s", all).isEqualTo(expected.get(i).isGiven());
      assertThat(state(known.get(i))).as("%s", all).isEqualTo(state(expected.get(i)));
    }
    // The files, and what else a command keeps beside its options.
    assertThat(state(plain)).as("%s", all).isEqualTo(state(parsed));
    return true;
  }

  /** The texts, numbers and lists that an object holds in fields of its own. */
  private static List<String> state(Object of) {
    List<String> state = new ArrayList<>();
    if (of instanceof ListOption<?> list) {
      state.add(list.values().toString());
    }
    for (Field field : of.getClass().getDeclaredFields()) {
      try {
        field.setAccessible(true);
        if (!Modifier.isStatic(field.getModifiers()) && STATE.contains(field.getName())) {
          state.add(field.getName() + " " + field.get(of));
        }
      } catch (IllegalAccessException e) {
        throw new AssertionError(e);
      }
    }
    return state;
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "-h", "-V", "--", "--nonsense", "@a", "'a'", "--lines=true"})
  void allElseIsForTheParser(String word) {
    String[] line = {"convert", word, "a.jfr"};
    assertThat(ArgumentReader.read(line, new ConvertCommand(NOWHERE))).isFalse();
  }

  @Test
  void aFileIsNeeded() {
    assertThat(ArgumentReader.read(new String[] {"info"}, new InfoCommand(NOWHERE))).isFalse();
    assertThat(ArgumentReader.read(new String[] {"diff", "a"}, new DiffCommand(NOWHERE))).isFalse();
  }
}
