package org.buftrail.cli.commands;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.buftrail.cli.input.Sources;
import org.buftrail.cli.output.Exit;
import org.buftrail.cli.output.Terminal;
import org.buftrail.profile.input.ProfileForm;
import org.buftrail.profile.input.ProfileSource;
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
      "What it only recommends, or receivers ask for, is advice and no failure. What has another form"
          + " is converted first.",
      ""
    },
    mixinStandardHelpOptions = true)
public final class CheckCommand implements Callable<Integer> {
  private static final int MOST_VIOLATIONS = 100;

  private final Terminal terminal;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "OTLP profiles, or what can become such.")
  private List<Path> files = new ArrayList<>();

  public CheckCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException {
    boolean conformant = true;
    for (Path file : files) {
      conformant &= check(file, terminal);
    }
    return conformant ? Exit.DONE : Exit.FAILED;
  }

  /** Checks one file, says what came out, and answers whether it is conformant. */
  static boolean check(Path file, Terminal terminal) throws IOException {
    Conformance.Result result;
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a directory; name a file in it");
    }
    try (InputStream in = otlp(file)) {
      result = Conformance.check(in);
    }
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
      return true;
    }
    terminal.fail(file + ": not conformant, " + count(result.count(), "violation") + advice);
    return false;
  }

  /** What a file holds, as OTLP; a file that is nothing that is known, as it is. */
  private static InputStream otlp(Path file) throws IOException {
    Sources sources = new Sources();
    ProfileSource source = sources.of(file);
    if (source == null || source == ProfileForm.OTLP || source == ProfileForm.OTLP_JSON) {
      return ProfileForm.open(file);
    }
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    new OtlpWriter().write(source.read(file).profiles(), message);
    return new ByteArrayInputStream(message.toByteArray());
  }

  private static String count(long number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }
}
