package org.buftrail.cli.options;

import java.util.Objects;
import org.buftrail.cli.output.Output;
import org.buftrail.profile.output.ProfileFormat;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where a report goes and in which form: options of every command that writes one. */
public final class ReportTarget {
  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      description = "Where to write; - for standard output. The ending says the format.")
  private String output = Output.STANDARD;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "Write this format, whatever the ending: ${COMPLETION-CANDIDATES}.")
  private @Nullable ProfileFormat format;

  public ReportTarget() {}

  /** A file name, or what stands for standard output. */
  public String output() {
    return output;
  }

  /** Whether it is standard output. */
  public boolean isStandard() {
    return output.equals(Output.STANDARD);
  }

  /** The format that was asked for, or that of the ending, or text. */
  public ProfileFormat format() {
    if (format != null) {
      return format;
    }
    if (isStandard()) {
      return ProfileFormat.TEXT;
    }
    return ProfileFormat.ofFile(output)
        .orElseThrow(
            () ->
                new ParameterException(
                    Objects.requireNonNull(spec).commandLine(),
                    "the format of "
                        + output
                        + " is not known; end its name in one of "
                        + ProfileFormat.allEndings()
                        + " or give --format"));
  }
}
