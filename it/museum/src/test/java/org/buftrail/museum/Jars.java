package org.buftrail.museum;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** Programs laid out as builds lay them out. */
final class Jars {
  private Jars() {}

  /**
   * As Gradle's plugin {@code application} does: the program's jar and those of its libraries side
   * by side, in that order.
   *
   * @param classes those of the program; the directory {@code lib} is made beside it
   * @param resources what its jar has beside them; may be missing
   */
  static List<Path> inOneDirectory(Path classes, Path resources, List<Path> libraries)
      throws IOException {
    Path directory = Files.createDirectories(classes.resolveSibling("lib"));
    List<Path> jars = new ArrayList<>();
    jars.add(directory.resolve("shop.jar"));
    try (OutputStream file = Files.newOutputStream(jars.get(0));
        JarOutputStream jar = new JarOutputStream(file)) {
      add(jar, classes);
      if (Files.isDirectory(resources)) {
        add(jar, resources);
      }
    }
    for (Path library : libraries) {
      Path copy = directory.resolve(library.getFileName());
      jars.add(Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING));
    }
    return jars;
  }

  private static void add(JarOutputStream jar, Path root) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(root)) {
      files = all.filter(Files::isRegularFile).sorted().toList();
    }
    for (Path file : files) {
      jar.putNextEntry(new JarEntry(root.relativize(file).toString()));
      Files.copy(file, jar);
      jar.closeEntry();
    }
  }
}
