package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Another agent on the command line of a JVM.
 *
 * @param name as its makers call it, with the version
 * @param agent {@code -javaagent} or {@code -agentpath} without its directory
 * @param options of the JVM
 * @param says what it says about the program
 */
record OtherAgentLine(String name, String agent, List<String> options, Says says) {
  private static final String PROGRAM = "org.buftrail.it.programs.Versions";

  /** Called 211 times. */
  private static final String METHOD = "pooledDirect";

  /** Nobody listens there. */
  private static final String NOWHERE = "http://127.0.0.1:9";

  /** What it says about the program. */
  enum Says {
    SPANS("211 spans of a method"),
    STRUCTURE("211 spans of a method"),
    COVERAGE("the probes of a class"),
    PROFILE("samples of the program"),
    NOTHING("not compared");

    final String what;

    Says(String what) {
      this.what = what;
    }
  }

  private static OtherAgentLine of(String name, String jar, Says says, String... options) {
    return new OtherAgentLine(name, "-javaagent:" + jar, List.of(options), says);
  }

  private static OtherAgentLine datadog(String version, String jar, String... more) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "-Ddd.trace.agent.url=" + NOWHERE,
                "-Ddd.writer.type=TraceStructureWriter:spans.txt",
                "-Ddd.trace.methods=" + PROGRAM + "[" + METHOD + "]"));
    options.addAll(List.of(more));
    return new OtherAgentLine("Datadog " + version, "-javaagent:" + jar, options, Says.STRUCTURE);
  }

  static List<OtherAgentLine> all() {
    return List.of(
        datadog("1.34", "datadog-first.jar"),
        datadog("1.54", "datadog-middle.jar"),
        datadog("1.68", "datadog.jar"),
        datadog("1.68, with its profiler", "datadog.jar", "-Ddd.profiling.enabled=true"),
        of(
            "OpenTelemetry 2.33",
            "opentelemetry-javaagent.jar",
            Says.SPANS,
            "-Dotel.traces.exporter=console",
            "-Dotel.metrics.exporter=none",
            "-Dotel.logs.exporter=none",
            "-Dotel.instrumentation.methods.include=" + PROGRAM + "[" + METHOD + "]"),
        of(
            "Elastic APM 1.55",
            "elastic-apm-agent.jar",
            Says.NOTHING,
            "-Delastic.apm.server_url=" + NOWHERE,
            "-Delastic.apm.trace_methods=" + PROGRAM + "#" + METHOD),
        of(
            "Pyroscope 2.1",
            "pyroscope.jar",
            Says.NOTHING,
            "-Dpyroscope.application.name=x",
            "-Dpyroscope.server.address=" + NOWHERE),
        of("Jolokia 2.6", "jolokia-agent-jvm.jar=port=0,host=127.0.0.1", Says.NOTHING),
        of(
            "BlockHound 1.0.17, with `-XX:+AllowRedefinitionToAddDeleteMethods`",
            "blockhound.jar",
            Says.NOTHING,
            "-XX:+AllowRedefinitionToAddDeleteMethods",
            "-Dversions.mayBlock=true"),
        of("Reactor tools 3.8", "reactor-tools.jar", Says.NOTHING),
        of("AspectJ's weaver 1.9.27", "aspectjweaver.jar", Says.NOTHING),
        of("Mockito's inline maker 5.24", "mockito-core.jar", Says.NOTHING),
        of("JaCoCo 0.8.15", "org.jacoco.agent.jar=destfile=jacoco.exec", Says.COVERAGE),
        new OtherAgentLine(
            "async-profiler 4.5",
            "-agentpath:libasyncProfiler.so=start,event=itimer,interval=1ms,collapsed,file=ap.txt",
            List.of(),
            Says.PROFILE));
  }

  /**
   * Jolokia is compiled for 17, the option that BlockHound needs came with 13, and Datadog 1.34,
   * alone on 25, weaves nothing.
   */
  boolean runsOn(int java) {
    if (name.startsWith("Jolokia") || name.startsWith("BlockHound")) {
      return java >= 17;
    }
    return java < 25 || !name.equals("Datadog 1.34");
  }

  List<String> line() {
    int colon = agent.indexOf(':') + 1;
    Path file = Path.of(Setting.property("buftrail.it.agents")).resolve(agent.substring(colon));
    List<String> line = new ArrayList<>(List.of(agent.substring(0, colon) + file));
    line.addAll(options);
    return line;
  }

  /** Returns what it said about the program there, as far as each run says the same. */
  String said(Path directory) throws IOException {
    switch (says) {
      case SPANS:
        return count(directory.resolve("stderr.txt"), "'Versions." + METHOD + "'");
      case STRUCTURE:
        return count(directory.resolve("spans.txt"), "trace.annotation");
      case COVERAGE:
        return CoverageFile.of(directory.resolve("jacoco.exec"), PROGRAM.replace('.', '/'));
      case PROFILE:
        assertThat(Files.readString(directory.resolve("ap.txt"))).contains("programs/Versions.");
        return "";
      default:
        return "";
    }
  }

  private static String count(Path file, String text) throws IOException {
    String all = Files.readString(file, StandardCharsets.ISO_8859_1);
    int count = all.split(Pattern.quote(text), -1).length - 1;
    assertThat(count).as(file.toString()).isPositive();
    return text + " " + count;
  }

  @Override
  public String toString() {
    return name;
  }
}
