package org.buftrail.cli.options;

import java.util.List;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** Describes the options of a command to the parser's library: for help, completion and errors. */
public final class OptionTable {
  private OptionTable() {}

  public static CommandLine commandLine(TableCommand command) {
    return commandLine(command, command.options());
  }

  /** A command with options beside those that its annotations describe. */
  public static CommandLine commandLine(Object command, List<CommandOption> options) {
    CommandLine line = new CommandLine(command);
    for (CommandOption option : options) {
      line.getCommandSpec().addOption(spec(option));
    }
    return line;
  }

  private static OptionSpec spec(CommandOption option) {
    OptionSpec.Builder spec = OptionSpec.builder(option.names()).description(option.description());
    Held held = new Held(option);
    spec.getter(held).setter(held);
    if (!option.takesValue()) {
      return spec.arity("0").type(boolean.class).build();
    }
    spec.arity("1").paramLabel(option.label());
    if (option.isList()) {
      spec.type(List.class).auxiliaryTypes(String.class);
    } else {
      spec.type(option.type());
    }
    if (!option.candidates().isEmpty()) {
      spec.completionCandidates(option.candidates());
    }
    if (option.isSplit()) {
      spec.splitRegex(",");
    }
    return spec.converters(text -> held.checked(text)).build();
  }

  /** Hands on to an option what the parser has read. */
  private static final class Held implements IGetter, ISetter {
    private final CommandOption option;
    private @Nullable Object held;

    Held(CommandOption option) {
      this.option = option;
    }

    /** Takes a value when it is converted, so that the parser says where what is wrong stands. */
    String checked(String text) {
      try {
        option.take(text);
        return text;
      } catch (PatternSyntaxException e) {
        throw new TypeConversionException("'" + text + "' is no pattern: " + e.getDescription());
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(String.valueOf(e.getMessage()));
      }
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <T> @Nullable T get() {
      return (T) held;
    }

    @Override
    public <T> @Nullable T set(T value) {
      if (Boolean.TRUE.equals(value)) {
        option.take("");
      }
      held = value;
      return null;
    }
  }
}
