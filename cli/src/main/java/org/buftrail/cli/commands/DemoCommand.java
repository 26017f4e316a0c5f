package org.buftrail.cli.commands;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.buftrail.cli.demo.HttpLoad;
import org.buftrail.cli.demo.ServiceProcess;
import org.buftrail.cli.demo.WebBrowser;
import org.buftrail.console.input.Sources;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.ProfileFiles;
import org.buftrail.console.output.Terminal;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Options;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.input.ReadProfiles;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.report.FlowProfiles;
import org.buftrail.report.SnapshotJsonReader;
import org.buftrail.report.TreeReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code demo}: a leaking service under the agent, load on it, and what the agent says. */
@Command(
    name = "demo",
    description = {
      "Runs a small service on Netty that leaks on one error path, shows which path leaks, and"
          + " opens the page of its report.",
      "The service runs under load with the agent and a flight recording.",
      ""
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
public final class DemoCommand implements Callable<Integer> {
  private static final int MOST_SECONDS = 3600;
  private static final String FLOWS_PAGE = "flows.html";
  private static final String FLOWS_PROFILE = "flows.otlp";
  private static final String RECORDING_PROFILE = "profile.otlp";

  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "10",
      description = "How long to drive load without --live. Default: ${DEFAULT-VALUE}.")
  private int seconds;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "buftrail-demo",
      description = "Where to leave the files. Default: ${DEFAULT-VALUE}.")
  private Path out = Path.of("");

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Port of the service. Default: any that is free.")
  private int port;

  @Option(
      names = "--live",
      description =
          "Keep the service under load until Enter is pressed, and open its live page meanwhile.")
  private boolean live;

  public DemoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws IOException, InterruptedException, CommandFailure {
    validate();
    Path jar = packagedJar();
    Path directory = prepare();
    int planted = serve(jar, directory);
    Snapshot flows = SnapshotJsonReader.read(directory.resolve(ServiceProcess.FLOWS));
    show(flows);
    Path page = page(directory);
    boolean conformant = profiles(directory, flows);
    long found = flows.leaked().count();
    terminal.line("planted " + planted + " leaks, found " + found);
    if (found != planted) {
      terminal.fail("these differ; see " + directory.resolve(ServiceProcess.LOG));
      return Exit.FAILED;
    }
    next(jar, directory);
    if (!live) {
      WebBrowser.open(page.toUri().toString());
    }
    return conformant ? Exit.DONE : Exit.FAILED;
  }

  private void validate() throws CommandFailure {
    if (seconds < 1 || seconds > MOST_SECONDS) {
      throw wrongUsage("--seconds is " + seconds + ": it must be from 1 to " + MOST_SECONDS);
    }
    if (port < 0 || port > 65_535) {
      throw wrongUsage("--port is " + port + ": it must be from 0 to 65535");
    }
    for (String module : List.of("jdk.jfr", "java.instrument", "java.net.http")) {
      if (ModuleLayer.boot().findModule(module).isEmpty()) {
        throw new CommandFailure(
            System.getProperty("java.home")
                + " lacks the module "
                + module
                + "; set JAVA_HOME to a full JDK");
      }
    }
  }

  private ParameterException wrongUsage(String message) {
    if (spec == null) {
      throw new IllegalStateException("not on a command line");
    }
    return new ParameterException(spec.commandLine(), message);
  }

  private static Path packagedJar() throws CommandFailure {
    CodeSource source = DemoCommand.class.getProtectionDomain().getCodeSource();
    try {
      Path jar = source == null ? Path.of("") : Path.of(source.getLocation().toURI());
      if (Files.isRegularFile(jar)) {
        return jar;
      }
    } catch (URISyntaxException e) {
      throw new CommandFailure("the jar's own place cannot be found: " + e.getMessage(), e);
    }
    throw new CommandFailure("the demo runs from buftrail.jar only; start it with ./buftrail demo");
  }

  /** Makes the directory, and clears it of what another demo left there. */
  private Path prepare() throws CommandFailure {
    try {
      Path directory = Files.createDirectories(out).toRealPath();
      for (String name :
          List.of(
              ServiceProcess.FLOWS,
              ServiceProcess.RECORDING,
              ServiceProcess.LOG,
              FLOWS_PAGE,
              FLOWS_PROFILE,
              RECORDING_PROFILE)) {
        Files.deleteIfExists(directory.resolve(name));
      }
      Files.delete(Files.createTempFile(directory, ".buftrail", null));
      return directory;
    } catch (FileAlreadyExistsException e) {
      throw new CommandFailure(
          e.getFile() + " is a file, not a directory; choose another place with --out", e);
    } catch (AccessDeniedException e) {
      throw new CommandFailure(
          "cannot write in " + out + ": permission denied; choose another place with --out", e);
    } catch (IOException e) {
      throw new CommandFailure(
          "cannot write in " + out + ": " + e.getMessage() + "; choose another place with --out",
          e);
    }
  }

  private int serve(Path jar, Path directory) throws IOException, InterruptedException {
    try (ServiceProcess service = new ServiceProcess(jar, directory, port, live)) {
      int listening = service.awaitPort();
      terminal.note(
          "buftrail: the demo service listens on 127.0.0.1:"
              + listening
              + (live ? "; driving load" : "; driving load for " + seconds + " s"));
      long requests =
          live
              ? untilEnter(listening, service.livePage())
              : HttpLoad.run(listening, Duration.ofSeconds(seconds));
      terminal.note("buftrail: " + requests + " requests answered; stopping the service");
      return service.stop();
    }
  }

  private long untilEnter(int listening, String page) throws IOException, InterruptedException {
    terminal.note("buftrail: its live page is " + page);
    terminal.note("buftrail: Enter ends the demo");
    WebBrowser.open(page);
    long requests = 0;
    do {
      requests += HttpLoad.run(listening, Duration.ofSeconds(1));
    } while (System.in.available() == 0);
    return requests;
  }

  private void show(Snapshot flows) throws IOException {
    StringBuilder report = new StringBuilder();
    TreeReport.write(flows, report);
    terminal.print(report.toString());
    terminal.line("");
  }

  private Path page(Path directory) throws IOException, CommandFailure {
    Path page = directory.resolve(FLOWS_PAGE);
    ReadProfiles flows = new Sources().read(directory.resolve(ServiceProcess.FLOWS));
    new ProfileFiles(flows, ProfileFiles.Style.PLAIN)
        .write(page.toString(), ProfileFormat.HTML, terminal);
    return page;
  }

  /** Writes and checks both profiles. */
  private boolean profiles(Path directory, Snapshot flows) throws IOException, CommandFailure {
    Path flowsProfile = directory.resolve(FLOWS_PROFILE);
    write(FlowProfiles.of(flows), flowsProfile);
    Path recordingProfile = directory.resolve(RECORDING_PROFILE);
    Path recording = directory.resolve(ServiceProcess.RECORDING);
    write(new Converter(Options.DEFAULT).convert(List.of(recording)).profiles(), recordingProfile);
    boolean flowsConformant = check(flowsProfile);
    return check(recordingProfile) && flowsConformant;
  }

  private boolean check(Path profile) throws IOException {
    try (InputStream in = Files.newInputStream(profile)) {
      return CheckCommand.say(shortest(profile), Conformance.check(in), false, terminal);
    }
  }

  private void write(Profiles profiles, Path file) throws CommandFailure {
    new ProfileFiles(ReadProfiles.of(List.of(profiles), List.of()), ProfileFiles.Style.PLAIN)
        .write(file.toString(), ProfileFormat.OTLP, terminal);
  }

  private void next(Path jar, Path directory) {
    Path shown = shortest(directory);
    String command = System.getProperty("buftrail.launcher", "java -jar " + shortest(jar));
    terminal.line("");
    terminal.line("In " + shown + ":");
    terminal.line("  flows.html     the page of this report; it opens where there is a screen");
    terminal.line("  flows.json     every path with its counts, as the agent wrote it");
    terminal.line("  flows.otlp     the same as OpenTelemetry profiles");
    terminal.line("  recording.jfr  the flight recording of the service");
    terminal.line("  profile.otlp   the recording as OpenTelemetry profiles");
    terminal.line("Next:");
    terminal.line(
        "  " + command + " convert " + shown.resolve("recording.jfr") + " -o recording.html");
    terminal.line(
        "  java -javaagent:" + shortest(jar) + "=report=flows.html -jar your-service.jar");
  }

  /** A path as seen from here, if that is shorter. */
  private static Path shortest(Path path) {
    Path here = Path.of("").toAbsolutePath();
    if (here.getRoot() == null || !here.getRoot().equals(path.getRoot())) {
      return path;
    }
    Path relative = here.relativize(path);
    return relative.toString().length() < path.toString().length() ? relative : path;
  }
}
