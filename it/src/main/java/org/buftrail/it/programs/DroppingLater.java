package org.buftrail.it.programs;

import java.nio.file.Files;
import java.nio.file.Path;

/** {@link Dropping} once the second file appears; the first says that Netty is loaded. */
public final class DroppingLater {
  private DroppingLater() {}

  /** Runs the program. */
  public static void main(String[] args) throws Exception {
    Dropping.main(new String[0]);
    Files.createFile(Path.of(args[0]));
    while (!Files.exists(Path.of(args[1]))) {
      Thread.sleep(50);
    }
    Dropping.main(new String[0]);
  }
}
