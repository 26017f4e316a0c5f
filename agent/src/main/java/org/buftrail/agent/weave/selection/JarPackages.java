package org.buftrail.agent.weave.selection;

import java.io.File;
import java.io.IOException;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * The packages of some jars, as long as these are little enough to be one application: {@value
 * #MAX_ROOTS} roots of packages, {@value #MAX_CLASSES} classes. Not thread-safe.
 */
final class JarPackages {
  static final int MAX_ROOTS = 20;
  static final int MAX_CLASSES = 2_000;
  private static final String CLASS = ".class";

  private final Predicate<String> isNobodys;
  private final Set<String> packages = new HashSet<>();
  private int classes;

  /**
   * @param isNobodys tells by its internal name what does not count
   */
  JarPackages(Predicate<String> isNobodys) {
    this.isNobodys = isNobodys;
  }

  /** Adds the packages of a jar, and returns whether all together are still little enough. */
  boolean add(File file) throws IOException {
    try (JarFile jar = new JarFile(file, false)) {
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        String name = all.nextElement().getName();
        int slash = name.lastIndexOf('/');
        if (isClass(name) && slash > 0 && !isNobodys.test(name)) {
          packages.add(name.substring(0, slash));
          if (++classes > MAX_CLASSES) {
            return false;
          }
        }
      }
    }
    return PackageRoots.of(packages).size() <= MAX_ROOTS;
  }

  /** {@code com/example}. */
  Set<String> packages() {
    return packages;
  }

  static boolean isJar(File file) {
    return file.getName().endsWith(".jar") && file.isFile();
  }

  /** Whether an entry of a jar is a class, but of none for other versions of Java alone. */
  static boolean isClass(String entry) {
    return entry.endsWith(CLASS)
        && !entry.startsWith("META-INF/")
        && !entry.equals("module-info.class");
  }

  /** Whether there is any class in it, of any package. */
  static boolean hasClasses(File file) throws IOException {
    try (JarFile jar = new JarFile(file, false)) {
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        if (isClass(all.nextElement().getName())) {
          return true;
        }
      }
      return false;
    }
  }
}
