package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.VirtualMachine;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.it.programs.OtherAgent;
import org.buftrail.it.programs.Versions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Beside an agent whose transformer does one thing or another while a class of ours is being
 * defined: ours starts and counts what the program counts, and the other works.
 */
final class OtherAgentsIT {
  private static final String OURS = "include=org.buftrail.it.programs;report=flows.json";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "asks",
        "asksOthers",
        "asksForFile",
        "throws",
        "throwsError",
        "changes",
        "returnsTheSame"
      })
  void inFrontOfOurs(String mode) throws Exception {
    List<String> line = new ArrayList<>(List.of(other(mode), ours(), "-cp", classPath()));
    run(line, "ledger");
    assertOther(mode, true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "asks",
        "asksOthers",
        "asksForFile",
        "throws",
        "throwsError",
        "changes",
        "returnsTheSame"
      })
  void behindOurs(String mode) throws Exception {
    run(List.of(ours(), other(mode), "-cp", classPath()), "ledger");
    assertOther(mode, false);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "asks",
        "asksOthers",
        "asksForFile",
        "throws",
        "throwsError",
        "changes",
        "returnsTheSame"
      })
  void beforeOursIsAttached(String mode) throws Exception {
    List<String> line = List.of(other(mode), "-cp", classPath());
    try (RunningProgram program = start(line, "ledger", "ready", "go")) {
      program.await("ready");
      program.load(OURS);
      program.create("go");
      program.awaitEnd();
    }
    assertCounted();
    assertOther(mode, true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "asks",
        "asksOthers",
        "asksForFile",
        "throws",
        "throwsError",
        "changes",
        "returnsTheSame"
      })
  void attachedAfterOurs(String mode) throws Exception {
    List<String> line = List.of(ours(), "-cp", classPath());
    try (RunningProgram program = start(line, "ledger", "ready", "go", "there")) {
      program.await("ready");
      VirtualMachine machine = VirtualMachine.attach(program.pid());
      try {
        machine.loadAgent(jar().toString(), mode + ",other");
      } catch (AgentInitializationException e) {
        throw new AssertionError(program.err(), e);
      } finally {
        machine.detach();
      }
      program.create("go");
      program.awaitEnd();
    }
    assertCounted();
    assertOther(mode, true);
  }

  private String ours() {
    return "-javaagent:" + Setting.JAR + "=" + OURS;
  }

  private String other(String mode) throws Exception {
    return "-javaagent:" + jar() + "=" + mode + ",other";
  }

  /** Without a class, which is on the class path. */
  private Path jar() throws Exception {
    Path jar = directory.resolve("other.jar");
    String name = OtherAgent.class.getName();
    String retransform = "Can-Retransform-Classes";
    new Jars(jar, "Premain-Class", name, "Agent-Class", name, retransform, "true").close();
    return jar;
  }

  private static String classPath() {
    return Setting.newest().classPath() + File.pathSeparator + Setting.loading("byte-buddy.jar");
  }

  private RunningProgram start(List<String> options, String... arguments) throws Exception {
    List<String> line = new ArrayList<>(VersionsIT.QUICK);
    line.addAll(options);
    line.add(Versions.class.getName());
    line.addAll(List.of(arguments));
    return new RunningProgram(directory, Setting.newest().java(), line);
  }

  private void run(List<String> line, String... arguments) throws Exception {
    try (RunningProgram program = start(line, arguments)) {
      program.awaitEnd();
    }
    assertCounted();
  }

  private void assertCounted() throws Exception {
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    VersionsIT.assertCounted(flows, directory.resolve("ledger"));
    assertThat(flows.tracker().path("unwovenClasses").asInt()).isZero();
  }

  /** It met the program and, where it came first, the agent, and found what it asked for. */
  private void assertOther(String mode, boolean first) throws Exception {
    long[] met =
        Stream.of(Files.readString(directory.resolve("other")).trim().split(" "))
            .mapToLong(Long::parseLong)
            .toArray();
    assertThat(met[0]).isGreaterThan(first ? 50L : 0L);
    assertThat(met[1]).isPositive();
    if (mode.startsWith("asks")) {
      assertThat(met[2]).isPositive();
    }
  }
}
