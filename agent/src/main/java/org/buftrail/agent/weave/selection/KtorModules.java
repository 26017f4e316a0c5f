package org.buftrail.agent.weave.selection;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The application's functions that Ktor starts, as its configuration in a jar names them. */
final class KtorModules {
  private static final String[] FILES = {"application.conf", "application.yaml", "application.yml"};

  /** A function of the application, {@code com.example.ApplicationKt.module}. */
  private static final Pattern FUNCTION =
      Pattern.compile("\\b((?:[\\w$]+\\.)+)([\\w$]+)\\.[\\w$]+");

  private static final int MAX_BYTES = 1 << 16;

  private KtorModules() {}

  /** The packages of the functions, and those below them. */
  static Set<String> packages(File file) throws IOException {
    Set<String> packages = new HashSet<>();
    try (JarFile jar = new JarFile(file, false)) {
      for (String name : FILES) {
        JarEntry entry = jar.getJarEntry(name);
        if (entry != null) {
          try (InputStream in = jar.getInputStream(entry)) {
            addTo(packages, jar, new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8));
          }
        }
      }
    }
    return packages;
  }

  private static void addTo(Set<String> packages, JarFile jar, String text) {
    Matcher m = FUNCTION.matcher(text);
    while (m.find()) {
      String start = m.group(1).replace('.', '/');
      // Other settings have dots too, but name no class that there is.
      if (jar.getEntry(start + m.group(2) + ".class") != null) {
        addBelow(packages, jar, start);
      }
    }
  }

  private static void addBelow(Set<String> packages, JarFile jar, String start) {
    for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
      String name = all.nextElement().getName();
      if (JarPackages.isClass(name) && name.startsWith(start)) {
        packages.add(name.substring(0, name.lastIndexOf('/')));
      }
    }
  }
}
