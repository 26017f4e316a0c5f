package org.buftrail.examples;

import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Serves until its standard input ends, then leaves behind how many leaks it planted.
 *
 * <p>Arguments: the port (0 for any), and a directory for what it has to tell: {@code port} once it
 * listens or {@code failure} if it cannot, {@code planted} at the end.
 */
public final class DemoService {
  private DemoService() {}

  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    Path directory = Path.of(args[1]);
    PlantedLeaks planted;
    try (HttpService service = new HttpService(port)) {
      write(directory.resolve("port"), Integer.toString(service.port()));
      awaitEndOfInput();
      planted = service.planted();
    } catch (BindException e) {
      write(directory.resolve("failure"), "port " + port + " is in use; choose another");
      throw e;
    }
    write(directory.resolve("planted"), Integer.toString(planted.count()));
  }

  private static void awaitEndOfInput() throws IOException {
    while (System.in.read() >= 0) {
      // What is typed means nothing; only the end does.
    }
  }

  private static void write(Path file, String text) throws IOException {
    Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
    Files.writeString(temporary, text);
    Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
