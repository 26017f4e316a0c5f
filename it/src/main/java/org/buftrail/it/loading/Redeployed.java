package org.buftrail.it.loading;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Uses Netty in a class loader of its own, as a web application does, and lets go of the loader
 * when a file {@code undeploy} is there. What became of the loader is in {@code unloaded}.
 */
public final class Redeployed {
  private static final int ROUNDS = 200;

  private Redeployed() {}

  /**
   * Runs the program.
   *
   * @param args the class path of Netty
   */
  public static void main(String[] args) throws Exception {
    AtomicReference<WeakReference<ClassLoader>> deployed = new AtomicReference<>();
    // Netty keeps caches in the threads that use it.
    Thread thread = new Thread(() -> deployed.set(deploy(args[0])));
    thread.start();
    thread.join();
    WeakReference<ClassLoader> loader = Objects.requireNonNull(deployed.get());
    boolean unloaded = false;
    for (int i = 0; i < ROUNDS && !unloaded; i++) {
      System.gc();
      Thread.sleep(100);
      unloaded = loader.get() == null;
    }
    Files.writeString(Path.of("unloading"), Boolean.toString(unloaded));
    Files.move(Path.of("unloading"), Path.of("unloaded"));
    while (!Files.exists(Path.of("stop"))) {
      Thread.sleep(50);
    }
  }

  private static WeakReference<ClassLoader> deploy(String classPath) {
    String[] entries = classPath.split(File.pathSeparator, -1);
    URL[] urls = new URL[entries.length];
    try {
      for (int i = 0; i < urls.length; i++) {
        urls[i] = new File(entries[i]).toURI().toURL();
      }
      return run(urls);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static WeakReference<ClassLoader> run(URL[] urls) throws Exception {
    try (URLClassLoader loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      use(loader, 1);
      Files.createFile(Path.of("ready"));
      while (!Files.exists(Path.of("undeploy"))) {
        use(loader, 100);
        Thread.sleep(5);
      }
      return new WeakReference<>(loader);
    }
  }

  private static void use(ClassLoader loader, int times) throws ReflectiveOperationException {
    Class<?> allocator = loader.loadClass("io.netty.buffer.UnpooledByteBufAllocator");
    Class<?> buffer = loader.loadClass("io.netty.buffer.ByteBuf");
    Object unpooled = allocator.getField("DEFAULT").get(null);
    for (int i = 0; i < times; i++) {
      Object made = allocator.getMethod("heapBuffer", int.class).invoke(unpooled, 64);
      buffer.getMethod("release").invoke(made);
    }
  }
}
