package org.buftrail.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.buftrail.console.engine.Dataset;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.jfr.RecordingException;
import org.buftrail.jfr.dataset.Content;
import org.buftrail.profile.push.PushTarget;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class WatchTest extends Watching {
  @Test
  void takesEachOnceAlsoOverARestart() throws Exception {
    for (int i = 0; i < 40; i++) {
      file("a" + i);
    }
    file("bad");
    file("damaged");
    file("down");

    assertThat(watch().run(journal(), true)).isEqualTo(1);

    // One was tried three times.
    assertThat(taken).hasSize(45);
    assertThat(new HashSet<>(taken)).hasSize(43);
    assertThat(said.toString(StandardCharsets.UTF_8))
        .contains("bad.jfr: is bad")
        .contains("damaged.jfr: a part is missing")
        .contains("the receiver is down; tried again later");

    file("new");
    assertThat(watch().run(journal(), true)).isZero();
    assertThat(taken).hasSize(46).endsWith("new");
  }

  /** It must be found as it was at the look before. */
  @Test
  void whatStillGrowsIsNotTaken() throws Exception {
    Watch watch = watch();
    Path file = directory.resolve("growing.jfr");
    try (Journal done = new Journal(journal())) {
      for (int i = 0; i < 3; i++) {
        Files.writeString(file, "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        watch.look(directory, done, false);
        assertThat(watch.metrics()).contains("_queue 0\n");
      }
      watch.look(directory, done, false);
      assertThat(watch.metrics()).contains("_queue 1\n");
      watch.look(directory, done, false);
      assertThat(watch.metrics()).as("once").contains("_queue 1\n");
    }
  }

  @Test
  void whatComesLaterIsTaken() throws Exception {
    Slow taker = new Slow();
    taker.end.countDown();
    Watch watch = new Watch(directory, List.of(taker), terminal).pauses(10, 10);
    Thread thread = new Thread(() -> run(watch));
    thread.start();
    Path part = Files.writeString(directory.resolve("later.part"), "later");
    Files.move(part, directory.resolve("later.jfr"));
    taker.begun.await();
    watch.stop();
    thread.join();
    assertThat(taken).containsExactly("later");
    assertThat(Files.readString(journal())).contains("later.jfr");
  }

  @Test
  void aFileThatGrowsSlowlyIsTakenWhenItIsUnchangedForLongEnough() throws Exception {
    AtomicLong nanos = new AtomicLong(Long.MAX_VALUE);
    Watch watch = watch().age(1_500).clock(nanos::get);
    Path file = directory.resolve("slow.jfr");
    try (Journal done = new Journal(journal())) {
      for (int i = 0; i < 5; i++) {
        Files.writeString(file, "x", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        // By the clock of a file server.
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(i * 1000L - 2000)));
        for (int millis : new int[] {0, 700, 799}) {
          nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
          watch.look(directory, done, false);
          assertThat(watch.metrics()).contains("_queue 0\n");
        }
      }
      nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
      watch.look(directory, done, false);
      assertThat(watch.metrics()).contains("_queue 1\n");
    }
  }

  @Test
  void stopWaitsForWhatIsUnderWay() throws Exception {
    Slow slow = new Slow();
    file("one");
    file("two");
    Watch watch = new Watch(directory, List.of(slow), terminal).pauses(10, 10);
    Thread thread = new Thread(() -> run(watch));
    thread.start();
    slow.begun.await();
    stop(watch, slow);
    assertThat(taken).hasSize(1);
    assertThat(Files.readAllLines(journal())).hasSize(1);
    thread.join();

    assertThat(watch().run(journal(), true)).isZero();
    assertThat(taken).containsExactlyInAnyOrder("one", "two");
  }

  /** The clock is asked once for each file that is not taken yet. */
  @Test
  void aWatchThatEndsDoesNotLookAllTheTimeBesideItsWork() throws Exception {
    for (int i = 0; i < 20; i++) {
      file("a" + i);
    }
    AtomicLong asked = new AtomicLong();
    Taker slow =
        new Taker() {
          @Override
          public List<String> take(Path recording, @Nullable Content content)
              throws IOException, InterruptedException {
            taken.add(Files.readString(recording));
            Thread.sleep(50);
            return List.of();
          }

          @Override
          public void close() {
            // Holds nothing.
          }
        };
    Watch watch = new Watch(directory, List.of(slow), terminal).clock(asked::incrementAndGet);
    assertThat(watch.run(journal(), true)).isZero();
    assertThat(taken).hasSize(20);
    assertThat(asked.get()).isEqualTo(20);
  }

  /** The clock is asked once at each look. */
  @Test
  void aWatchThatEndsDoesNotLookWhileAllThatIsLeftWaits() throws Exception {
    file("down");
    AtomicLong asked = new AtomicLong();
    Watch watch = watch().pauses(5, 300).clock(asked::incrementAndGet);
    assertThat(watch.run(journal(), true)).isZero();
    assertThat(taken).hasSize(3);
    assertThat(asked.get()).isEqualTo(3);
  }

  /** There is work for the time that a look takes, and no pause before it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofMoreFilesThanCanWaitTheNextAreFoundWhileTheFirstAreTaken(boolean once) throws Exception {
    int files = 1_600;
    for (int i = 0; i < files; i++) {
      file("a" + i);
    }
    AtomicLong asked = new AtomicLong();
    Rationed taker = new Rationed();
    Watch watch =
        new Watch(directory, List.of(taker), terminal)
            .pauses(TimeUnit.HOURS.toMillis(1), 10)
            .clock(asked::incrementAndGet);
    try (Journal journal = new Journal(journal())) {
      watch.look(directory, journal, false);
    }
    Thread thread = new Thread(() -> run(watch, once));
    thread.start();
    try {
      await(() -> asked.get() - files == files && watch.metrics().contains("_queue 1000\n"));
      taker.rations.release(510);
      await(() -> asked.get() - files > files && watch.metrics().contains("_queue 1000\n"));
      assertThat(taken).hasSizeBetween(510, 511);
    } finally {
      taker.rations.release(files);
      watch.stop();
      thread.join();
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      Thread.sleep(5);
    }
  }

  @Test
  void ofManyFilesLooksAreRarerSinceTheyTakeLonger() {
    Watch watch = watch().pauses(1_000, 1_000);
    assertThat(watch.pauseAfter(0)).isEqualTo(1_000);
    assertThat(watch.pauseAfter(1_000)).isEqualTo(1_000);
    assertThat(watch.pauseAfter(10_000)).isEqualTo(10_000);
    assertThat(watch.pauseAfter(1_000_000)).as("but each minute").isEqualTo(60_000);
  }

  @Test
  void whatFailsForOtherReasonsIsLeftToTheNextWatch() throws Exception {
    file("dead");
    assertThat(watch().pauses(5, 5).run(journal(), true)).isEqualTo(1);
    assertThat(taken).hasSize(10);
    assertThat(journal()).isEmptyFile();
    assertThat(said.toString(StandardCharsets.UTF_8))
        .contains("dead.jfr: left to the next time after 10 tries: the receiver is dead");

    assertThat(watch().pauses(5, 5).run(journal(), true)).isEqualTo(1);
    assertThat(taken).hasSize(20);
  }

  @Test
  void aRecordingTooLargeForTheMemoryCostsItself() throws Exception {
    file("huge");
    file("one");
    file("two");
    Watch watch = new Watch(directory, List.of(new Noting()), terminal).pauses(5, 5);
    assertThat(watch.run(journal(), true)).isEqualTo(1);
    assertThat(taken).containsExactlyInAnyOrder("huge", "one", "two");
    assertThat(said.toString(StandardCharsets.UTF_8))
        .contains("huge.jfr: out of memory with a heap of ");

    assertThat(watch().run(journal(), true)).as("another may have more memory").isEqualTo(1);
    assertThat(taken).hasSize(4).endsWith("huge");
  }

  @Test
  void onePackedWithAWindowTooLargeForTheMemoryIsLeftToTheNextWatch() throws Exception {
    file("window");
    assertThat(watch().run(journal(), true)).isEqualTo(1);
    assertThat(watch().run(journal(), true)).isEqualTo(1);
    assertThat(taken).containsExactly("window", "window");
    assertThat(said.toString(StandardCharsets.UTF_8)).contains("window.jfr: no room");
  }

  @Test
  void aDatasetThatCannotBeWrittenIsNoFaultOfTheRecording() throws IOException {
    file("a");
    assertThatThrownBy(() -> add("a", new IOException("full")))
        .isInstanceOf(IOException.class)
        .hasMessage("full");
    RecordingException bad = new RecordingException(Path.of("a.jfr"), "is bad");
    assertThatThrownBy(() -> add("a", bad))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("a.jfr: is bad");
  }

  private void add(String name, IOException failure) throws Exception {
    DatasetTaker taker = new DatasetTaker(failing(failure));
    new Watch(null, List.of(taker), terminal).takeNow(directory.resolve(name + ".jfr"), name);
  }

  private static Dataset failing(IOException failure) {
    return new Dataset() {
      @Override
      public Added add(Path recording, Content content) throws IOException {
        throw failure;
      }

      @Override
      public void close() {
        // Holds nothing.
      }
    };
  }

  /** A receiver that answers with a status, and notes how many bytes it was sent. */
  private static HttpServer receiver(int status, List<Integer> requests) throws IOException {
    HttpServer receiver =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext(
        "/v1development/profiles",
        exchange -> {
          requests.add(exchange.getRequestBody().readAllBytes().length);
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    receiver.start();
    return receiver;
  }

  @ParameterizedTest
  @CsvSource({"400, true", "413, true", "401, false", "404, false", "500, false"})
  void whatAReceiverRefusesIsAtFaultOnlyForItsContent(int status, boolean isAtFault)
      throws Exception {
    HttpServer receiver = receiver(status, new ArrayList<>());
    try {
      String url = "http://127.0.0.1:" + receiver.getAddress().getPort();
      PushTaker taker = new PushTaker(PushTarget.of(url, "--endpoint", Map.of()), 100);
      Path recording = Path.of("../jfr/src/test/resources/recordings/jdk21.jfr.gz");
      assertThatThrownBy(() -> taker.take(recording, null))
          .isInstanceOf(isAtFault ? CommandFailure.class : IOException.class)
          .hasMessageContaining("status " + status);
    } finally {
      receiver.stop(0);
    }
  }

  @Test
  void sendsARecordingToTheReceiver() throws Exception {
    List<Integer> requests = Collections.synchronizedList(new ArrayList<>());
    HttpServer receiver = receiver(200, requests);
    try {
      Files.copy(
          Path.of("../jfr/src/test/resources/recordings/jdk21.jfr.gz"),
          directory.resolve("a.jfr.gz"));
      Files.writeString(directory.resolve("empty.jfr"), "");
      String url = "http://127.0.0.1:" + receiver.getAddress().getPort();
      PushTarget target = PushTarget.of(url, "--endpoint", Map.of());
      Watch watch = new Watch(directory, List.of(new PushTaker(target, 1000)), terminal);

      assertThat(watch.run(journal(), true)).isEqualTo(1);

      assertThat(requests).hasSize(1).allMatch(bytes -> bytes > 1000);
      assertThat(said.toString(StandardCharsets.UTF_8)).contains("empty.jfr: ");
    } finally {
      receiver.stop(0);
    }
  }

  /** As the repository of a JVM has it: chunks that grow, and a file for the next. */
  @Test
  void aChunkIsTakenOnceItIsFinished() throws Exception {
    AtomicLong nanos = new AtomicLong();
    Watch watch = watch().age(1_000).clock(nanos::get);
    Path chunk = Files.createDirectories(directory.resolve("pid")).resolve("1.jfr");
    byte[] bytes = new byte[100];
    ByteBuffer.wrap(bytes).putInt(0x464c5200).putInt(0x00020001).putLong(90).put(64, (byte) 3);
    Files.write(chunk, bytes);
    Path reserved = Files.createFile(directory.resolve("pid/2.jfr"));
    try (Journal journal = new Journal(journal())) {
      for (long second : new long[] {0, 2, 59}) {
        nanos.set(TimeUnit.SECONDS.toNanos(second));
        watch.look(directory, journal, false);
        assertThat(watch.metrics()).contains("buftrail_watch_queue 0\n");
      }
      ByteBuffer.wrap(bytes).putLong(8, 100).put(64, (byte) 0);
      Files.write(chunk, bytes);
      Files.setLastModifiedTime(chunk, FileTime.fromMillis(1));
      for (long second : new long[] {60, 62, 64}) {
        nanos.set(TimeUnit.SECONDS.toNanos(second));
        watch.look(directory, journal, false);
      }
      assertThat(watch.metrics()).contains("buftrail_watch_queue 1\n");
      nanos.set(TimeUnit.HOURS.toNanos(1));
      watch.look(directory, journal, false);
      assertThat(watch.metrics()).as("the empty one waits").contains("buftrail_watch_queue 1\n");
      // The writer of this one died.
      bytes[64] = 3;
      Files.write(reserved, bytes);
      Files.setLastModifiedTime(reserved, FileTime.fromMillis(1));
      watch.look(directory, journal, false);
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
      watch.look(directory, journal, false);
      assertThat(watch.metrics()).contains("buftrail_watch_queue 2\n");
    }
  }

  @Test
  void aContentIsTakenOnceByWhateverName() throws Exception {
    Path first = Files.writeString(directory.resolve("a.jfr"), "same");
    Files.writeString(directory.resolve("b\n\u001b.jfr"), "same");
    assertThat(watch().run(journal(), true)).isZero();
    assertThat(taken).containsExactly("same");
    Files.move(first, directory.resolve("c.jfr"));
    assertThat(watch().run(journal(), true)).isZero();
    assertThat(taken).containsExactly("same");
  }
}
