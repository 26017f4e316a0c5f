package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckCommandTest {
  @TempDir private Path directory;

  @Test
  void namesEachViolationWithItsPlace() throws IOException {
    // ProfilesData{resource_profiles{}}: a resource without scopes, and no dictionary.
    Path file = Files.write(directory.resolve("bad.otlp"), new byte[] {0x0a, 0x00});
    Run run = Run.of("check", file.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out())
        .contains(file + ": scope_profiles: is empty")
        .contains(file + ": dictionary: is missing");
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .startsWith("buftrail: " + file + ": not conformant, ");
  }

  /** The first hundred are named, and all are counted. */
  @Test
  void moreThanAHundredViolationsAreCounted() throws IOException {
    byte[] many = new byte[2 * 200];
    for (int i = 0; i < many.length; i += 2) {
      many[i] = 0x0a;
    }
    Path file = Files.write(directory.resolve("bad.otlp"), many);
    Run run = Run.of("check", file.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out().lines()).hasSize(100).doesNotHaveDuplicates();
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .contains(": not conformant, 201 violations");
  }

  @Test
  void adviceIsNoFailure() throws IOException {
    Path file = Files.writeString(directory.resolve("stacks.collapsed"), "main;work 3\n");
    Run run = Run.of("check", file.toString());
    assertThat(run.exit()).isZero();
    assertThat(run.err()).isEmpty();
    assertThat(run.out().lines())
        .contains(file + ": profiles[0].time_unix_nano: advice: is 0")
        .endsWith(file + ": conformant, 1 profile, 1 sample, 3 pieces of advice");
  }

  @Test
  void adviceIsAFailureIfItIsStrict() throws IOException {
    Path file = Files.writeString(directory.resolve("stacks.collapsed"), "main;work 3\n");
    Run run = Run.of("check", "--strict", file.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out().lines())
        .endsWith(file + ": conformant, 1 profile, 1 sample, 3 pieces of advice");
    assertThat(run.errLines())
        .containsExactly("buftrail: " + file + ": has advice, which --strict does not accept");
  }

  @Test
  void whatNeedsNoAdviceIsGoodEnoughIfItIsStrict() {
    Path recordings = Path.of("../jfr/src/test/resources/recordings");
    Run run = Run.of("check", "--strict", recordings.resolve("async-profiler.jfr.gz").toString());
    assertThat(run.exit()).as(run.out() + run.err()).isZero();
  }

  @Test
  void whatCannotBeReadDoesNotStopTheOthers() throws IOException {
    Path file = Files.writeString(directory.resolve("stacks.collapsed"), "main;work 3\n");
    Run run = Run.of("check", directory.resolve("none").toString(), file.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).contains(file + ": conformant");
  }

  @Test
  void aFileThatIsNoProfileIsNotConformant() throws IOException {
    Path file = Files.writeString(directory.resolve("notes.txt"), "no profile");
    Run run = Run.of("check", file.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).startsWith(file + ": ");
  }

  @Test
  void aMissingFileIsOneLine() {
    Path file = directory.resolve("missing.otlp");
    Run run = Run.of("check", file.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines()).containsExactly("buftrail: " + file + ": no such file");
  }
}
