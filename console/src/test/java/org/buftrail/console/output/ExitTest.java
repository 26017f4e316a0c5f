package org.buftrail.console.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.jfr.RecordingException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of each way to fail, and the code. */
final class ExitTest {
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final Terminal terminal =
      new Terminal(
          new PrintStream(OutputStream.nullOutputStream(), true, UTF_8),
          new PrintStream(said, true, UTF_8));

  private List<String> said() {
    return said.toString(UTF_8).lines().toList();
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        Arguments.of(new NoSuchFileException("a.jfr"), 1, "a.jfr: no such file"),
        Arguments.of(new AccessDeniedException("a.jfr"), 1, "a.jfr: permission denied"),
        Arguments.of(new FileSystemException("a.jfr", null, "is busy"), 1, "a.jfr: is busy"),
        Arguments.of(new FileSystemException("a.jfr", "b.jfr", "is busy"), 1, "a.jfr: is busy"),
        Arguments.of(new FileSystemException("a.jfr"), 1, "a.jfr"),
        Arguments.of(new IOException("it is cut off"), 1, "it is cut off"),
        Arguments.of(new CommandFailure("no leak\nwas found"), 1, "no leak was found"),
        Arguments.of(
            new IllegalStateException("odd"), 1, "unexpected java.lang.IllegalStateException: odd"),
        Arguments.of(new WrongUsage("two of it"), 2, "two of it; see buftrail x --help"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void eachFailureIsOneLineAndACode(Exception e, int exit, String line) {
    assertThat(Exit.failed(e, "buftrail x", terminal)).isEqualTo(exit);
    assertThat(said()).containsExactly("buftrail: " + line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Java heap space",
        "GC overhead limit exceeded",
        "Requested array size exceeds VM limit"
      })
  void aSmallHeapIsSaid(String message) {
    assertThat(Exit.unexpected(new OutOfMemoryError(message)))
        .matches("out of memory with a heap of \\d+ MB; give more with java -Xmx");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Metaspace",
        "unable to create native thread: possibly out of memory or process/resource limits reached",
        "Cannot reserve 16 bytes of direct buffer memory (allocated: 100, limit: 100)"
      })
  void aLargerHeapIsNotAskedForWhereItIsNoHelp(String message) {
    assertThat(Exit.unexpected(new OutOfMemoryError(message)))
        .isEqualTo("out of memory: " + message);
  }

  @Test
  void whoClosesThePipeIsToldNothing() {
    assertThat(Exit.failed(new ClosedPipe(), "buftrail x", terminal)).isEqualTo(141);
    assertThat(said()).isEmpty();
  }

  private static RecordingException missing(String name) {
    return new RecordingException(Path.of(name), "no such file");
  }

  /** It needs no other command, whatever else is wrong with it. */
  @Test
  void nobodyIsSentElsewhereWithARecording() {
    Path recording = Path.of("../jfr/src/test/resources/recordings/jdk25.jfr.gz");
    assertThat(recording).exists();
    assertThat(Exit.failed(new RecordingException(recording, "it is odd"), terminal)).isEqualTo(1);
    assertThat(said()).containsExactly("buftrail: " + recording + ": it is odd");
  }

  @Test
  void otherRecordingsThatFailedAreSaidTooAndNothingElse() {
    RecordingException first = missing("no-such-1.jfr");
    first.addSuppressed(missing("no-such-2.jfr"));
    first.addSuppressed(new IOException("while it was closed"));
    assertThat(Exit.failed(first, terminal)).isEqualTo(1);
    assertThat(said())
        .containsExactly(
            "buftrail: no-such-1.jfr: no such file", "buftrail: no-such-2.jfr: no such file");
  }
}
