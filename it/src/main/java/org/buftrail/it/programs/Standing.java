package org.buftrail.it.programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Names no library; leaves the file {@code standing} and runs until there is {@code stop}. */
public final class Standing {
  private static final int POLL_MILLIS = 20;

  private Standing() {}

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Files.createFile(Path.of("standing"));
    while (!Files.exists(Path.of("stop"))) {
      Thread.sleep(POLL_MILLIS);
    }
  }
}
