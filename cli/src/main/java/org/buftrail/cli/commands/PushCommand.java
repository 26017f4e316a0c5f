package org.buftrail.cli.commands;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.buftrail.cli.options.CommandOption;
import org.buftrail.cli.options.ConversionOptions;
import org.buftrail.cli.options.OptionTable;
import org.buftrail.cli.options.ReceiverOptions;
import org.buftrail.cli.options.SizeOption;
import org.buftrail.console.input.Pipes;
import org.buftrail.console.input.Sources;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Damages;
import org.buftrail.console.output.Exit;
import org.buftrail.console.output.NothingToWrite;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.UnmetEvents;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Recording;
import org.buftrail.jfr.RecordingException;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.input.ProfileForm;
import org.buftrail.profile.input.ProfileSource;
import org.buftrail.profile.push.Delivery;
import org.buftrail.profile.push.PushTarget;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code push}: recordings, or other files of profiles, to an OTLP receiver. */
@Command(
    name = "push",
    description = {
      "Sends recordings, converted, or profiles to an OpenTelemetry receiver over HTTP.",
      "OTEL_EXPORTER_OTLP_ENDPOINT, _HEADERS, _TIMEOUT, _COMPRESSION and their _PROFILES_ forms say"
          + " what options do not.",
      ""
    },
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false)
public final class PushCommand implements Callable<Integer> {
  /** What began earlier, Pyroscope does not take by default ({@code reject-older-than}). */
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  private final Terminal terminal;
  private final Sources sources = new Sources();

  private final ConversionOptions conversion = new ConversionOptions();

  @Parameters(
      arity = "1..*",
      paramLabel = "IN",
      description =
          "Recordings, directories and globs of them, OpenTelemetry profiles, pprof, collapsed"
              + " stacks, flow snapshots; pipes; - for standard input.")
  private List<Path> inputs = new ArrayList<>();

  @Mixin private ReceiverOptions receiver = new ReceiverOptions();

  @Option(
      names = "--timeout",
      paramLabel = "MILLIS",
      description = "How long a request may take with its answer. Default: 10000.")
  private @Nullable Integer timeoutMillis;

  @Option(
      names = "--compression",
      paramLabel = "gzip|none",
      description = "How to pack requests. Default: gzip.")
  private @Nullable Compression compression;

  private final SizeOption largestPart =
      new SizeOption(
          "--max-size",
          Delivery.LARGEST_PART,
          "Split larger requests; their size is that before packing. Default: 60m.");

  @Option(
      names = "--give-up",
      paramLabel = "SECONDS",
      description = {
        "How long to try one request while the receiver is down or answers 429, 502, 503 or 504."
            + " Default: 60."
      })
  private int patienceSeconds = 60;

  /** How requests may be packed. */
  enum Compression {
    GZIP,
    NONE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private PushCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The command with one option for each kind. */
  public static CommandLine commandLine(Terminal terminal) {
    PushCommand command = new PushCommand(terminal);
    List<CommandOption> options = new ArrayList<>();
    command.conversion.addTo(options);
    options.add(command.largestPart);
    command.conversion.addKindsTo(options);
    return OptionTable.commandLine(command, options);
  }

  @Override
  public Integer call() throws IOException, InterruptedException, CommandFailure {
    PushTarget target = receiver.target(this::withOptions);
    Converter converter = new Converter(conversion.options());
    UnmetEvents unmet = new UnmetEvents();
    int exit = Exit.DONE;
    for (int i = 0; i < inputs.size(); i++) {
      Path input = inputs.get(i);
      Delivery delivery =
          new Delivery(target, largestPart.value(), TimeUnit.SECONDS.toMillis(patienceSeconds));
      long start = System.nanoTime();
      try {
        try (Pipes pipes = new Pipes(sources, terminal::name)) {
          exit = Math.max(exit, push(pipes.file(input), converter, delivery, unmet));
        }
      } catch (CommandFailure | RecordingException | FileSystemException e) {
        exit = Exit.failed(e, terminal);
        continue;
      } catch (IOException | IllegalArgumentException e) {
        int left = inputs.size() - i - 1;
        throw new CommandFailure(
            input
                + " to "
                + target
                + ": "
                + e.getMessage()
                + (left == 0 ? "" : "; not tried: " + left + " more"),
            e);
      }
      terminal.note(summary(input, target, delivery, System.nanoTime() - start));
      if (!delivery.warning().isEmpty()) {
        terminal.note(input + ": " + delivery.warning());
      }
      if (!delivery.partial().isEmpty()) {
        terminal.fail(input + ": " + delivery.partial());
        exit = Exit.FAILED;
      }
    }
    return Math.max(exit, unmet.report(terminal));
  }

