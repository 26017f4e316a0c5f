package org.buftrail.cli.options;

import java.util.List;
import java.util.Objects;
import org.buftrail.console.output.Output;
import org.buftrail.console.output.WrongUsage;
import org.buftrail.profile.output.ProfileFormat;

/** Where a report goes and in which form: options of every command that writes one. */
public final class ReportTarget {
  private final TextOption output =
      new TextOption(
          "-o --output",
          "OUT",
          "Where to write; - for standard output. The ending says the format.");

  private final ChoiceOption<ProfileFormat> format =
      new ChoiceOption<>(
          "--format",
          "FORMAT",
          ProfileFormat.values(),
          "Write this format, whatever the ending: ${COMPLETION-CANDIDATES}.");

  public ReportTarget() {}

  public List<CommandOption> options() {
    return List.of(output, format);
  }

  /** A file name, or what stands for standard output. */
  public String output() {
    return Objects.requireNonNullElse(output.value(), Output.STANDARD);
  }

  /** Whether it is standard output. */
  public boolean isStandard() {
    return output().equals(Output.STANDARD);
  }

  /** The format that was asked for, or that of the ending, or text. */
  public ProfileFormat format() {
    ProfileFormat named = format.value();
    if (named != null) {
      return named;
    }
    if (isStandard()) {
      return ProfileFormat.TEXT;
    }
    return ProfileFormat.ofFile(output())
        .orElseThrow(
            () ->
                new WrongUsage(
                    "the format of "
                        + output()
                        + " is not known; end its name in one of "
                        + ProfileFormat.allEndings()
                        + " or give --format"));
  }
}
