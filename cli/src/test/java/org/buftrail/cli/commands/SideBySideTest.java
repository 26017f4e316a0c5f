package org.buftrail.cli.commands;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.buftrail.cli.Recordings;
import org.buftrail.cli.Run;
import org.buftrail.console.output.Terminal;
import org.buftrail.console.output.WrongUsage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SideBySideTest {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Terminal terminal =
      new Terminal(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void whatIsSaidComesInTheOrderOfTheInputs(int workers) throws IOException {
    List<SideBySide.Work> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      int number = i;
      all.add(
          apart -> {
            apart.line("out " + number);
            apart.note("err " + number);
            return number == 7 ? 1 : 0;
          });
    }
    assertThat(SideBySide.run(all, workers, terminal)).isEqualTo(1);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      expected.add("out " + i);
    }
    assertThat(out.toString(UTF_8).lines()).containsExactlyElementsOf(expected);
    expected.replaceAll(line -> line.replace("out", "err"));
    assertThat(err.toString(UTF_8).lines()).containsExactlyElementsOf(expected);
  }

  /** Each waits for the other. */
  @Test
  void severalAreWorkedOnAtATime() throws IOException {
    CyclicBarrier both = new CyclicBarrier(2);
    SideBySide.Work work =
        apart -> {
          try {
            both.await(60, TimeUnit.SECONDS);
            return 0;
          } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IOException(e);
          }
        };
    assertThat(SideBySide.run(List.of(work, work), 2, terminal)).isZero();
  }

  @Test
  void aFailureOfOneIsThatOfAll() {
    SideBySide.Work fine = apart -> 0;
    SideBySide.Work failing =
        apart -> {
          throw new IOException("disk full");
        };
    SideBySide.Work wrong =
        apart -> {
          throw new WrongUsage("no");
        };
    assertThatThrownBy(() -> SideBySide.run(List.of(fine, failing, fine), 2, terminal))
        .isInstanceOf(IOException.class)
        .hasMessage("disk full");
    assertThatThrownBy(() -> SideBySide.run(List.of(fine, wrong), 2, terminal))
        .isInstanceOf(WrongUsage.class);
  }

  @Test
  void workersAreBoundedByInputsAndMachine() {
    assertThat(SideBySide.workers(1)).isEqualTo(1);
    assertThat(SideBySide.workers(0)).isEqualTo(1);
    assertThat(SideBySide.workers(1_000)).isBetween(1, Runtime.getRuntime().availableProcessors());
  }

  /** Nothing is kept of one conversion that another could see. */
  @Test
  void outputsAreThoseOfOneConversionEach(@TempDir Path directory) throws Exception {
    Path in = Files.createDirectory(directory.resolve("in"));
    Path recording = Recordings.make(directory);
    Path packed = Path.of("../jfr/src/test/resources/recordings/async-profiler.jfr.gz");
    for (int i = 0; i < 6; i++) {
      Files.copy(
          i % 2 == 0 ? recording : packed, in.resolve(i + ".jfr" + (i % 2 == 0 ? "" : ".gz")));
    }
    String each = directory.resolve("each") + "/";
    Run all = Run.of("convert", in.toString(), "-o", each);
    assertThat(all.exit()).as(all.err()).isZero();
    for (int i = 0; i < 6; i++) {
      Path one = directory.resolve(i + ".otlp");
      Path input = in.resolve(i + ".jfr" + (i % 2 == 0 ? "" : ".gz"));
      assertThat(Run.of("convert", input.toString(), "-o", one.toString()).exit()).isZero();
      assertThat(Path.of(each + i + ".otlp")).hasSameBinaryContentAs(one);
    }
    assertThat(all.errLines()).hasSize(6);
    for (int i = 0; i < 6; i++) {
      assertThat(all.errLines().get(i)).startsWith(each + i + ".otlp: ");
    }
  }
}
