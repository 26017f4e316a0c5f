package org.buftrail.it.programs;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Names no library, and prints the agent's threads. With arguments it is a container for others:
 * each of so many threads runs a class in a class loader of its own.
 */
public final class Plain {
  private Plain() {}

  /**
   * Runs the program.
   *
   * @param args class path, class, number of threads
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    ByteBuffer.allocate(1).put((byte) 1);
    if (args.length == 0) {
      printThreads();
      return;
    }
    List<URL> urls = new ArrayList<>();
    for (String entry : args[0].split(File.pathSeparator, -1)) {
      urls.add(new File(entry).toURI().toURL());
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < Integer.parseInt(args[2]); i++) {
      Thread thread = new Thread(() -> run(urls.toArray(new URL[0]), args[1]));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void run(URL[] urls, String name) {
    try {
      ClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
      loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void printThreads() {
    for (Thread thread : Threads.all()) {
      if (thread != null && thread.getName().startsWith("buftrail")) {
        System.out.print(thread.getName() + " ");
      }
    }
    System.out.print("done");
  }
}
