package org.buftrail.benchmarks.run;

import static java.util.stream.Collectors.joining;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;

/**
 * What the command line asks for.
 *
 * @param mode what is done
 * @param arms in these ways
 * @param jmh selected benchmarks and everything else that JMH understands
 * @param agent the jar under test
 * @param other the jar of the arm that has another one
 * @param gate whether to fail where the agent under test costs more than the other
 * @param output where the results go, without extension; null for nowhere
 * @param note said in the results, such as what else ran
 * @param profile whether to add JMH's CPU and allocation profilers
 * @param nettyThreads whether benchmarks run on Netty's own kind of thread
 */
record Request(
    Mode mode,
    List<Arm> arms,
    CommandLineOptions jmh,
    Path agent,
    Path other,
    boolean gate,
    @Nullable Path output,
    String note,
    boolean profile,
    boolean nettyThreads) {

  static final String USAGE =
      """
      usage: buftrail bench MODE [REGEX...] [options] [JMH options]

      modes   baseline       without the agent
              track-all      every buffer followed, all features
              track-direct   direct buffers alone
              sampled        one in 128
              quick          baseline and track-direct
              compare        all of these and Netty's detector at each level, an iteration of each
                             in turn, with a table of ratios; takes some 1.5 GB for each
              services       buffers as services treat them, in turn, by processor time of the
                             whole process; without the agent twice, with hops in Netty's own
                             handlers too, and Netty's SIMPLE
              startup        what the agent adds to the start of a JVM, also by processor time;
                             -f rounds
              fleet DIR      writes recordings of twenty services, one of which gets slower
              fleet RECORDING  what it costs to push it, to add it to a dataset, to compact and to
                             ask that; --recordings N, --few N, --pushed N, --output, --note
              sql RECORDING  questions in SQL about copies of a recording and about one of many
                             of its chunks; --copies N, --large-mb N, --cores 1,2,
                             --jfr-query JAR, --output, --note
              convert        the converter beside others, without the agent; of the options below it
                             knows --output, --profile and JMH's
              table          prints the rows of docs/performance.md from a directory of results,
                             for a commit: bench table benchmarks/results 1b196db

      options --profile         JMH's CPU and allocation profilers (stack, jfr)
              --netty-threads   on FastThreadLocal threads, which recycle pooled objects
              --arms A,B        instead of the mode's: none, again, own, all, fewer, other,
                                handlers, direct, sampled, off, simple,
                                advanced, paranoid
              --output PREFIX   write PREFIX.json and PREFIX.md
              --agent JAR       the agent under test (default: the one of this build)
              --other JAR       the agent of the arm "other"
              --gate JAR        fails where the agent costs more than this one, by more than 3 % and
                                by more than chance; runs none, again, all and other
              --note TEXT       kept with the results
      JMH     -f forks (rounds), -wi, -w, -i, -r, -t, -p, -jvm JAVA, -jvmArgsAppend, ...
              regular expressions select benchmarks: bench compare pooledDirect
      """;

  /** A name for a set of arms. */
  enum Mode {
    BASELINE(Arm.NONE),
    TRACK_ALL(Arm.ALL),
    TRACK_DIRECT(Arm.DIRECT),
    SAMPLED(Arm.SAMPLED),
    QUICK(Arm.NONE, Arm.DIRECT),
    COMPARE(
        Arm.NONE,
        Arm.ALL,
        Arm.DIRECT,
        Arm.SAMPLED,
        Arm.OFF,
        Arm.SIMPLE,
        Arm.ADVANCED,
        Arm.PARANOID),
    SERVICES(Arm.NONE, Arm.AGAIN, Arm.ALL, Arm.HANDLERS, Arm.SIMPLE),
    STARTUP(Arm.NONE, Arm.AGAIN, Arm.OWN, Arm.ALL);

    @SuppressWarnings("ImmutableEnumChecker") // List.of
    private final List<Arm> arms;

    Mode(Arm... arms) {
      this.arms = List.of(arms);
    }

    List<Arm> arms() {
      return arms;
    }
  }

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException saying in one line what is wrong
   */
  static Request parse(String[] args, Path defaultAgent) {
    if (args.length == 0) {
      throw new IllegalArgumentException("a mode is missing");
    }
    Mode mode = mode(args[0]);
    List<String> rest = new ArrayList<>();
    Path agent = defaultAgent;
    Path other = defaultAgent;
    Path output = null;
    String note = "";
    boolean gate = false;
    boolean profile = false;
    boolean nettyThreads = false;
    List<Arm> arms = mode.arms();
    for (Iterator<String> i = List.of(args).subList(1, args.length).iterator(); i.hasNext(); ) {
      String arg = i.next();
      switch (arg) {
        case "--profile" -> profile = true;
        case "--netty-threads" -> nettyThreads = true;
        case "--agent" -> agent = Path.of(value(arg, i)).toAbsolutePath();
        case "--other" -> other = Path.of(value(arg, i)).toAbsolutePath();
        case "--gate" -> {
          gate = true;
          other = Path.of(value(arg, i)).toAbsolutePath();
          arms = Gate.ARMS;
        }
        case "--output" -> output = Path.of(value(arg, i)).toAbsolutePath();
        case "--arms" -> arms = arms(value(arg, i));
        case "--note" -> note = value(arg, i);
        default -> rest.add(arg);
      }
    }
    if (gate && mode == Mode.STARTUP) {
      throw new IllegalArgumentException("--gate is for what is measured in turn, not for startup");
    }
    try {
      CommandLineOptions jmh = new CommandLineOptions(rest.toArray(new String[0]));
      return new Request(mode, arms, jmh, agent, other, gate, output, note, profile, nettyThreads);
    } catch (CommandLineOptionException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** The jar of an arm. */
  Path agent(Arm arm) {
    return arm == Arm.OTHER ? other : agent;
  }

  private static Mode mode(String name) {
    List<String> known = new ArrayList<>();
    for (Mode mode : Mode.values()) {
      String label = mode.name().toLowerCase(Locale.ROOT).replace('_', '-');
      if (label.equals(name)) {
        return mode;
      }
      known.add(label);
    }
    throw new IllegalArgumentException(
        "'"
            + name
            + "' is no mode; the modes are "
            + String.join(", ", known)
            + ", fleet, sql, "
            + ConverterRun.MODE
            + ", "
            + ServiceTable.MODE);
  }

  private static List<Arm> arms(String names) {
    List<Arm> arms = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      try {
        arms.add(Arm.valueOf(name.trim().toUpperCase(Locale.ROOT)));
      } catch (IllegalArgumentException e) {
        String known = Arrays.stream(Arm.values()).map(Arm::label).collect(joining(", "));
        throw new IllegalArgumentException("'" + name + "' is no arm; the arms are " + known, e);
      }
    }
    return arms;
  }

  private static String value(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return rest.next();
  }
}
