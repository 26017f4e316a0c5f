package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How commands end: 0 done, 1 failed, 2 wrong usage. In the tables, {@code good} and {@code bad}
 * stand for a recording and for what is none, {@code fine} and {@code wrong} for OTLP profiles.
 */
final class ExitCodesTest {
  private static final Path RECORDINGS = Path.of("../jfr/src/test/resources/recordings");

  @TempDir private Path directory;

  @BeforeEach
  void write() throws IOException {
    try (InputStream in = Files.newInputStream(RECORDINGS.resolve("jdk-50-10-100.jfr.gz"));
        InputStream unpacked = new GZIPInputStream(in)) {
      Files.copy(unpacked, directory.resolve("good.jfr"));
    }
    Path good = directory.resolve("good.jfr");
    byte[] bytes = Files.readAllBytes(good);
    Files.write(directory.resolve("damaged.jfr"), Arrays.copyOf(bytes, bytes.length + 100));
    Files.createFile(directory.resolve("empty.jfr"));
    Files.writeString(directory.resolve("advised.collapsed"), "main;work 3\n");
    Files.writeString(directory.resolve("bad.jfr"), "no recording");
    Files.write(directory.resolve("wrong.otlp"), new byte[] {0x0a, 0x00});
    assertThat(run(System.out, "convert good.jfr -o fine.otlp").exit).isZero();
  }

  /** How a command ended, and the lines that it said. */
  private record End(int exit, List<String> said) {}

  /** Runs a command line; names of files are in the test's directory. */
  private End run(PrintStream out, String line) {
    String[] args = line.split(" ", -1);
    for (int i = 1; i < args.length; i++) {
      if (args[i].matches("[a-z]+\\.[a-z.]+|out/")) {
        args[i] = directory.resolve(args[i]) + (args[i].endsWith("/") ? "/" : "");
      }
    }
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit = Main.run(args, out, new PrintStream(err, true, StandardCharsets.UTF_8));
    return new End(exit, err.toString(StandardCharsets.UTF_8).lines().toList());
  }

