package org.buftrail.agent.weave.selection;

import java.net.URI;
import java.net.URL;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.buftrail.agent.weave.classfile.Names;
import org.buftrail.flow.control.UnwatchedPackages;
import org.jspecify.annotations.Nullable;

/**
 * Tells the application's own classes from those of its libraries, by where they come from.
 *
 * <p>Its own are those from directories of classes, from the jar of the main class, and from {@code
 * BOOT-INF/classes} and {@code WEB-INF/classes} of nested jars; those of other jars whose packages
 * begin as the main class's, as the modules of one build; and what {@link ApplicationLayout} finds
 * beside a launcher. In a jar that holds the libraries too, they are those whose packages begin as
 * the main class's. No class loader is asked, and no code of the application runs. Thread-safe.
 */
public final class ApplicationClasses {
  private static final String[] NESTED = {"BOOT-INF/classes", "WEB-INF/classes"};

  /** Unpacked, it lies in a directory of classes, or in the jar of the main class. */
  private static final String BOOT_LOADER = "org/springframework/boot/loader/";

  private static final int MAX_PACKAGES = 10_000;

  private final MainClass main;
  private final ApplicationLayout layout;
  private final Predicate<String> isLibrary;
  private final WebApplications webApplications = new WebApplications();

  /** Packages in which own classes were found, {@code com/example}. */
  private final Set<String> packages = ConcurrentHashMap.newKeySet();

  /** Where the main class came from, once it was seen. */
  private volatile @Nullable MainJar mainJar;

  private static final class MainJar {
    final String location;
    final boolean holdsLibraries;

    MainJar(String location, boolean holdsLibraries) {
      this.location = location;
      this.holdsLibraries = holdsLibraries;
    }
  }

  /** Packages where own classes probably are, before any is loaded. */
  private final Set<String> expected;

  /**
   * @param main the class that the JVM was started with
   * @param classPath of the JVM
   * @param isLibrary tells by its internal name what is not the application's, wherever it lies
   */
  public ApplicationClasses(MainClass main, String classPath, Predicate<String> isLibrary) {
    this.main = main;
    this.isLibrary = isLibrary;
    this.layout = ApplicationLayout.of(main, classPath, this::isNobodys);
    this.expected = PackageRoots.inDirectories(classPath);
    expected.addAll(layout.packages());
    expected.removeIf(each -> isNobodys(each + '/'));
    if (!layout.isLaunched()) {
      expected.add(main.packageName());
    }
  }

  /**
   * Those of this JVM.
   *
   * @param properties those of the JVM
   * @param isLibrary tells by its internal name what is not the application's, wherever it lies
   */
  public static ApplicationClasses of(Properties properties, Predicate<String> isLibrary) {
    return new ApplicationClasses(
        MainClass.of(properties), PackageRoots.classPath(properties), isLibrary);
  }

  /**
   * Whether a class is the application's own.
   *
   * @param name its internal name
   * @param domain null where the JVM knows none
   */
  public boolean contains(String name, @Nullable ProtectionDomain domain) {
    URL location = location(domain);
    if (location == null || isNobodys(name)) {
      return false;
    }
    boolean own = isOwn(name, location);
    if (own && packages.size() < MAX_PACKAGES) {
      packages.add(packageOf(name));
    }
    return own;
  }

  /** Notes a class with buffers that is not watched. */
  public void noteUnwatched(String name, @Nullable ProtectionDomain domain) {
    URL location = location(domain);
    if (location != null && !isNobodys(name)) {
      UnwatchedPackages.add(Names.binary(packageOf(name)), simpleName(location.getPath()));
    }
  }

  /** The jar's name, or the directory's. */
  private static String simpleName(String path) {
    String file = path.endsWith("!/") ? path.substring(0, path.length() - 2) : path;
    int end = file.endsWith("/") ? file.length() - 1 : file.length();
    return file.substring(file.lastIndexOf('/', end - 1) + 1, end).replace("%20", " ");
  }

  /** Whether a class is no application's, wherever it lies. */
  private boolean isNobodys(String name) {
    return Names.isOfJdk(name) || name.startsWith(BOOT_LOADER) || isLibrary.test(name);
  }

  private boolean isOwn(String name, URL location) {
    String path = location.getPath();
    if (path.endsWith("/") && location.getProtocol().equals("file")) {
      return true;
    }
    if (path.contains(NESTED[0]) || path.contains(NESTED[1]) || isSource(path)) {
      return true;
    }
    if (layout.hasJar(decoded(path))
        || layout.hasPackage(packageOf(name))
        || webApplications.have(decoded(path), packageOf(name))) {
      return true;
    }
    return !layout.isLaunched() && (isOfMainJar(name, location, path) || main.isOfSameBuild(name));
  }

  /** A program that {@code java} compiles by itself comes from the file of its source. */
  private static boolean isSource(String path) {
    return path.endsWith(".java");
  }

  private static String decoded(String path) {
    return path.indexOf('%') < 0 ? path : URI.create("file:" + path).getPath();
  }

  private boolean isOfMainJar(String name, URL location, String path) {
    MainJar jar = mainJar;
    if (jar == null) {
      if (!main.isNamed(name)) {
        return false;
      }
      jar = new MainJar(path, MainClass.holdsLibraries(location));
      mainJar = jar;
    }
    return path.equals(jar.location) && (!jar.holdsLibraries || main.isRelated(name));
  }

  /** The methods of these classes are final: none is the application's. */
  private static @Nullable URL location(@Nullable ProtectionDomain domain) {
    CodeSource source = domain == null ? null : domain.getCodeSource();
    return source == null ? null : source.getLocation();
  }

  /** Notes where the main class comes from, if this is it and it is loaded already. */
  public void look(Class<?> loaded) {
    if (mainJar == null && main.isNamed(loaded.getName().replace('.', '/'))) {
      contains(loaded);
    }
  }

  /** Like the check by name, for a loaded class. */
  public boolean contains(Class<?> loaded) {
    return contains(loaded.getName().replace('.', '/'), loaded.getProtectionDomain());
  }

  /** Whether own classes were found in the package of {@code name}. */
  public boolean hasPackageOf(String name) {
    return packages.contains(packageOf(name));
  }

  /** The packages in few words: of what was loaded, or what is to be expected. */
  public List<String> describe() {
    return PackageRoots.of(packages.isEmpty() ? expected : packages);
  }

  private static String packageOf(String name) {
    return name.substring(0, Math.max(0, name.lastIndexOf('/')));
  }
}
