package org.buftrail.agent.weave.selection;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import org.buftrail.agent.weave.classfile.ManifestClassPath;

/** A few names for many packages, such as a person would give. */
final class PackageRoots {
  /** Directories that are listed before a program starts. */
  private static final int MAX_LISTED = 200;

  private static final String MODULE = "module-info.class";

  private PackageRoots() {}

  /**
   * What packages have in common: those that agree in their first two parts are one.
   *
   * @param packages {@code com/example/app} or {@code com.example.app}; the unnamed one is left out
   * @return {@code com.example.app}, in order
   */
  static List<String> of(Collection<String> packages) {
    TreeMap<String, List<String>> byStart = new TreeMap<>();
    for (String each : packages) {
      if (!each.isEmpty()) {
        List<String> parts = Arrays.asList(each.split("[./]", -1));
        String start = String.join(".", parts.subList(0, Math.min(2, parts.size())));
        byStart.merge(start, parts, PackageRoots::common);
      }
    }
    List<String> roots = new ArrayList<>();
    byStart.values().forEach(parts -> roots.add(String.join(".", parts)));
    return roots;
  }

  private static List<String> common(List<String> a, List<String> b) {
    int length = 0;
    while (length < a.size() && length < b.size() && a.get(length).equals(b.get(length))) {
      length++;
    }
    return a.subList(0, length);
  }

  /** The class path of a JVM, and behind it each place of its module path that holds a module. */
  static String classPath(Properties properties) {
    StringBuilder all = new StringBuilder(properties.getProperty("java.class.path", ""));
    String modules = properties.getProperty("jdk.module.path", "");
    for (String entry : modules.split(File.pathSeparator, -1)) {
      File place = new File(entry);
      File[] below = new File(place, MODULE).isFile() ? null : place.listFiles();
      for (File file : below == null ? new File[] {place} : below) {
        if (JarPackages.isJar(file) || new File(file, MODULE).isFile()) {
          all.append(all.length() == 0 ? "" : File.pathSeparator).append(file);
        }
      }
    }
    return all.toString();
  }

  /** The class path with what the manifest names, where it is one jar. */
  static List<String> withEntries(String classPath) {
    List<String> entries = new ArrayList<>(entries(classPath));
    if (classPath.endsWith(".jar") && !classPath.contains(File.pathSeparator)) {
      entries.add(0, classPath);
    }
    return entries;
  }

  /** Where the class path is one jar, as Surefire makes it, what its manifest names. */
  private static List<String> entries(String classPath) {
    if (!classPath.endsWith(".jar") || classPath.contains(File.pathSeparator)) {
      return Arrays.asList(classPath.split(File.pathSeparator, -1));
    }
    List<String> entries = new ArrayList<>();
    try (JarFile jar = new JarFile(classPath)) {
      for (URI place : ManifestClassPath.of(jar.getManifest(), new File(classPath))) {
        if ("file".equals(place.getScheme())) {
          entries.add(new File(place.getPath()).getPath());
        }
      }
    } catch (IOException | RuntimeException e) {
      // Roots found before that are shown.
    }
    return entries;
  }

  /**
   * The packages in the directories of a class path, as far as a short look shows.
   *
   * @param classPath entries separated as the platform does
   */
  static Set<String> inDirectories(String classPath) {
    Set<String> packages = new TreeSet<>();
    Deque<String[]> open = new ArrayDeque<>();
    for (String entry : entries(classPath)) {
      if (!entry.isEmpty() && !entry.endsWith(".jar") && !entry.endsWith("*")) {
        open.add(new String[] {entry, ""});
      }
    }
    for (int i = 0; i < MAX_LISTED && !open.isEmpty(); i++) {
      String[] at = open.remove();
      String[] names = new File(at[0]).list();
      for (String name : names == null ? new String[0] : names) {
        if (name.endsWith(".class") && !name.equals(MODULE)) {
          packages.add(at[1]);
        } else if (name.indexOf('.') < 0 && name.indexOf('-') < 0) {
          String inner = at[1].isEmpty() ? name : at[1] + '/' + name;
          open.add(new String[] {at[0] + File.separator + name, inner});
        }
      }
    }
    return packages;
  }
}
