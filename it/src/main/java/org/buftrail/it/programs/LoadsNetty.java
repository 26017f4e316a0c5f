package org.buftrail.it.programs;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Loads each class of Netty that can be loaded, and links and initialises none. */
public final class LoadsNetty {
  private LoadsNetty() {}

  /**
   * Runs the program.
   *
   * @param args the file that says how many have loaded, and the one for which it waits
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    int loaded = 0;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (entry.endsWith(".jar")) {
        loaded += load(entry);
      }
    }
    Path told = Path.of(args[0] + ".part");
    Files.writeString(told, Integer.toString(loaded));
    Files.move(told, Path.of(args[0]));
    while (!Files.exists(Path.of(args[1]))) {
      Thread.sleep(2);
    }
  }

  private static int load(String jar) throws IOException {
    int loaded = 0;
    try (JarFile file = new JarFile(jar)) {
      List<JarEntry> entries = Collections.list(file.entries());
      for (JarEntry entry : entries) {
        String name = entry.getName();
        if (name.startsWith("io/netty/") && name.endsWith(".class")) {
          loaded += isLoaded(name.substring(0, name.length() - 6).replace('/', '.')) ? 1 : 0;
        }
      }
    }
    return loaded;
  }

  private static boolean isLoaded(String name) {
    try {
      Class.forName(name, false, LoadsNetty.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      // It extends a class of a library that is not there.
      return false;
    }
  }
}
