package org.buftrail.agent.weave.selection;

import java.io.File;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Modules of an unpacked web application: the jars in {@code WEB-INF/lib} whose packages begin as
 * those in {@code WEB-INF/classes} beside them. A directory is read once. Thread-safe.
 */
final class WebApplications {
  private static final String WEB_INF = "/WEB-INF/";
  private static final String LIBRARIES = WEB_INF + "lib/";

  /** Web applications come and go in a server that does not. */
  private static final int MAX = 1_000;

  /** Roots of packages by the directory that holds them. */
  private final Map<String, Set<String>> roots = new ConcurrentHashMap<>();

  /**
   * Whether a class is one of such a module.
   *
   * @param path of the jar that it comes from, decoded
   */
  boolean have(String path, String packageName) {
    int at = path.indexOf(LIBRARIES);
    if (at < 0) {
      return false;
    }
    String directory = path.substring(0, at + WEB_INF.length()) + "classes";
    Set<String> known = roots.get(directory);
    if (known == null) {
      known = read(directory);
      if (roots.size() < MAX) {
        roots.put(directory, known);
      }
    }
    return known.contains(MainClass.rootOf(packageName));
  }

  /** A root of one part says too little. */
  private static Set<String> read(String directory) {
    return PackageRoots.inDirectories(new File(directory).getPath()).stream()
        .map(MainClass::rootOf)
        .filter(root -> root.indexOf('/') > 0)
        .collect(Collectors.toSet());
  }
}
