package org.buftrail.benchmarks.gate;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.buftrail.flow.woven.Buffers;

/** Finds classes of the flow runtime, in whichever of its packages they are. */
final class RuntimeClasses {
  private static final String SUFFIX = ".class";

  private RuntimeClasses() {}

  /** The directory or jar that has them. */
  static Path place() throws URISyntaxException {
    return Path.of(Buffers.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** The whole name of the class of a simple name. */
  static String name(String simpleName) throws IOException, URISyntaxException {
    Path place = place();
    if (Files.isDirectory(place)) {
      try (Stream<Path> files = Files.walk(place)) {
        return name(
            simpleName,
            files.map(file -> place.relativize(file).toString().replace(File.separatorChar, '/')));
      }
    }
    try (JarFile jar = new JarFile(place.toFile())) {
      return name(simpleName, jar.stream().map(entry -> entry.getName()));
    }
  }

  private static String name(String simpleName, Stream<String> files) {
    String file =
        files.filter(each -> each.endsWith('/' + simpleName + SUFFIX)).findFirst().orElseThrow();
    return file.substring(0, file.length() - SUFFIX.length()).replace('/', '.');
  }
}
