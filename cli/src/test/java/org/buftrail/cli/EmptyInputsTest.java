package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import org.buftrail.profile.output.ProfileFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Inputs that hold nothing, by every command and form: one answer for each input, in one line, with
 * exit code 1, and no file is written. {@code sql} has a test of its own, in its module.
 */
final class EmptyInputsTest {
  private static final String NO_SAMPLES = "holds no samples: each value is 0, or there is none";
  private static final String NO_EVENT =
      "nothing to convert: none of its events becomes a profile by itself; there are 1"
          + " jdk.OSInformation (buftrail info lists them; --event converts one)";

  /** What each input is answered with. */
  private static final Map<String, String> ANSWERS =
      new TreeMap<>(
          Map.of(
              "nothing.jfr", "is empty",
              "nothing.otlp", "is empty",
              "nothing.collapsed", "is empty",
              "no-samples.jfr", NO_EVENT,
              "no-profiles.otlp", "holds no profiles",
              "no-resources.json", "holds no profiles",
              "no-profiles.json", "holds no profiles",
              "zeros.collapsed", NO_SAMPLES,
              "no-samples.pb", NO_SAMPLES));

  /** Types of samples, and no sample: {@code samples} in {@code count}. */
  private static final byte[] PPROF = {
    0x0A, 4, 8, 1, 16, 2, 0x32, 0, 0x32, 7, 's', 'a', 'm', 'p', 'l', 'e', 's', 0x32, 5, 'c', 'o',
    'u', 'n', 't'
  };

  @TempDir private Path directory;

  private final AtomicInteger requests = new AtomicInteger();
  private HttpServer receiver;

  @BeforeEach
  void listen() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    receiver.start();
  }

  @AfterEach
  void end() {
    receiver.stop(0);
  }

  static Stream<String> inputs() {
    return ANSWERS.keySet().stream();
  }

  private Path write(String name) throws IOException {
    Path file = directory.resolve(name);
    return switch (name) {
      case "no-samples.jfr" -> {
        try (Recording recording = new Recording()) {
          recording.enable("jdk.OSInformation");
          recording.start();
          recording.stop();
          recording.dump(file);
        }
        yield file;
      }
      case "no-profiles.otlp" -> Files.write(file, new byte[] {0x0A, 0x00});
      case "no-resources.json" -> Files.writeString(file, "{\"resourceProfiles\":[]}");
      case "no-profiles.json" -> Files.writeString(file, "{\"resourceProfiles\":[{}]}");
      case "zeros.collapsed" -> Files.writeString(file, "a;b 0\n");
      case "no-samples.pb" -> Files.write(file, PPROF);
      default -> Files.createFile(file);
    };
  }

  private List<String> commands() {
    List<String> lines = new ArrayList<>();
    for (ProfileFormat format : ProfileFormat.values()) {
      lines.add("report IN --format=" + format);
      lines.add("report IN -o OUT/x --format=" + format);
      lines.add("convert IN -o OUT/x --format=" + format);
    }
    lines.add("convert IN -o OUT/x.otlp --lenient");
    lines.add("convert IN -o OUT/out/");
    lines.add("diff IN IN");
    lines.add("diff IN IN -o OUT/x.html");
    lines.add("diff IN IN -o OUT/x.json");
    lines.add("push IN --endpoint ENDPOINT");
    return lines;
  }

  private Run run(String line, Path in) {
    String endpoint = "http://127.0.0.1:" + receiver.getAddress().getPort();
    return Run.of(
        line.replace("ENDPOINT", endpoint)
            .replace("IN", in.toString())
            .replace("OUT", directory.toString())
            .split(" "));
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).map(f -> f.getFileName().toString()).toList();
    }
  }

  @ParameterizedTest
  @MethodSource("inputs")
  void everyCommandAndFormAnswersAlike(String name) throws IOException {
    Path in = write(name);
    for (String line : commands()) {
      Run run = run(line, in);
      assertThat(run.err()).as(line).isEqualTo("buftrail: " + in + ": " + ANSWERS.get(name) + "\n");
      assertThat(run.out()).as(line).isEmpty();
      assertThat(run.exit()).as(line).isEqualTo(1);
      assertThat(files()).as(line).containsExactly(name);
    }
    assertThat(requests).hasValue(0);
  }

  /** {@code check} lists what is wrong with a message; {@code info} lists events alone. */
  @ParameterizedTest
  @MethodSource("inputs")
  void checkAndInfoRefuseThemToo(String name) throws IOException {
    Path in = write(name);
    assertThat(run("check IN", in).exit()).isEqualTo(1);
    Run info = run("info IN", in);
    if (name.equals("no-samples.jfr")) {
      assertThat(info.exit()).as("it holds an event").isZero();
    } else {
      assertThat(info.exit()).isEqualTo(1);
      assertThat(info.err())
          .matches(
              Pattern.compile(
                  "buftrail: " + Pattern.quote(in.toString()) + ": (is empty|not a .*)\n"));
    }
  }

  @Test
  void watchListsTheRecordingsOnce() throws IOException {
    for (String name : List.of("nothing.jfr", "no-samples.jfr")) {
      Path in = write(name);
      String line = "watch OUT --once --age 0 --endpoint ENDPOINT";
      Run run = run(line, in);
      assertThat(run.err()).isEqualTo("buftrail: " + in + ": " + ANSWERS.get(name) + "\n");
      assertThat(run.exit()).isEqualTo(1);
      assertThat(run(line, in).err()).as("it is in the journal").isEmpty();
      Files.delete(in);
    }
    assertThat(requests).hasValue(0);
  }
}
