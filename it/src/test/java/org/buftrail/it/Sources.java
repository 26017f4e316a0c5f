package org.buftrail.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Finds lines of the programs, so that no test holds a line number. */
final class Sources {
  private Sources() {}

  /** Number of the one line that ends in {@code // marker}. */
  static int line(Class<?> program, String marker) throws IOException {
    Path file = Path.of("src/main/java", program.getName().replace('.', '/') + ".java");
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).endsWith("// " + marker)) {
        return i + 1;
      }
    }
    throw new IOException(file + " has no line marked " + marker);
  }
}
