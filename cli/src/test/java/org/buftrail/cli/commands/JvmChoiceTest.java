package org.buftrail.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.cli.live.Jvm;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JvmChoiceTest {
  private static final List<Jvm> JVMS =
      List.of(
          new Jvm(1507, "com.example.Shop", true, "4.2.20.Final", 5 << 20, 300L << 20),
          new Jvm(22, "com.example.of.a.very.long.name.that.goes.on.Tool", false, null, -1, -1));

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /**
   * @param answer what somebody types, null where nobody can be asked
   */
  private JvmChoice choice(@Nullable String answer) {
    Terminal terminal =
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    return new JvmChoice(
        "dump",
        terminal,
        () -> answer != null,
        new BufferedReader(new StringReader(answer == null ? "" : answer)));
  }

  @Test
  void whoIsAskedChoosesByNumber() throws IOException {
    assertThat(choice(" 22 \n").choose(JVMS)).isEqualTo(22);
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .containsExactly(
            "     PID  AGENT  NETTY              DIRECT   RESIDENT  NAME",
            "    1507  yes    4.2.20.Final      5.0 MiB  300.0 MiB  com.example.Shop",
            "      22  -      -                       -          -"
                + "  ...of.a.very.long.name.that.goes.on.Tool",
            "DIRECT is known up to Java 23, where the JVM's management agent runs.",
            "PID (empty for none): ");
    assertThat(out.size()).isZero();
  }

  @Test
  void whereNobodyCanBeAskedTheListSaysHowToChoose() {
    assertThatThrownBy(() -> choice(null).choose(JVMS))
        .isInstanceOf(WrongUsage.class)
        .hasMessage(
            "name the process, by its number or a part of its name, such as: buftrail dump 1507");
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("com.example.Shop");
  }

  @Test
  void anotherNumberIsNoProcess() {
    assertThatThrownBy(() -> choice("3\n").choose(JVMS))
        .hasMessage("'3' is none of these processes");
    assertThatThrownBy(() -> choice("\n").choose(JVMS)).hasMessage("no process was chosen");
    assertThatThrownBy(() -> choice("").choose(JVMS)).hasMessage("no process was chosen");
  }

  @Test
  void whereThereIsNoneThatIsSaid() {
    assertThatThrownBy(() -> choice("1\n").choose(List.of()))
        .isInstanceOf(IOException.class)
        .hasMessage("there is no other Java process of this user");
  }

  @Test
  void aPartOfANameIsEnough() {
    assertThat(choice(null).named("Shop", JVMS)).isEqualTo(1507);
    assertThat(err.size()).isZero();
  }

  @Test
  void whereSeveralHaveTheNameTheyAreListed() {
    assertThatThrownBy(() -> choice("22\n").named("com.example", JVMS))
        .isInstanceOf(WrongUsage.class)
        .hasMessage(
            "'com.example' is in several names; choose by number, such as: buftrail dump 1507");
    assertThat(err.toString(StandardCharsets.UTF_8).lines()).hasSize(4);
  }

  @Test
  void whereNoneHasTheNameAllAreListed() {
    assertThatThrownBy(() -> choice("22\n").named("Bank", JVMS))
        .isInstanceOf(WrongUsage.class)
        .hasMessage("no Java process of this user has 'Bank' in its name");
    assertThat(err.toString(StandardCharsets.UTF_8).lines()).hasSize(4);
  }

  @Test
  void aJvmHasTheAgentWhenAThreadIsNamedSo(@TempDir Path task) throws IOException {
    Files.createDirectories(task.resolve("7"));
    Files.writeString(task.resolve("7/comm"), "java\n");
    assertThat(Jvm.hasAgent(task)).isFalse();
    Files.createDirectories(task.resolve("8"));
    Files.writeString(task.resolve("8/comm"), "buftrail-sweepe\n");
    assertThat(Jvm.hasAgent(task)).isTrue();
    assertThat(Jvm.hasAgent(task.resolve("9"))).isFalse();
  }
}