  private static PrintStream full() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    return new PrintStream(full, true, StandardCharsets.UTF_8);
  }

  private static PrintStream nowhere() {
    return new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
  }

  /** A bad input fails the whole wherever it stands, whatever comes after it. */
  @ParameterizedTest
  @CsvSource({
    "check fine.otlp fine.otlp, 0",
    "check wrong.otlp fine.otlp, 1",
    "check fine.otlp wrong.otlp, 1",
    "check fine.otlp wrong.otlp fine.otlp, 1",
    "check wrong.otlp wrong.otlp, 1",
    "check bad.jfr fine.otlp, 1",
    "check missing.otlp fine.otlp, 1",
    "check fine.otlp missing.otlp, 1",
    "check damaged.jfr fine.otlp, 1",
    "check fine.otlp --strict, 0",
    "check advised.collapsed, 0",
    "check advised.collapsed --strict, 1",
    "check fine.otlp advised.collapsed fine.otlp --strict, 1",
    "info good.jfr good.jfr, 0",
    "info bad.jfr good.jfr, 1",
    "info good.jfr bad.jfr, 1",
    "info bad.jfr bad.jfr, 1",
    "info missing.jfr good.jfr, 1",
    "convert good.jfr good.jfr -o all.otlp, 0",
    "convert bad.jfr good.jfr -o all.otlp, 1",
    "convert good.jfr bad.jfr -o all.otlp, 1",
    "convert bad.jfr good.jfr -o all.otlp --lenient, 0",
    "convert bad.jfr bad.jfr -o all.otlp, 1",
    "convert bad.jfr bad.jfr -o all.otlp --lenient, 1",
    "convert good.jfr damaged.jfr good.jfr -o all.otlp, 1",
    "convert good.jfr damaged.jfr good.jfr -o all.otlp --lenient, 0",
    "convert damaged.jfr good.jfr -o out/, 1",
    "convert good.jfr damaged.jfr -o out/ --lenient, 0",
    "convert empty.jfr -o all.otlp, 1",
    "convert good.jfr --latency 900s -o all.otlp, 1",
    "convert good.jfr --from 3600000 -o all.otlp, 1",
    "convert good.jfr -o out/, 0",
    "convert bad.jfr good.jfr -o out/, 1",
    "convert good.jfr bad.jfr -o out/, 1",
    "convert good.jfr bad.jfr -o out/ --lenient, 1",
    "convert good.jfr -o cpu.pb.gz --alloc, 1",
    "convert good.jfr -o cpu.otlp --profile wall, 1",
    "convert good.jfr -o out.tiff, 2",
    "convert good.jfr good.jfr, 2",
    "convert good.jfr --nonsense, 2",
    "convert, 2",
    "info, 2",
    "check, 2",
    "diff, 2",
    "diff good.jfr, 2",
    "diff damaged.jfr good.jfr, 1",
    "diff good.jfr damaged.jfr, 1",
    "diff good.jfr damaged.jfr --lenient, 0",
    "diff good.jfr good.jfr --type nonsense, 1",
    "diff good.jfr missing.jfr, 1",
    "diff good.jfr good.jfr, 0",
    "diff bad.jfr good.jfr, 1",
    "diff good.jfr bad.jfr, 1",
    "diff good.jfr good.jfr -o out.tiff, 2",
    "report good.jfr, 0",
    "report fine.otlp, 0",
    "report bad.jfr, 1",
    "report empty.jfr, 1",
    "report damaged.jfr, 1",
    "report damaged.jfr --lenient, 0",
    "info damaged.jfr good.jfr, 1",
    "info empty.jfr, 1",
    "report good.jfr --format dot, 2",
    "check good.jfr, 0",
    "convert fine.otlp -o page.html, 0",
    "convert fine.otlp -o graph.dot, 2",
    "convert fine.otlp good.jfr -o all.otlp, 2",
    "convert fine.otlp good.jfr -o out/, 0",
    "convert fine.otlp -o page.html --cpu, 2",
    "convert fine.otlp -o page.html --stats, 2",
    "convert fine.otlp -o page.html --profile nonsense, 1",
    "convert fine.otlp -o fine.otlp, 2",
    "push fine.otlp --endpoint nowhere, 2",
    "report missing.json, 1",
    "report, 2",
    "push good.jfr --endpoint nowhere, 2",
    "push, 2",
    "push bad.jfr, 1",
    "push missing.jfr bad.jfr, 1",
    "top none, 2",
    "dump none, 2",
    "demo --nonsense, 2",
    "bench, 2",
    "bench --help, 0",
    "completion, 0",
    "completion csh, 2",
    "man, 0",
    "help, 0",
    "help convert, 0",
    "help nonsense, 2",
    "version, 0",
    "--nonsense, 2",
    "sql good.jfr, 1",
    "sql --out x.csv, 2",
    "convert good.jfr --format parquet -o new/, 1",
    "convert good.jfr --format parquet, 2",
    "watch, 2",
    "watch missing, 2",
    "watch missing --endpoint http://localhost:1 --dataset x, 2",
    "watch - --endpoint http://localhost:1, 2",
    "watch missing --endpoint http://localhost:1, 1",
    "reset none, 2",
    "on none, 2",
    "off none, 2",
    "detach none, 2",
    "attach none, 2",
    "nonsense, 2",
  })
  void exitCode(String line, int exit) {
    End end = run(nowhere(), line);
    assertThat(end.exit).as(String.join("\n", end.said)).isEqualTo(exit);
    if (exit != 0) {
      assertThat(end.said).anyMatch(said -> said.startsWith("buftrail: "));
    }
  }

  /** A directory is read in the order of names, so the copies of recordings are numbered. */
  @ParameterizedTest
  @CsvSource({
    "good, 200, 0, 1",
    "good good, 200, 0, 1",
    "'', 200, 0, 0",
    "bad good, 200, 1, 1",
    "good bad, 200, 1, 1",
    "good bad good, 200, 1, 1",
    "bad bad, 200, 1, 0",
    "empty good, 200, 1, 1",
    "damaged good, 200, 0, 2",
    "good, 400, 1, 1",
    "bad, 400, 1, 0",
  })
  void aWatchEndsWithWhatItTook(String names, int status, int exit, int requests) throws Exception {
    Path in = Files.createDirectory(directory.resolve("in"));
    int number = 0;
    for (String name : names.split(" ", -1)) {
      if (!name.isEmpty()) {
        Files.copy(directory.resolve(name + ".jfr"), in.resolve(number++ + name + ".jfr"));
      }
    }
    AtomicInteger sent = new AtomicInteger();
    HttpServer receiver = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
    receiver.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          sent.incrementAndGet();
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    receiver.start();
    try {
      String url = "http://localhost:" + receiver.getAddress().getPort();
      String line = "watch " + in + " --once --endpoint " + url;
      End end = run(nowhere(), line);
      assertThat(end.exit).as(String.join("\n", end.said)).isEqualTo(exit);
      assertThat(sent).hasValue(requests);
      // What was taken, and what is no recording, is not looked at again.
      assertThat(run(nowhere(), line).exit).isZero();
      assertThat(sent).hasValue(requests);
    } finally {
      receiver.stop(0);
    }
  }

  /** A result that did not arrive is a failure, for every command that prints one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "convert good.jfr -o -",
        "convert good.jfr -o - --format json",
        "convert good.jfr -o - --format html",
        "convert good.jfr -o - --format collapsed",
        "convert good.jfr -o - --format pprof",
        "info good.jfr",
        "check fine.otlp",
        "report good.jfr",
        "report good.jfr -o - --format json",
        "completion",
        "man",
        "help",
        "diff good.jfr good.jfr",
        "diff good.jfr good.jfr -o -",
        "--help",
        "--version",
        "convert --help",
      })
  void aClosedPipeOrAFullDeviceFails(String line) {
    End end = run(full(), line);
    assertThat(end.exit).isEqualTo(1);
    assertThat(end.said)
        .containsOnlyOnce(
            "buftrail: cannot write -: standard output was closed, or its device is full")
        .noneMatch(said -> said.contains("Exception"))
        // A conversion says what it wrote only if it is there.
        .noneMatch(said -> said.startsWith("standard output: "));
  }

  /** What has its results elsewhere, as a watch has, does not fail for a device it does not use. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "watch out/ --once --endpoint http://localhost:1",
        "convert good.jfr -o all.otlp",
        "convert good.jfr -o out/",
        "diff good.jfr good.jfr -o page.html",
        "report good.jfr -o page.html",
      })
  void whatPrintsNoResultNeedsNoRoomForIt(String line) throws IOException {
    Files.createDirectory(directory.resolve("out"));
    End end = run(full(), line);
    assertThat(end.exit).as(String.join("\n", end.said)).isZero();
  }

  /** Some systems write names in capitals. */
  @Test
  void recordingsInADirectoryMayBeNamedInCapitals() throws IOException {
    Path in = Files.createDirectory(directory.resolve("in"));
    Files.copy(directory.resolve("good.jfr"), in.resolve("ONE.JFR"));
    Files.copy(RECORDINGS.resolve("jdk25.jfr.gz"), in.resolve("Two.Jfr.GZ"));
    assertThat(run(nowhere(), "convert " + in + " -o out/").exit).isZero();
    assertThat(directory.resolve("out/ONE.otlp")).isNotEmptyFile();
    assertThat(directory.resolve("out/Two.otlp")).isNotEmptyFile();
  }

  /** Each input that fails is named with its reason, not the first alone. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "convert bad.jfr missing.jfr empty.jfr -o all.otlp",
        "convert bad.jfr missing.jfr empty.jfr -o all.otlp --lenient",
        "convert bad.jfr missing.jfr empty.jfr -o out/",
        "info bad.jfr missing.jfr empty.jfr",
        "check bad.jfr missing.jfr empty.jfr",
      })
  void eachInputThatFailsIsNamed(String line) {
    End end = run(nowhere(), line);
    assertThat(end.exit).isEqualTo(1);
    for (String name : List.of("bad.jfr", "missing.jfr", "empty.jfr")) {
      assertThat(end.said)
          .filteredOn(said -> said.startsWith("buftrail: ") && said.contains(name + ": "))
          .as("%s in %s", name, end.said)
          .hasSize(1);
    }
  }

  /** The first ten damages are named, and all are counted. */
  @Test
  void moreThanTenDamagesAreCounted() throws IOException {
    byte[] good = Files.readAllBytes(directory.resolve("good.jfr"));
    ByteArrayOutputStream many = new ByteArrayOutputStream();
    for (int i = 0; i < 12; i++) {
      many.writeBytes(good);
      many.writeBytes(new byte[100]);
    }
    Files.write(directory.resolve("many.jfr"), many.toByteArray());
    End end = run(nowhere(), "convert many.jfr -o all.otlp");
    assertThat(end.exit).isEqualTo(1);
    assertThat(end.said).filteredOn(said -> said.contains(": chunk ")).hasSize(10);
    assertThat(end.said)
        .contains(
            "buftrail: 12 damaged parts left out; the output is marked partial (--lenient accepts"
                + " that)");
    assertThat(run(nowhere(), "convert many.jfr -o all.otlp --lenient").exit).isZero();
  }

  /** A failure of the input is told, not only that nobody reads the result. */
  @Test
  void aFailureKeepsItsExitCodeOnAClosedPipe() {
    PrintStream closed = nowhere();
    closed.close();
    End end = run(closed, "check missing.otlp");
    assertThat(end.exit).isEqualTo(1);
    assertThat(end.said).anyMatch(said -> said.endsWith("missing.otlp: no such file"));
    assertThat(run(closed, "convert --nonsense").exit).isEqualTo(2);
  }

  /** A command that writes several files writes none of them if one cannot be written. */
  @Test
  void ofSeveralKindsAllAreWrittenOrNone() throws Exception {
    Recordings.make(directory);
    assertThat(run(nowhere(), "convert recording.jfr -o out.pb.gz").exit).isZero();
    List<Path> written = outputs();
    assertThat(written).hasSizeGreaterThan(1);
    for (Path file : written) {
      Files.delete(file);
    }
    for (Path file : written) {
      Files.createDirectory(file);
      End end = run(nowhere(), "convert recording.jfr -o out.pb.gz");
      assertThat(end.exit).isEqualTo(1);
      assertThat(end.said)
          .containsExactly(
              "buftrail: cannot write " + file + ": it is a directory; name a file in it");
      assertThat(outputs()).containsExactly(file);
      Files.delete(file);
    }
  }

  /** Finished or not: those that are not begin with a dot. */
  private List<Path> outputs() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().matches("[.]?out[.].*"))
          .sorted()
          .toList();
    }
  }

  @Test
  void aFullHeapIsOneLineThatSaysItsSize() {
    OutputStream heap =
        new OutputStream() {
          @Override
          public void write(int b) {
            throw new OutOfMemoryError("Java heap space");
          }
        };
    End end = run(new PrintStream(heap, true, StandardCharsets.UTF_8), "info good.jfr");
    assertThat(end.exit).isEqualTo(1);
    assertThat(end.said).hasSize(1);
    String[] words = end.said.get(0).split("(?<=heap of )| (?=MB)", -1);
    assertThat(words[0]).isEqualTo("buftrail: out of memory with a heap of ");
    assertThat(words[2]).isEqualTo("MB; give more with java -Xmx");
    assertThat(Long.parseLong(words[1]) << 20)
        .isCloseTo(Runtime.getRuntime().maxMemory(), within(1L << 20));
  }
}
