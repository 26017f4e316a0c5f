package org.buftrail.it.programs;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Closes what inherits its close from a class that is no such resource; leaks one of each. */
public final class Inheriting {
  private Inheriting() {}

  /** As clients of services over HTTP have them: what closes it stands far above. */
  public static final class Answer extends Filtered {
    private Answer() {}

    static Answer get() {
      return new Answer();
    }
  }

  /** Says nothing of closing either. */
  private static class Filtered extends FilterInputStream {
    Filtered() {
      super(new ByteArrayInputStream(new byte[8]));
    }
  }

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path file = Path.of("lines.txt");
    Files.writeString(file, "a\nb\n");
    Garbage leaked = new Garbage();
    for (int i = 0; i < 3; i++) {
      try (FileChannel channel = FileChannel.open(file)) {
        size(channel);
      }
      try (Stream<String> lines = Files.lines(file)) {
        count(lines);
      }
      try (Answer answer = Answer.get()) {
        read(answer);
      }
    }
    lose(file, leaked);
    leaked.awaitCollection();
    Files.delete(file);
  }

  @SuppressWarnings("StreamResourceLeak") // as the test wants it
  private static void lose(Path file, Garbage leaked) throws IOException {
    FileChannel channel = FileChannel.open(file);
    size(channel);
    leaked.add(channel);
    Stream<String> lines = Files.lines(file);
    count(lines);
    leaked.add(lines);
    Answer answer = Answer.get();
    read(answer);
    leaked.add(answer);
  }

  private static void size(FileChannel channel) throws IOException {
    check(channel.size() == 4);
  }

  private static void count(Stream<String> lines) {
    check(lines.count() == 2);
  }

  private static void read(Answer answer) throws IOException {
    check(answer.read() == 0);
  }

  private static void check(boolean isRight) {
    if (!isRight) {
      throw new IllegalStateException("not what was written");
    }
  }
}
