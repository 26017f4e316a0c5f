package org.buftrail.it.programs;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs {@link Versions} in loaders of its own, each with another Netty; names none itself. */
public final class TwoVersions {
  /** Their live buffers stay reachable until the JVM ends. */
  private static final List<ClassLoader> LOADERS = new ArrayList<>();

  private TwoVersions() {}

  /**
   * Runs the program.
   *
   * @param args class paths, each with the file of its ledger behind it
   */
  public static void main(String[] args) throws Exception {
    for (int i = 0; i < args.length; i += 2) {
      List<URL> urls = new ArrayList<>();
      for (String element : args[i].split(File.pathSeparator, -1)) {
        urls.add(Path.of(element).toUri().toURL());
      }
      ClassLoader platform = ClassLoader.getPlatformClassLoader();
      URLClassLoader loader = new URLClassLoader(urls.toArray(URL[]::new), platform);
      LOADERS.add(loader);
      Class<?> program = loader.loadClass("org.buftrail.it.programs.Versions");
      String[] ledger = {args[i + 1]};
      program.getMethod("main", String[].class).invoke(null, (Object) ledger);
    }
  }
}
