package org.buftrail.examples;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Serves until its standard input ends, then leaves behind how many leaks it planted.
 *
 * <p>Arguments: the port (0 for any), the file to write the port to once it listens, the file to
 * write the number of planted leaks to at the end.
 */
public final class DemoService {
  private static final long COLLECTION_MILLIS = 20_000;

  private DemoService() {}

  /** Runs the service. */
  public static void main(String[] args) throws IOException, InterruptedException {
    int port = Integer.parseInt(args[0]);
    PlantedLeaks planted;
    try (HttpService service = new HttpService(port)) {
      write(Path.of(args[1]), service.port());
      awaitEndOfInput();
      planted = service.planted();
    } catch (Exception e) {
      if (!(e instanceof BindException)) {
        throw e;
      }
      System.err.println("port " + port + " is in use: " + e.getMessage());
      System.exit(1);
      return;
    }
    if (!planted.awaitCollection(COLLECTION_MILLIS)) {
      System.err.println("the leaked buffers were not collected in time");
    }
    write(Path.of(args[2]), planted.count());
  }

  private static void awaitEndOfInput() throws IOException {
    while (System.in.read() >= 0) {
      // What is typed means nothing; only the end does.
    }
  }

  private static void write(Path file, int number) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.writeString(temporary, Integer.toString(number));
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
