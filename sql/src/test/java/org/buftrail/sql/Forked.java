package org.buftrail.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.buftrail.cli.Main;

/** Commands in a JVM of their own, below a shell. */
final class Forked {
  /** What runs the command in a shell's script. */
  static final String COMMAND = "{ \"$@\" 2>said; echo $? >exit; }";

  private Forked() {}

  /**
   * Runs a command in a directory; answers what it said on standard error, and its exit code.
   *
   * @param temporary where its temporary files go
   * @param script what the shell runs, with {@link #COMMAND} in it
   */
  static String run(Path directory, Path temporary, String script, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(
                "sh",
                "-c",
                script,
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                // Newer JVMs warn otherwise.
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName())
            .directory(directory.toFile())
            .inheritIO();
    builder.command().addAll(List.of(arguments));
    // A JVM says on standard error that it has read them.
    builder.environment().keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    int exit = builder.start().waitFor();
    if (exit != 0) {
      throw new IOException("the shell ended with " + exit);
    }
    return Files.readString(directory.resolve("said"), UTF_8)
        + Files.readString(directory.resolve("exit"), UTF_8);
  }
}
