package org.buftrail.agent.weave.selection;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.buftrail.agent.weave.classfile.ByteSearch;
import org.jspecify.annotations.Nullable;

/**
 * Where own classes lie beside those of the main class's jar, as launchers and build tools lay them
 * out. Read once, at the start, from the class path alone; immutable.
 *
 * <ul>
 *   <li>Quarkus has them in the directory {@code app} beside the jar that starts it.
 *   <li>An argument or the manifest may name the class that a launcher starts.
 *   <li>The scripts of Gradle, sbt and Play put the application's jar first. It counts where the
 *       main class is a known launcher's: elsewhere the first may be any library.
 *   <li>Ktor names the application's functions in a file.
 *   <li>Where no class beside the main class names a buffer, that may be a launcher. What else is
 *       on the class path counts too, or in the launcher's own directory if it is alone there, as
 *       long as that is {@linkplain JarPackages little enough} to be one application.
 * </ul>
 */
final class ApplicationLayout {
  private static final byte[] BUFFER = "ByteBuf".getBytes(StandardCharsets.UTF_8);

  /** Files that are looked at in the directory of a launcher. */
  private static final int MAX_BESIDE = 200;

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
      layout.launched = !main.namesStarted() && Launchers.has(main.file());
      try {
        layout.read(main, classPath);
      } catch (IOException | RuntimeException e) {
        // Earlier findings hold.
      }
    }
    return layout;
  }

  private void read(MainClass main, String joined) throws IOException {
    List<String> classPath = PackageRoots.withEntries(joined);
    if (main.startsWith(Launchers.QUARKUS)
        && addAll(new File(directoryOf(new File(classPath.get(0))), "app"))) {
      return;
    }
    File mainPlace = placeOf(main, classPath);
    if (mainPlace == null) {
      return;
    }
    if (launched) {
      boolean named = addStarted(main, mainPlace, classPath);
      // Where there are classes in directories, these are the application's.
      if (!named && PackageRoots.inDirectories(joined).isEmpty()) {
        addFirst(main, mainPlace, classPath);
      }
    } else if (!main.namesStarted()
        && JarPackages.isJar(mainPlace)
        && !hasBuffers(mainPlace)
        && !addStarted(main, mainPlace, classPath)) {
      addBeside(mainPlace, classPath);
    }
  }

  private static File directoryOf(File file) {
    return file.getAbsoluteFile().getParentFile();
  }

  /** The path in the form in which the JVM's loader says where a class comes from. */
  private static String path(File file) throws IOException {
    return file.getCanonicalFile().toURI().getPath();
  }

  private static @Nullable File placeOf(MainClass main, List<String> classPath) throws IOException {
    return placeOf(main.file(), classPath);
  }

  /** The first entry of the class path that has the class, as the JVM looks for it. */
  private static @Nullable File placeOf(String classFile, List<String> classPath)
      throws IOException {
    for (String entry : classPath) {
      File file = new File(entry);
      if (file.isDirectory() && new File(file, classFile).isFile()) {
        return file;
      }
      if (JarPackages.isJar(file)) {
        try (JarFile jar = new JarFile(file, false)) {
          if (jar.getEntry(classFile) != null) {
            return file;
          }
        }
      }
    }
    return null;
  }

  /** Adds the classes that a launcher starts, and returns whether there are any. */
  private boolean addStarted(MainClass main, File mainPlace, List<String> classPath)
      throws IOException {
    List<String> started = new ArrayList<>();
    Manifest manifest = manifestOf(mainPlace);
    String named = manifest == null ? null : MainClass.startedBy(manifest);
    if (named != null) {
      started.add(named);
    }
    for (String each : main.classesInArguments()) {
      if (main.isOption(each) || placeOf(each + ".class", classPath) != null) {
        started.add(each);
      }
    }
    started.removeIf(each -> isNobodys.test(each) || Launchers.has(each));
    for (String each : started) {
      String name = each.substring(0, Math.max(0, each.lastIndexOf('/')));
      packages.add(name);
      addRoot(name);
    }
    return !started.isEmpty();
  }

  private static @Nullable Manifest manifestOf(File place) throws IOException {
    if (JarPackages.isJar(place)) {
      try (JarFile jar = new JarFile(place, false)) {
        return jar.getManifest();
      }
    }
    File file = new File(place, JarFile.MANIFEST_NAME);
    if (!file.isFile()) {
      return null;
    }
    try (InputStream in = new FileInputStream(file)) {
      return new Manifest(in);
    }
  }

  /** Adds the jar that configures Ktor, or else the first jar with classes in it. */
  private void addFirst(MainClass main, File mainPlace, List<String> classPath) throws IOException {
    if (main.startsWith(Launchers.KTOR) && addModulesOfKtor(mainPlace, classPath)) {
      return;
    }
    for (String entry : classPath) {
      File first = new File(entry);
      if (JarPackages.isJar(first) && JarPackages.hasClasses(first)) {
        addAllOf(first, mainPlace);
        return;
      }
    }
  }

  private boolean addModulesOfKtor(File mainPlace, List<String> classPath) throws IOException {
    for (String entry : classPath) {
      File file = new File(entry);
      Set<String> named =
          JarPackages.isJar(file) ? KtorModules.packages(file) : Collections.emptySet();
      if (!named.isEmpty()) {
        packages.addAll(named);
        named.forEach(this::addRoot);
        if (!file.equals(mainPlace)) {
          addAllOf(file, mainPlace);
        }
        return true;
      }
    }
    return false;
  }

  /** Adds a jar but for the launcher's classes in it, where that is little enough. */
  private void addAllOf(File file, File mainPlace) throws IOException {
    JarPackages names = new JarPackages(name -> isNobodys.test(name) || Launchers.has(name));
    if (names.add(file)) {
      add(file, names, !file.equals(mainPlace));
    }
  }

  /**
   * Adds what was found in a jar.
   *
   * @param whole whether there is nothing else in it
   */
  private void add(File jar, JarPackages names, boolean whole) throws IOException {
    if (whole) {
      jars.add(path(jar));
    }
    packages.addAll(names.packages());
    names.packages().forEach(this::addRoot);
  }

  private void addRoot(String packageName) {
    String root = MainClass.rootOf(packageName);
    if (root.indexOf('/') > 0 && !Launchers.has(root + '/')) {
      roots.add(root);
    }
  }

  /** Adds the jars of a directory, and returns whether there is one. */
  private boolean addAll(File directory) throws IOException {
    File[] files = directory.listFiles();
    boolean added = false;
    for (File file : files == null ? new File[0] : files) {
      JarPackages names = new JarPackages(isNobodys);
      if (JarPackages.isJar(file) && names.add(file)) {
        add(file, names, true);
        added = true;
      }
    }
    return added;
  }

  /** Adds what lies beside a launcher where it is little enough to be the application. */
  private void addBeside(File launcher, List<String> classPath) throws IOException {
    JarPackages names = new JarPackages(isNobodys);
    boolean alone = true;
    for (String entry : classPath) {
      File file = new File(entry);
      if (JarPackages.isJar(file) && !file.equals(launcher)) {
        alone = false;
        if (!names.add(file)) {
          return;
        }
      }
    }
    if (alone) {
      for (File file : besideOf(launcher)) {
        if (!names.add(file)) {
          return;
        }
      }
    }
    packages.addAll(names.packages());
  }

  /** The jars in the directory of a launcher and in those below it, which it loads by itself. */
  private static List<File> besideOf(File launcher) throws IOException {
    List<File> found = new ArrayList<>();
    File[] files = directoryOf(launcher).listFiles();
    for (File file : files == null ? new File[0] : files) {
      File[] below = file.listFiles();
      for (File each : below == null ? new File[] {file} : below) {
        if (found.size() < MAX_BESIDE
            && JarPackages.isJar(each)
            && !each.getCanonicalFile().equals(launcher.getCanonicalFile())
            && !isAgent(each)) {
          found.add(each);
        }
      }
    }
    return found;
  }

  /** Whether a jar is an agent, as this one is, which many put where they start the JVM. */
  private static boolean isAgent(File jar) throws IOException {
    Manifest manifest = manifestOf(jar);
    return manifest != null && manifest.getMainAttributes().getValue("Premain-Class") != null;
  }

  /** Whether a class of a jar names a buffer; of a large one it is taken for granted. */
  private static boolean hasBuffers(File file) throws IOException {
    try (JarFile jar = new JarFile(file, false)) {
      int left = JarPackages.MAX_CLASSES;
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        if (JarPackages.isClass(entry.getName())) {
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

  /** Whether the main class is one that starts the application, and not of it. */
  boolean isLaunched() {
    return launched;
  }

  /** Whether own classes lie in a package, wherever it comes from. */
  boolean hasPackage(String name) {
    return packages.contains(name) || (!roots.isEmpty() && roots.contains(MainClass.rootOf(name)));
  }

  /**
   * Whether a jar is of the application in whole.
   *
   * @param path decoded
   */
  boolean hasJar(String path) {
    return jars.contains(path);
  }

  /** Packages that were found. */
  Set<String> packages() {
    return packages;
  }
}