  private PushTarget withOptions(PushTarget receiver) {
    PushTarget target = receiver;
    if (timeoutMillis != null) {
      if (timeoutMillis < 1) {
        throw new IllegalArgumentException("--timeout must be at least 1");
      }
      target = target.withTimeout(timeoutMillis);
    }
    return compression == null ? target : target.withGzip(compression == Compression.GZIP);
  }

  private int push(Path input, Converter converter, Delivery delivery, UnmetEvents unmet)
      throws IOException, InterruptedException, CommandFailure {
    ProfileSource source = sources.of(input);
    if (source != null && !sources.isRecording(input)) {
      conversion.refuseForProfiles(input, List.of());
      pushProfiles(input, source, delivery);
      return Exit.DONE;
    }
    Conversion converted = converter.convert(Recording.matching(List.of(input)));
    unmet.add(converted);
    conversion.describe(converted.profiles().resource());
    Profiles profiles = conversion.select(converted.profiles());
    if (profiles.profiles().isEmpty()) {
      throw NothingToWrite.of(List.of(input), converted, conversion.isSelected(), terminal);
    }
    profiles = conversion.withoutAttributes(profiles);
    noteAge(input, List.of(profiles));
    delivery.send(profiles);
    return Damages.report(converted, conversion.isLenient(), terminal);
  }

  /** Sends a message as it is if it can go in one request, so that nothing of it is lost. */
  private void pushProfiles(Path input, ProfileSource source, Delivery delivery)
      throws IOException, InterruptedException, CommandFailure {
    byte[] message = {};
    List<Profiles> all;
    try {
      all = NothingToWrite.refuse(input, source.read(input)).profiles();
      if (source == ProfileForm.OTLP && !conversion.changesRead()) {
        message = message(input);
      }
    } catch (IOException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
    all = conversion.withoutAttributes(all);
    noteAge(input, all);
    if (message.length > 0) {
      delivery.send(message);
      return;
    }
    all.forEach(profiles -> conversion.describeRead(profiles.resource()));
    delivery.send(all);
  }

  /** Says so where Pyroscope would refuse profiles for the time at which they began. */
  private void noteAge(Path input, List<Profiles> all) {
    long hourAgo = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - HOUR_NANOS;
    for (Profiles profiles : all) {
      for (Profile profile : profiles.profiles()) {
        if (profile.time() > 0 && profile.time() < hourAgo) {
          terminal.note(
              input
                  + ": began more than an hour ago, which Pyroscope with its default limits"
                  + " refuses");
          return;
        }
      }
    }
  }

  /** The bytes of a message, none if they are more than may go in one request. */
  private byte[] message(Path input) throws IOException {
    try (InputStream in = ProfileForm.open(input)) {
      byte[] message =
          in.readNBytes((int) Math.min(Integer.MAX_VALUE - 8, largestPart.value() + 1));
      return message.length > largestPart.value() ? new byte[0] : message;
    }
  }

  private static String summary(Path input, PushTarget target, Delivery delivery, long nanos) {
    Duration time = Duration.ofNanos(nanos);
    return String.format(
        Locale.ROOT,
        "%s: sent to %s in %d request%s, %,d bytes%s, in %d.%03d s",
        input,
        target,
        delivery.requests(),
        delivery.requests() == 1 ? "" : "s",
        delivery.bytes(),
        retries(delivery.retries()),
        time.toSeconds(),
        time.toMillisPart());
  }

  private static String retries(int retries) {
    return retries == 0 ? "" : ", after " + retries + (retries == 1 ? " retry" : " retries");
  }
}
