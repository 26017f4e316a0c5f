package org.buftrail.cli.demo;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** The service and its libraries, which the packaged jar carries as jars. */
final class DemoJars {
  private static final String FOLDER = "demo/";

  private DemoJars() {}

  /**
   * Unpacks them.
   *
   * @return a class path of all of them
   * @throws IOException also when the jar carries none
   */
  static String unpack(Path jar, Path directory) throws IOException {
    try (JarFile opened = new JarFile(jar.toFile())) {
      List<JarEntry> entries =
          opened.stream().filter(entry -> entry.getName().startsWith(FOLDER)).toList();
      if (entries.isEmpty()) {
        throw new IOException(jar + " carries no demo service; build it with ./buftrail");
      }
      for (JarEntry entry : entries) {
        Path name = Path.of(entry.getName()).getFileName();
        try (InputStream in = opened.getInputStream(entry)) {
          Files.copy(in, directory.resolve(name));
        }
      }
    }
    return directory + File.separator + "*";
  }
}
