package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.File;
import java.io.IOException;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Initialises every class of Netty that can be, and keeps an empty buffer of its own. */
public final class NettyConstants {
  private static final ByteBuf OWN = Unpooled.buffer(0);

  private NettyConstants() {}

  /** Runs the program. */
  public static void main(String[] args) throws IOException, InterruptedException {
    int initialised = 0;
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (entry.contains("netty-")) {
        initialised += initialise(entry);
      }
    }
    System.out.print(initialised > 500 && OWN.refCnt() == 1 ? "many" : "few: " + initialised);
    lose();
    // Some of those classes have started threads that would go on.
    System.exit(0);
  }

  private static void lose() throws InterruptedException {
    Garbage lost = new Garbage();
    lost.add(Unpooled.directBuffer(0));
    lost.awaitCollection();
  }

  private static int initialise(String jar) throws IOException {
    int initialised = 0;
    try (JarFile file = new JarFile(jar)) {
      for (Enumeration<JarEntry> e = file.entries(); e.hasMoreElements(); ) {
        String name = e.nextElement().getName();
        if (name.startsWith("io/netty/") && name.endsWith(".class")) {
          initialised += initialiseClass(name.substring(0, name.length() - 6).replace('/', '.'));
        }
      }
    }
    return initialised;
  }

  private static int initialiseClass(String name) {
    try {
      Class.forName(name, true, NettyConstants.class.getClassLoader());
      return 1;
    } catch (ClassNotFoundException | LinkageError e) {
      // Needs a library that is not there.
      return 0;
    }
  }
}
