package org.buftrail.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Recordings of this JVM, made as tests need them. */
public final class Recordings {
  private Recordings() {}

  /** Records some monitor waits and thrown exceptions of this thread. */
  public static Path make(Path directory) throws IOException, InterruptedException {
    Path file = directory.resolve("recording.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.JavaMonitorWait").withThreshold(Duration.ZERO);
      recording.enable("jdk.JavaExceptionThrow");
      recording.start();
      for (int i = 0; i < 5; i++) {
        waitOnce();
        throwOnce();
      }
      recording.stop();
      recording.dump(file);
    }
    return file;
  }

  private static synchronized void waitOnce() throws InterruptedException {
    Recordings.class.wait(1);
  }

  private static void throwOnce() {
    try {
      throw new IllegalStateException("on purpose");
    } catch (IllegalStateException expected) {
      return;
    }
  }

  /** How many events of a type the JDK's own reader finds. */
  public static long count(Path file, String type) throws IOException {
    long count = 0;
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      count += event.getEventType().getName().equals(type) ? 1 : 0;
    }
    return count;
  }
}
