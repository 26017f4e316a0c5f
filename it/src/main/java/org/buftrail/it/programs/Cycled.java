package org.buftrail.it.programs;

import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;

/**
 * Does what {@link Busy} does, and for each file {@code measure} writes what the JVM has loaded and
 * started into {@code figures}, after collections.
 */
public final class Cycled {
  private static final Pattern LOADERS = Pattern.compile("Total = (\\d+)");

  private Cycled() {}

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Thread measuring = new Thread(Cycled::measure);
    measuring.setDaemon(true);
    measuring.start();
    Busy.main(args);
  }

  private static void measure() {
    try {
      while (true) {
        Thread.sleep(20);
        if (Files.exists(Path.of("measure"))) {
          write();
        }
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void write() throws Exception {
    for (int i = 0; i < 3; i++) {
      System.gc();
      Thread.sleep(50);
    }
    Properties figures = new Properties();
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getName().equals("Metaspace")) {
        figures.setProperty("metaspace", Long.toString(pool.getUsage().getUsed()));
      }
    }
    figures.setProperty("loaders", Integer.toString(loaders()));
    int threads = ManagementFactory.getThreadMXBean().getThreadCount();
    figures.setProperty("threads", Integer.toString(threads));
    Path part = Path.of("figures.part");
    try (Writer out = Files.newBufferedWriter(part)) {
      figures.store(out, null);
    }
    Files.delete(Path.of("measure"));
    Files.move(part, Path.of("figures"));
  }

  private static int loaders() throws Exception {
    Object statistics =
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"),
                "vmClassloaderStats",
                null,
                null);
    Matcher total = LOADERS.matcher(statistics.toString());
    if (!total.find()) {
      throw new IllegalStateException(statistics.toString());
    }
    return Integer.parseInt(total.group(1));
  }
}
