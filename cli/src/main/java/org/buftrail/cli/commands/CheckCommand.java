package org.buftrail.cli.commands;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.cli.options.CommandOption;
import org.buftrail.cli.options.Flag;
import org.buftrail.cli.options.TableCommand;
import org.buftrail.console.input.Pipes;
import org.buftrail.console.input.Sources;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Damages;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.NothingToWrite;
import org.buftrail.console.output.Terminal;
import org.buftrail.profile.input.ProfileForm;
import org.buftrail.profile.input.ProfileSource;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.otlp.Violation;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.write.OtlpWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code check}: whether OTLP profiles follow the specification. */
@Command(
    name = "check",
    description = {
      "Checks OpenTelemetry profiles against the specification, and names each violation.",
      "Its recommendations, and what receivers ask for, are advice and no failure, unless --strict"
          + " is given. Files of other forms are converted first.",
      ""
    },
    mixinStandardHelpOptions = true)
public final class CheckCommand implements TableCommand {
  private static final int MOST_VIOLATIONS = 100;

  private final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "OTLP profiles, or files that become such; - for standard input.")
  private List<Path> files = new ArrayList<>();

  private final Flag strict = new Flag("--strict", "Exit with 1 also when there is only advice.");

  public CheckCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public List<CommandOption> options() {
    return List.of(strict);
  }

  @Override
  public boolean files(List<Path> given) {
    files = given;
    return !given.isEmpty();
  }

  @Override
  public Integer call() throws IOException {
    int exit = Exit.DONE;
    for (Path file : files) {
      try {
        exit = Math.max(exit, check(file));
      } catch (IOException | CommandFailure e) {
        exit = Exit.failed(e, terminal);
      }
    }
    return exit;
  }

  private int check(Path file) throws IOException, CommandFailure {
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a directory; name a file in it");
    }
    Sources sources = new Sources();
    try (Pipes pipes = new Pipes(sources, terminal::name)) {
      Path input = pipes.file(file);
      ProfileSource source = sources.of(input);
      if (source == null || source == ProfileForm.OTLP || source == ProfileForm.OTLP_JSON) {
        // Unknown forms are checked as they are.
        try (InputStream in = ProfileForm.open(input)) {
          return check(file, in);
        }
      }
      ReadProfiles read = NothingToWrite.refuse(file, source.read(input));
      ByteArrayOutputStream message = new ByteArrayOutputStream();
      new OtlpWriter().write(read.profiles(), message);
      int exit = check(file, new ByteArrayInputStream(message.toByteArray()));
      return Math.max(exit, Damages.report(read, false, terminal));
    }
  }

  private int check(Path file, InputStream otlp) throws IOException {
    return say(file, Conformance.check(otlp), strict.isGiven(), terminal) ? Exit.DONE : Exit.FAILED;
  }

  /**
   * Says what a check of a file found.
   *
   * @param strict whether advice counts too
   * @return whether the file is good enough
   */
  static boolean say(Path file, Conformance.Result result, boolean strict, Terminal terminal) {
    List<Violation> violations = result.violations();
    for (Violation violation :
        violations.subList(0, Math.min(MOST_VIOLATIONS, violations.size()))) {
      terminal.line(file + ": " + violation);
    }
    String advice =
        result.adviceCount() == 0 ? "" : ", " + count(result.adviceCount(), "piece") + " of advice";
    if (result.isConformant()) {
      terminal.line(
          file
              + ": conformant, "
              + count(result.profiles(), "profile")
              + ", "
              + count(result.samples(), "sample")
              + advice);
      if (strict && result.adviceCount() > 0) {
        terminal.fail(file + ": has advice, which --strict does not accept");
        return false;
      }
      return true;
    }
    terminal.fail(file + ": not conformant, " + count(result.count(), "violation") + advice);
    return false;
  }

  private static String count(long number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }
}
