package org.buftrail.boot;

import java.io.File;
import java.io.IOException;
import java.util.Enumeration;
import java.util.Map;
import java.util.Properties;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/** Decides by properties and class path what the JVM was started for. Reads no class. */
final class Surroundings {
  private static final String NETTY = "netty";
  private static final String BUFFER = "netty/buffer/ByteBuf.class";
  private static final String RESOURCES = "META-INF/services/org.buftrail.model.TrackedResource";

  /** Tools that run somebody's program in the same JVM. */
  private static final String[] LAUNCHERS = {
    "com.sun.tools.javac.launcher.", "jdk.jshell.execution."
  };

  /** Options that may ask for more than Netty's buffers, by key and by variable. */
  private static final String[][] FURTHER = {
    {"resource", "BUFTRAIL_RESOURCE"},
    {"trackedResources", "BUFTRAIL_TRACKED_RESOURCES"},
    {"libraries", "BUFTRAIL_LIBRARIES"},
    {"directBuffers", "BUFTRAIL_DIRECT_BUFFERS"},
    {"config", "BUFTRAIL_CONFIG"}
  };

  /** A class path with more files is not searched: looking into each would take too long. */
  private static final int MAX_SEARCHED = 4;

  private Surroundings() {}

  /**
   * Whether this JVM runs no application: a tool of the JDK, such as {@code jcmd} or {@code javac},
   * whose main classes lie in its modules, or the command line of this jar.
   *
   * @param jar this one
   */
  static boolean isTool(Properties properties, String jar) {
    String command = properties.getProperty("sun.java.command", "");
    if (command.startsWith("org.buftrail.cli.") || command.startsWith("org.buftrail.boot.")) {
      return true;
    }
    String path = properties.getProperty("java.class.path", "");
    if ((command + ' ').startsWith(path + ' ') && isSame(path, jar)) {
      return true;
    }
    int slash = command.split(" ", 2)[0].indexOf('/');
    return slash > 0
        && (command.startsWith("jdk.") || command.startsWith("java."))
        && !isLauncher(command, slash + 1);
  }

  private static boolean isLauncher(String command, int from) {
    for (String launcher : LAUNCHERS) {
      if (command.startsWith(launcher, from)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSame(String file, String other) {
    try {
      return new File(file).getCanonicalPath().equals(new File(other).getCanonicalPath());
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether options ask for more than Netty's buffers. */
  static boolean followsMore(
      String argument, Properties properties, Map<String, String> environment) {
    for (String[] option : FURTHER) {
      if (argument.contains(option[0] + '=')
          || properties.getProperty("buftrail." + option[0]) != null
          || environment.get(option[1]) != null) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether the class path shows that there is Netty, or a resource of the application's. That it
   * does not proves nothing: a class loader of the application may find more.
   */
  static boolean showNetty(Properties properties) {
    String[] classPath = entries(properties, "java.class.path");
    for (String entry : classPath) {
      if (isNetty(entry)) {
        return true;
      }
    }
    for (String entry : entries(properties, "jdk.module.path")) {
      if (isNetty(entry) || holdsNetty(new File(entry).list())) {
        return true;
      }
    }
    for (String entry : classPath) {
      if (new File(entry, "io/" + BUFFER).exists() || new File(entry, RESOURCES).exists()) {
        return true;
      }
    }
    return hasEntry(classPath, BUFFER, true) || hasEntry(classPath, RESOURCES, false);
  }

  /** Whether the class path shows a resource of the application's. */
  static boolean showResources(Properties properties) {
    return ClassLoader.getSystemResource(RESOURCES) != null
        || hasEntry(entries(properties, "java.class.path"), RESOURCES, false);
  }

  private static boolean hasEntry(String[] classPath, String end, boolean orNetty) {
    if (classPath.length <= MAX_SEARCHED) {
      for (String entry : classPath) {
        if (entry.endsWith(".jar") && hasEntry(entry, end, orNetty)) {
          return true;
        }
      }
    }
    return false;
  }

  private static String[] entries(Properties properties, String key) {
    String path = properties.getProperty(key, "");
    return path.isEmpty() ? new String[0] : path.split(File.pathSeparator);
  }

  /** By the name of the file: a directory above it may have any name. */
  private static boolean isNetty(String path) {
    return path.substring(path.lastIndexOf(File.separatorChar) + 1).contains(NETTY);
  }

  private static boolean holdsNetty(String[] files) {
    if (files != null) {
      for (String file : files) {
        if (isNetty(file)) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether a jar has an entry that ends so.
   *
   * @param orNetty or a jar of Netty's, within it or named by its manifest
   */
  private static boolean hasEntry(String file, String end, boolean orNetty) {
    try (JarFile jar = new JarFile(file, false)) {
      if (orNetty && jar.getManifest() != null) {
        String more = jar.getManifest().getMainAttributes().getValue("Class-Path");
        if (more != null && more.contains(NETTY)) {
          return true;
        }
      }
      Enumeration<JarEntry> entries = jar.entries();
      while (entries.hasMoreElements()) {
        String name = entries.nextElement().getName();
        if (name.endsWith(end)
            || (orNetty && name.endsWith(".jar") && name.contains("/" + NETTY))) {
          return true;
        }
      }
      return false;
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
