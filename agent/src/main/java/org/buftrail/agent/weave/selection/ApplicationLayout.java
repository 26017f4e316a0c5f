package org.buftrail.agent.weave.selection;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.agent.weave.classfile.ByteSearch;
import org.buftrail.agent.weave.classfile.Names;
import org.jspecify.annotations.Nullable;

/**
 * Where own classes lie beside those of the main class's jar, as launchers and build tools lay them
 * out. Read once, at the start, from the class path alone; immutable.
 *
 * <ul>
 *   <li>Quarkus has them in the directory {@code app} beside the jar that starts it.
 *   <li>The scripts of Gradle, sbt and Play put the application's jar first. It counts where the
 *       main class is a known framework's: elsewhere the first may be any library.
 *   <li>Ktor names the application's functions in a file.
 *   <li>Where no class beside the main class names a buffer, that may be a launcher. What else is
 *       on the class path counts too, if it is not too much to be one application: {@value
 *       #MAX_ROOTS} roots of packages, {@value #MAX_CLASSES} classes.
 * </ul>
 */
final class ApplicationLayout {
  static final int MAX_ROOTS = 20;
  static final int MAX_CLASSES = 2_000;

  /** Who starts applications of others. A class of the same root is no module of theirs either. */
  private static final String[] LAUNCHERS = {
    "io/ktor/",
    "io/micronaut/",
    "io/quarkus/",
    "io/vertx/",
    "org/apache/catalina/",
    "org/apache/spark/",
    "org/codehaus/plexus/",
    "org/eclipse/jetty/",
    "org/jboss/",
    "org/springframework/",
    "play/core/",
  };

  private static final String QUARKUS = "io/quarkus/bootstrap/";
  private static final String KTOR = "io/ktor/";
  private static final String[] KTOR_FILES = {"application.conf", "application.yaml"};

  /** A function of the application, {@code com.example.ApplicationKt.module}. */
  private static final Pattern KTOR_MODULE =
      Pattern.compile("\\b((?:[\\w$]+\\.)+)[\\w$]+Kt\\.[\\w$]+");

  private static final byte[] BUFFER = "ByteBuf".getBytes(StandardCharsets.UTF_8);
  private static final String CLASS = ".class";

  private final Predicate<String> isNobodys;
  private final Set<String> jars = new HashSet<>();
  private final Set<String> packages = new HashSet<>();

  /** How packages begin in the modules of one build, of which one jar is known. */
  private final Set<String> roots = new HashSet<>();

  private boolean launched;

  private ApplicationLayout(Predicate<String> isNobodys) {
    this.isNobodys = isNobodys;
  }

  /**
   * Reads the names in a few jars of the class path.
   *
   * @param isNobodys tells by its internal name what is no application's
   */
  static ApplicationLayout of(MainClass main, String classPath, Predicate<String> isNobodys) {
    ApplicationLayout layout = new ApplicationLayout(isNobodys);
    if (main != MainClass.UNKNOWN) {
      layout.launched = !main.namesStarted() && startsWithAny(main.file(), LAUNCHERS);
      try {
        layout.read(main, PackageRoots.withEntries(classPath));
      } catch (IOException | RuntimeException e) {
        // What was found before that holds.
      }
    }
    return layout;
  }

  private static boolean startsWithAny(String name, String[] prefixes) {
    for (String each : prefixes) {
      if (name.startsWith(each)) {
        return true;
      }
    }
    return false;
  }

  private void read(MainClass main, List<String> classPath) throws IOException {
    if (main.startsWith(QUARKUS)) {
      addAll(new File(new File(classPath.get(0)).getAbsoluteFile().getParentFile(), "app"));
      return;
    }
    File mainJar = jarOf(main, classPath);
    File first = new File(classPath.get(0));
    if (mainJar == null) {
      return;
    }
    if (launched && !first.equals(mainJar)) {
      Names names = new Names();
      if (isJar(first) && names.add(first)) {
        add(first, names);
      }
    } else if (main.startsWith(KTOR)) {
      addModulesOfKtor(mainJar);
    } else if (!launched && !main.namesStarted() && isJar(mainJar) && !hasBuffers(mainJar)) {
      addBeside(mainJar, classPath);
    }
  }

  private static boolean isJar(File file) {
    return file.getName().endsWith(".jar") && file.isFile();
  }

  /** As the JVM's loader says where a class comes from. */
  private static String path(File file) throws IOException {
    return file.getCanonicalFile().toURI().getPath();
  }

