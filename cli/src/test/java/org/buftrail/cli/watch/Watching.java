package org.buftrail.cli.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.buftrail.console.output.CommandFailure;
import org.buftrail.console.output.Terminal;
import org.buftrail.jfr.dataset.Content;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;

/** Watches a directory of texts, with takers that note what they are given. */
abstract class Watching {
  final List<String> taken = Collections.synchronizedList(new ArrayList<>());
  final ByteArrayOutputStream said = new ByteArrayOutputStream();
  final Terminal terminal =
      new Terminal(
          new PrintStream(said, true, StandardCharsets.UTF_8),
          new PrintStream(said, true, StandardCharsets.UTF_8));

  @TempDir Path directory;

  /** Notes what it takes; fails as the text of a file says. */
  final class Noting implements Taker {
    @Override
    public List<String> take(Path recording, @Nullable Content content)
        throws IOException, CommandFailure {
      String text = Files.readString(recording);
      taken.add(text);
      if (text.startsWith("bad")) {
        throw new CommandFailure(recording + ": is bad");
      }
      if (text.startsWith("dead")) {
        throw new IOException("the receiver is dead");
      }
      if (text.startsWith("window")) {
        Throwable error = new OutOfMemoryError("Java heap space");
        throw new IOException("no room", error);
      }
      if (text.startsWith("huge")) {
        throw new OutOfMemoryError("Java heap space");
      }
      if (text.startsWith("down") && Collections.frequency(taken, text) < 3) {
        throw new IOException("the receiver is down");
      }
      return text.startsWith("damaged") ? List.of(recording + ": a part is missing") : List.of();
    }

    @Override
    public void close() {
      // Holds nothing.
    }
  }

  /** Takes as long as a test wants. */
  final class Slow implements Taker {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch end = new CountDownLatch(1);

    @Override
    public List<String> take(Path recording, @Nullable Content content)
        throws IOException, InterruptedException {
      begun.countDown();
      end.await();
      taken.add(Files.readString(recording));
      return List.of();
    }

    @Override
    public void close() {
      // Holds nothing.
    }
  }

  /** Takes as many as a test wants. */
  final class Rationed implements Taker {
    final Semaphore rations = new Semaphore(0);

    @Override
    public List<String> take(Path recording, @Nullable Content content)
        throws IOException, InterruptedException {
      rations.acquire();
      taken.add(Files.readString(recording));
      return List.of();
    }

    @Override
    public void close() {
      // Holds nothing.
    }
  }

  /** Stops it, and lets what is under way end when that waits. */
  void stop(Watch watch, Slow slow) throws InterruptedException {
    Thread stopping = new Thread(watch::stop);
    stopping.start();
    while (stopping.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    assertThat(taken).isEmpty();
    slow.end.countDown();
    stopping.join();
  }

  Watch watch() {
    return new Watch(directory, List.of(new Noting(), new Noting()), terminal).pauses(30, 30);
  }

  void file(String name) throws IOException {
    Files.writeString(directory.resolve(name + ".jfr"), name);
  }

  Path journal() {
    return directory.resolve(".journal");
  }

  void run(Watch watch) {
    run(watch, false);
  }

  void run(Watch watch, boolean once) {
    try {
      watch.run(journal(), once);
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
