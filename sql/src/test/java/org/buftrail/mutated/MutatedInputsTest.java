package org.buftrail.mutated;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Inputs that are changed, by every reader and writer, in a JVM with 256 MB: each ends with 0, 1 or
 * 2 and one line, and what is written is what our own check takes. {@code -Dmutations=28000} for
 * more of them by the commands ({@code -Dmutations.sql}, {@code .parquet}, {@code .dataset}, {@code
 * .journal} for the others), {@code -Dmutations.first} for others.
 */
@Tag("slow")
final class MutatedInputsTest {
  private static final int FEW = 25;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(MutatedInputs.Way.class)
  void nothingIsUnexpected(MutatedInputs.Way way) throws IOException, InterruptedException {
    String property = "mutations." + way.name().toLowerCase(Locale.ROOT);
    int count =
        way == MutatedInputs.Way.COMMANDS
            ? Integer.getInteger("mutations", 4 * FEW)
            : Integer.getInteger(property, FEW);
    Path said = directory.resolve("said");
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + directory,
            "-cp",
            System.getProperty("java.class.path"),
            MutatedInputs.class.getName(),
            Files.createDirectory(directory.resolve("work")).toString(),
            way.name(),
            System.getProperty("mutations.first", "0"),
            String.valueOf(count));
    // A JVM says on standard error that it has read them.
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.redirectErrorStream(true).redirectOutput(said.toFile()).start();
    int exit = process.waitFor();
    String text = Files.readString(said);
    System.out.print(text);
    assertThat(exit).as(() -> text + " at " + at()).isZero();
  }

  private String at() {
    try {
      return Files.readString(directory.resolve("work/at"));
    } catch (IOException e) {
      return "the start";
    }
  }
}