  /** The first entry of the class path that has the class, as the JVM looks for it. */
  private static @Nullable File jarOf(MainClass main, List<String> classPath) throws IOException {
    for (String entry : classPath) {
      File file = new File(entry);
      if (file.isDirectory() && new File(file, main.file()).isFile()) {
        return file;
      }
      if (isJar(file)) {
        try (JarFile jar = new JarFile(file, false)) {
          if (jar.getEntry(main.file()) != null) {
            return file;
          }
        }
      }
    }
    return null;
  }

  private void add(File jar, Names names) throws IOException {
    jars.add(path(jar));
    packages.addAll(names.packages);
    for (String each : names.packages) {
      String root = MainClass.rootOf(each) + '/';
      if (root.indexOf('/') < root.length() - 1 && !startsWithAny(root, LAUNCHERS)) {
        roots.add(root);
      }
    }
  }

  private void addAll(File directory) throws IOException {
    File[] files = directory.listFiles();
    for (File file : files == null ? new File[0] : files) {
      Names names = new Names();
      if (isJar(file) && names.add(file)) {
        add(file, names);
      }
    }
  }

  /** Adds what lies beside a launcher where it is little enough to be the application. */
  private void addBeside(File launcher, List<String> classPath) throws IOException {
    Names names = new Names();
    for (String entry : classPath) {
      File file = new File(entry);
      if (isJar(file) && !file.equals(launcher) && !names.add(file)) {
        return;
      }
    }
    packages.addAll(names.packages);
  }

  private void addModulesOfKtor(File file) throws IOException {
    try (JarFile jar = new JarFile(file, false)) {
      for (String name : KTOR_FILES) {
        JarEntry entry = jar.getJarEntry(name);
        if (entry != null) {
          try (InputStream in = jar.getInputStream(entry)) {
            String text = new String(in.readNBytes(1 << 16), StandardCharsets.UTF_8);
            addModules(jar, text);
          }
        }
      }
    }
  }

  /** The packages of the functions that are named there, and those below them. */
  private void addModules(JarFile jar, String text) {
    Matcher m = KTOR_MODULE.matcher(text);
    while (m.find()) {
      String start = m.group(1).replace('.', '/');
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        String name = all.nextElement().getName();
        if (name.endsWith(CLASS) && name.startsWith(start)) {
          packages.add(name.substring(0, name.lastIndexOf('/')));
        }
      }
    }
  }

  /** Whether a class of a jar names a buffer; of a large one it is taken for granted. */
  private static boolean hasBuffers(File file) throws IOException {
    try (JarFile jar = new JarFile(file, false)) {
      int left = MAX_CLASSES;
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        if (entry.getName().endsWith(CLASS)) {
          try (InputStream in = jar.getInputStream(entry)) {
            if (--left < 0 || ByteSearch.contains(in.readAllBytes(), BUFFER)) {
              return true;
            }
          }
        }
      }
      return false;
    }
  }

  /** The packages of some jars, as long as they are few enough. */
  private final class Names {
    final Set<String> packages = new HashSet<>();
    private int classes;

    /** Whether the classes of a jar are not too many, with those before. */
    boolean add(File file) throws IOException {
      try (JarFile jar = new JarFile(file, false)) {
        for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
          String name = all.nextElement().getName();
          int slash = name.lastIndexOf('/');
          if (name.endsWith(CLASS) && slash > 0 && !name.startsWith("META-INF/")) {
            if (isNobodys.test(name)) {
              continue;
            }
            packages.add(name.substring(0, slash));
            if (++classes > MAX_CLASSES) {
              return false;
            }
          }
        }
      }
      return PackageRoots.of(packages).size() <= MAX_ROOTS;
    }
  }

  /** Whether the main class is one that starts the application, and not of it. */
  boolean isLaunched() {
    return launched;
  }

  /** Whether own classes lie in a package, wherever it comes from. */
  boolean hasPackage(String name) {
    return packages.contains(name)
        || (!roots.isEmpty() && roots.contains(MainClass.rootOf(name) + '/'));
  }

  /** Whether a jar is of the application in whole. */
  boolean hasJar(String path) {
    return !jars.isEmpty()
        && jars.contains(path.indexOf('%') < 0 ? path : URI.create("file:" + path).getPath());
  }

  /** Packages that were found. */
  Set<String> packages() {
    return packages;
  }
}
