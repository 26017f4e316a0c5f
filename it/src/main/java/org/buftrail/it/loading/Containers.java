package org.buftrail.it.loading;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a program in a class loader of its own for each class path given, as a container runs
 * applications; the classes of this loader are not visible there.
 */
public final class Containers {
  private Containers() {}

  /**
   * Runs the program.
   *
   * @param args the program's class, its arguments joined by commas, then class paths; where one is
   *     of the form {@code shared!own}, the first part lies in a parent of the second part's loader
   */
  public static void main(String[] args) throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 2; i < args.length; i++) {
      ClassLoader loader = loader(args[i]);
      Thread thread = new Thread(() -> run(loader, args[0], args[1].split(",", -1)));
      thread.setContextClassLoader(loader);
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static ClassLoader loader(String classPath) throws IOException {
    ClassLoader loader = ClassLoader.getPlatformClassLoader();
    for (String part : classPath.split("!", -1)) {
      loader = new URLClassLoader(urls(part), loader);
    }
    return loader;
  }

  private static URL[] urls(String classPath) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      urls.add(new File(entry).toURI().toURL());
    }
    return urls.toArray(new URL[0]);
  }

  private static void run(ClassLoader loader, String program, String[] arguments) {
    try {
      Class.forName(program, true, loader)
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
