package org.buftrail.it.loading;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Loads Netty again and again, each time in a new class loader and with a pause after {@code
 * ByteBuf}, so that an agent which comes meanwhile meets it half loaded. Ends with the file {@code
 * stop}, and writes what went wrong to {@code failures}.
 */
public final class LoadingNetty {
  private static final int THREADS = 3;

  /** At any time each thread has one half loaded. More a second make each attach take longer. */
  private static final int PAUSE_MILLIS = 600;

  private static final int KEPT = 30;

  private final URL[] urls;
  private final ConcurrentLinkedQueue<ClassLoader> loaders = new ConcurrentLinkedQueue<>();
  private final AtomicInteger loaded = new AtomicInteger();
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();

  private LoadingNetty(String classPath) throws MalformedURLException {
    String[] entries = classPath.split(File.pathSeparator, -1);
    urls = new URL[entries.length];
    for (int i = 0; i < urls.length; i++) {
      urls[i] = new File(entries[i]).toURI().toURL();
    }
  }

  /**
   * Runs the program.
   *
   * @param args the class path of Netty
   */
  public static void main(String[] args) throws Exception {
    LoadingNetty program = new LoadingNetty(args[0]);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(program::load);
      thread.start();
      threads.add(thread);
    }
    while (program.loaded.get() < THREADS) {
      Thread.sleep(10);
    }
    Files.createFile(Path.of("ready"));
    for (Thread thread : threads) {
      thread.join();
    }
    Files.writeString(Path.of("failures"), new TreeMap<>(program.failures).toString());
  }

  private void load() {
    while (!Files.exists(Path.of("stop"))) {
      ClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
      loaders.add(loader);
      if (loaders.size() > KEPT) {
        loaders.remove();
      }
      try {
        Class.forName("io.netty.buffer.ByteBuf", false, loader);
        Thread.sleep(PAUSE_MILLIS);
        Class<?> allocator =
            Class.forName("io.netty.buffer.UnpooledByteBufAllocator", true, loader);
        Object made =
            allocator
                .getMethod("heapBuffer", int.class)
                .invoke(allocator.getField("DEFAULT").get(null), 16);
        Class.forName("io.netty.buffer.ByteBuf", false, loader).getMethod("release").invoke(made);
        loaded.incrementAndGet();
      } catch (Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
          cause = cause.getCause();
        }
        failures.merge(String.valueOf(cause).lines().findFirst().orElse(""), 1, Integer::sum);
      }
    }
  }
}
