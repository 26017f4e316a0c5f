package org.buftrail.cli.watch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.buftrail.console.engine.Dataset;
import org.buftrail.console.output.Terminal;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Options;
import org.buftrail.jfr.RecordingException;
import org.buftrail.jfr.dataset.Content;
import org.buftrail.profile.push.PushTarget;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A watch in a JVM that has no place for temporary files. */
@Timeout(60)
final class TemporarySpaceTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"push", "dataset"})
  void aRecordingThatCannotBeCopiedIsLeftToTheNextWatch(String taker) throws Exception {
    Path recording = directory.resolve("a.jfr.gz");
    Files.copy(Path.of("../jfr/src/test/resources/recordings/jdk21.jfr.gz"), recording);
    Path none = directory.resolve("none");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + none,
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                directory.toString(),
                taker)
            .redirectErrorStream(true)
            .start();
    String said = new String(child.getInputStream().readAllBytes(), UTF_8);

    assertThat(child.waitFor()).as(said).isZero();
    assertThat(said)
        .contains(
            recording
                + ": left to the next time after 10 tries: cannot be copied to a temporary file in "
                + none);
    assertThat(directory.resolve(".journal")).isEmptyFile();
  }

  /** Watches a directory once. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws Exception {
      Path directory = Path.of(args[0]);
      Taker taker =
          args[1].equals("push")
              ? new PushTaker(PushTarget.of("http://127.0.0.1:1", "--endpoint", Map.of()), 100)
              : new DatasetTaker(new Reading());
      new Watch(directory, List.of(taker), new Terminal(System.out, System.out))
          .pauses(5, 5)
          .run(directory.resolve(".journal"), true);
    }
  }

  /** Reads what it is given. */
  private static final class Reading implements Dataset {
    @Override
    public Added add(Path recording, Content content) throws RecordingException {
      new Converter(Options.DEFAULT).convert(List.of(recording));
      return new Added(true, List.of());
    }

    @Override
    public void close() {
      // Holds nothing.
    }
  }
}
