package org.buftrail.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.Recording;
import org.buftrail.console.output.Terminal;
import org.buftrail.jfr.dataset.Content;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The repository of JVMs that record: files that grow, are reserved, and of which the last is never
 * finished where its JVM is killed.
 */
@Timeout(120)
@Tag("slow")
final class LiveRepositoryTest {
  private final List<RecordingJvm> started = new ArrayList<>();

  /** What was taken: the file, and its bytes at that moment. */
  private final ConcurrentLinkedQueue<Map.Entry<Path, byte[]>> taken =
      new ConcurrentLinkedQueue<>();

  /** Stands still, however slow the machine is. */
  private final AtomicLong nanos = new AtomicLong();

  private final ByteArrayOutputStream said = new ByteArrayOutputStream();

  @TempDir private Path directory;

  /** Records, and begins a chunk when it is told to. */
  static final class Program {
    private Program() {}

    static final class Filling extends Event {
      String text = "some text that makes a chunk larger";
    }

    public static void main(String[] args) throws IOException {
      try (Recording recording = new Recording();
          BufferedReader orders =
              new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
        recording.enable(Filling.class);
        recording.setToDisk(true);
        recording.start();
        String order = "begin";
        while (order != null) {
          for (int i = 0; i < 20_000; i++) {
            new Filling().commit();
          }
          if (order.equals("rotate")) {
            // A copy of what there is so far ends the chunk.
            recording.copy(true).close();
          }
          System.out.println("done");
          order = orders.readLine();
        }
      }
    }
  }

  private final class RecordingJvm {
    private final Process process;
    private final BufferedReader answers;

    RecordingJvm() throws IOException {
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:FlightRecorderOptions:repository=" + directory.resolve("repository"),
                  "-cp",
                  System.getProperty("java.class.path"),
                  Program.class.getName())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      started.add(this);
      answers =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
      awaitDone();
    }

    void rotate() throws IOException {
      process.getOutputStream().write("rotate\n".getBytes(StandardCharsets.UTF_8));
      process.getOutputStream().flush();
      awaitDone();
    }

    private void awaitDone() throws IOException {
      String line = answers.readLine();
      while (line != null && !line.equals("done")) {
        line = answers.readLine();
      }
      assertThat(line).isEqualTo("done");
    }

    void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
    }
  }

  @AfterEach
  void end() throws InterruptedException {
    for (RecordingJvm jvm : started) {
      jvm.kill();
    }
  }

  private final class Noting implements Taker {
    @Override
    public List<String> take(Path recording, @Nullable Content content) throws IOException {
      taken.add(Map.entry(recording, Files.readAllBytes(recording)));
      return List.of();
    }

    @Override
    public void close() {
      // Holds nothing.
    }
  }

  /** A watch on a thread of its own. */
  private final class Running {
    private final Watch watch;
    private final Thread thread;

    Running() {
      PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
      watch =
          new Watch(directory, List.of(new Noting(), new Noting()), new Terminal(out, out))
              .pauses(20, 20)
              .clock(nanos::get);
      thread = new Thread(this::run);
      thread.start();
    }

    private void run() {
      try {
        watch.run(directory.resolve("journal"), false);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    void stop() throws InterruptedException {
      watch.stop();
      thread.join();
    }
  }

  /** Files of the repository that are no places for what will come. */
  private Map<Path, byte[]> chunks() throws IOException {
    Map<Path, byte[]> chunks = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory.resolve("repository"))) {
      for (Path file : files.filter(file -> file.toString().endsWith(".jfr")).toList()) {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length > 0) {
          chunks.put(file, bytes);
        }
      }
    }
    return chunks;
  }

  private void awaitTaken(int count) throws InterruptedException {
    while (taken.size() < count) {
      Thread.sleep(10);
    }
  }

  @Test
  void eachChunkIsTakenOnceWhenItIsFinished() throws Exception {
    Files.createDirectories(directory.resolve("repository"));
    RecordingJvm first = new RecordingJvm();
    RecordingJvm beside = new RecordingJvm();
    Running watch = new Running();
    first.rotate();
    beside.rotate();
    awaitTaken(2);
    first.rotate();
    awaitTaken(3);
    watch.stop();
    first.rotate();
    first.kill();
    RecordingJvm again = new RecordingJvm();
    watch = new Running();
    again.rotate();
    awaitTaken(5);
    assertThat(taken).as("none that is written still").hasSize(5);
    beside.kill();
    again.kill();
    // More than a minute later what the killed ones left is not waited for any more.
    nanos.set(TimeUnit.MINUTES.toNanos(2));
    Map<Path, byte[]> all = chunks();
    awaitTaken(all.size());
    watch.stop();
    Map<Path, String> last = new TreeMap<>();
    all.forEach((file, bytes) -> last.put(file, text(bytes)));
    Map<Path, String> found = new TreeMap<>();
    for (Map.Entry<Path, byte[]> each : taken) {
      assertThat(found.put(each.getKey(), text(each.getValue()))).as("once").isNull();
    }
    assertThat(found).hasSizeGreaterThan(7).isEqualTo(last);
    assertThat(said.toString(StandardCharsets.UTF_8)).isEmpty();
  }

  private static String text(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
