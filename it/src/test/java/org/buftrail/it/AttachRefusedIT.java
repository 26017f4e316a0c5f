package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.it.programs.Switched;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code attach} and {@code detach} cannot do is one line, and hurts nobody. */
final class AttachRefusedIT {
  private static final List<String> AS_NOBODY =
      List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

  @TempDir private Path directory;

  @Test
  void aProcessThatIsNotThere() throws Exception {
    assertRefused(attach(List.of(), "999999999"), 1, "there is no process 999999999");
    ForkedJvm.Result unknown = attach(List.of(), "no.such.program");
    assertThat(unknown.exit()).as(unknown.err()).isEqualTo(2);
    assertThat(unknown.err().lines())
        .as("what there is, and what is wrong")
        .anyMatch(line -> line.matches(" +PID +AGENT +NETTY .*"))
        .last()
        .asString()
        .startsWith("buftrail: no Java process of this user has 'no.such.program' in its name");
  }

  @EachSetting(newestNetty = true, java = 17, outerJvms = true)
  void withoutAProcessAllAreListedAndLeftAlone(Setting setting) throws Exception {
    try (RunningProgram program = program(setting)) {
      program.await("ready");
      String row =
          " *" + program.pid() + "  - +" + setting.netty() + " +%s +[\\d.,]+ MiB  .*Switched";
      ForkedJvm.Result listed = attach(List.of());
      assertThat(listed.exit()).as(listed.err()).isEqualTo(2);
      assertThat(listed.out()).isEmpty();
      assertThat(listed.err().lines())
          .anySatisfy(line -> assertThat(line).matches(String.format(row, "-")))
          .last()
          .asString()
          .startsWith("buftrail: name the process, by its number or a part of its name, such as: ");
      // Netty's memory is counted by the JVM up to that Java.
      String direct = setting.javaVersion() < 24 ? "[\\d.,]+ MiB" : "-";
      assertThat(program.command("dump").err())
          .startsWith("buftrail: process " + program.pid() + ": does not run the agent; start it ");
      startManagement(program);
      assertThat(attach(List.of()).err().lines())
          .anySatisfy(line -> assertThat(line).matches(String.format(row, direct)));
      program.stop();
      assertThat(program.err()).doesNotContain("buftrail");
    }
  }

  /** As a tool of the JDK does, which leaves it running. */
  private static void startManagement(RunningProgram program) throws Exception {
    VirtualMachine machine = VirtualMachine.attach(program.pid());
    try {
      machine.startLocalManagementAgent();
    } finally {
      machine.detach();
    }
  }

  @Test
  void aProcessThatIsNoJvmGoesOn() throws Exception {
    Process sleep = new ProcessBuilder("sleep", "600").start();
    try {
      String pid = Long.toString(sleep.pid());
      assertRefused(attach(List.of(), pid), 1, "process " + pid + " is no JVM of this user");
      assertThat(sleep.isAlive()).isTrue();
    } finally {
      sleep.destroyForcibly();
    }
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void aJvmOfAnotherUserGoesOn(Setting setting) throws Exception {
    try (RunningProgram program = program(setting)) {
      program.await("ready");
      boolean root = System.getProperty("user.name").equals("root");
      // Only root may be somebody else; for the others the process 1 is somebody else's.
      String pid = root ? program.pid() : "1";
      List<String> prefix = root ? AS_NOBODY : List.of();
      assertRefused(attach(prefix, pid), 1, "process " + pid + " is another user's");
      program.stop();
    }
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void aJvmThatIsStopped(Setting setting) throws Exception {
    try (RunningProgram program = program(setting)) {
      program.await("ready");
      signal("STOP", program.pid());
      for (String command : List.of("attach", "detach", "dump", "top")) {
        assertRefused(program.command(command), 1, "process " + program.pid() + " is stopped");
      }
      signal("CONT", program.pid());
      program.stop();
    }
  }

  /** They stand in for a JVM that is too busy to answer, and for one that ends meanwhile. */
  @Test
  void whatDoesNotAnswerIsBusyOrGone() throws Exception {
    for (String[] is :
        new String[][] {{":", "does not answer: it is busy"}, {"exit", "has ended"}}) {
      String script = "trap '" + is[0] + "' QUIT; echo ready; while :; do sleep 0.1; done";
      Process shell = new ProcessBuilder("sh", "-c", script).start();
      try {
        assertThat(shell.getInputStream().read()).isEqualTo('r');
        String pid = Long.toString(shell.pid());
        assertRefused(attach(List.of(), pid), 1, "process " + pid + " " + is[1]);
      } finally {
        shell.destroyForcibly();
      }
    }
  }

  private static void signal(String name, String pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
  }

  @EachSetting(newestNetty = true)
  void aJvmThatForbidsAgents(Setting setting) throws Exception {
    try (RunningProgram program = program(setting, "-XX:-EnableDynamicAgentLoading")) {
      program.await("ready");
      assertRefused(program.command("attach"), 1, "-XX:+EnableDynamicAgentLoading");
      program.stop();
    }
  }

  @EachSetting(newestNetty = true)
  void aJvmThatForbidsAttaching(Setting setting) throws Exception {
    try (RunningProgram deaf = program(setting, "-XX:+DisableAttachMechanism")) {
      deaf.await("ready");
      assertRefused(deaf.command("attach"), 1, "-XX:+DisableAttachMechanism");
      deaf.stop();
    }
  }

  @EachSetting(newestNetty = true, outerJvms = true)
  void withoutTheAgentThereIsNothingToDetach(Setting setting) throws Exception {
    try (RunningProgram program = program(setting)) {
      program.await("ready");
      assertRefused(program.command("detach"), 1, "the agent is not in this JVM");
      assertRefused(program.command("attach", "inclde=a"), 2, "did you mean 'include'?");
      program.stop();
    }
  }

  private static void assertRefused(ForkedJvm.Result result, int exit, String text) {
    assertThat(result.exit()).as(result.err()).isEqualTo(exit);
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .startsWith("buftrail: ")
        .contains(text);
  }

  private ForkedJvm.Result attach(List<String> prefix, String... arguments)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of("attach"));
    line.addAll(List.of(arguments));
    return new ForkedJvm(directory).after(prefix).runJar(line.toArray(new String[0]));
  }

  private RunningProgram program(Setting setting, String... jvmOptions) throws IOException {
    List<String> line = new ArrayList<>(List.of(jvmOptions));
    line.addAll(List.of("-cp", setting.classPath(), Switched.class.getName()));
    return new RunningProgram(
        Files.createTempDirectory(directory, "program"), setting.java(), line);
  }
}
