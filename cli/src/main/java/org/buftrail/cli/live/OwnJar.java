package org.buftrail.cli.live;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;

/** The packaged jar that this program runs from. */
final class OwnJar {
  private OwnJar() {}

  /**
   * Returns its absolute path.
   *
   * @throws IOException when the program runs from classes
   */
  static Path path() throws IOException {
    CodeSource source = OwnJar.class.getProtectionDomain().getCodeSource();
    try {
      Path jar = source == null ? Path.of("") : Path.of(source.getLocation().toURI());
      if (Files.isRegularFile(jar)) {
        return jar.toAbsolutePath();
      }
    } catch (URISyntaxException e) {
      // Said below.
    }
    throw new IOException("only the packaged buftrail.jar can be attached");
  }
}
