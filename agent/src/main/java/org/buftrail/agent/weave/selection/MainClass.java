package org.buftrail.agent.weave.selection;

import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.net.URI;
import java.net.URL;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.buftrail.agent.weave.classfile.Names;
import org.jspecify.annotations.Nullable;

/**
 * Which class the JVM was started with, as its properties and the jar's manifest say. Immutable.
 */
public final class MainClass {
  /** Nothing is known of it, as in a JVM that another program has made. */
  public static final MainClass UNKNOWN = new MainClass("", "");

  /** First parts of package names that unrelated projects share. */
  private static final Set<String> SHARED =
      Set.of(
          "com/github",
          "com/gitlab",
          "com/google",
          "io/github",
          "io/gitlab",
          "org/apache",
          "org/eclipse",
          "org/springframework");

  /** Which class of the application's a launcher starts: Spring Boot's, and Vert.x's. */
  private static final String[] STARTED = {"Start-Class", "Main-Verticle"};

  /** What starts the tests of a build or an IDE; nothing of it is the application's. */
  private static final String[] TEST_RUNNERS = {
    "org/apache/maven/surefire/",
    "worker/org/gradle/",
    "com/intellij/rt/",
    "org/eclipse/jdt/",
    "org/junit/platform/console/",
    "sbt/"
  };

  /** A class with its package, among the arguments of a launcher. */
  private static final Pattern CLASS = Pattern.compile("([\\w$]+\\.)+[\\w$]+");

  /** Names the application's class to a launcher that finds it by itself, such as Spark's. */
  private static final String CLASS_OPTION = "--class";

  /** Arguments that are looked at. */
  private static final int MAX_ARGUMENTS = 20;

  private static final String BUFFER = "netty/buffer/ByteBuf.class";

  /** Internal name of the class that the JVM starts. */
  private final String name;

  /** Internal name of the application's class that it starts, the same as a rule. */
  private final String started;

  /** What stands behind it on the command line. */
  private final List<String> arguments;

  MainClass(String name, String started) {
    this(name, started, "");
  }

  /**
   * @param arguments separated by blanks
   */
  MainClass(String name, String started, String arguments) {
    this.name = name;
    this.started = started;
    List<String> all = List.of(arguments.trim().split("\\s+", MAX_ARGUMENTS + 1));
    this.arguments = all.subList(0, Math.min(MAX_ARGUMENTS, all.size()));
  }

  /**
   * Reads the command line that the JVM reports, and the manifest where it names a jar. For what
   * runs tests the answer is that nothing is known.
   *
   * @param properties those of the JVM
   */
  public static MainClass of(Properties properties) {
    MainClass main = started(properties);
    for (String runner : TEST_RUNNERS) {
      if (main.name.startsWith(runner)) {
        return UNKNOWN;
      }
    }
    return main;
  }

  private static MainClass started(Properties properties) {
    String command = properties.getProperty("sun.java.command", "").trim();
    String path = properties.getProperty("java.class.path", "");
    if (!path.isEmpty() && (command.equals(path) || command.startsWith(path + " "))) {
      return ofJar(new File(path), command.substring(path.length()));
    }
    String[] parts = command.split(" ", 2);
    String arguments = parts.length < 2 ? "" : parts[1];
    String first = parts[0];
    if (first.endsWith(".jar")) {
      // Its class path is another by now: Surefire's fork sets the one of the tests.
      return ofJar(new File(first), arguments);
    }
    if (first.equals(properties.getProperty("jdk.module.main"))) {
      return ofModule(first, arguments);
    }
    String name = internal(first.substring(first.indexOf('/') + 1));
    return new MainClass(name, name, arguments);
  }

  /** Where a module alone is named, it says itself what its main class is. */
  private static MainClass ofModule(String module, String arguments) {
    String name =
        ModuleLayer.boot()
            .findModule(module)
            .map(Module::getDescriptor)
            .flatMap(ModuleDescriptor::mainClass)
            .orElse(null);
    return name == null ? UNKNOWN : new MainClass(internal(name), internal(name), arguments);
  }

  private static MainClass ofJar(File file, String arguments) {
    try (JarFile jar = new JarFile(file, false)) {
      Manifest manifest = jar.getManifest();
      String name = manifest == null ? null : value(manifest, Attributes.Name.MAIN_CLASS);
      if (manifest == null || name == null) {
        return UNKNOWN;
      }
      String started = startedBy(manifest);
      return new MainClass(name, started == null ? name : started, arguments);
    } catch (IOException | RuntimeException e) {
      // The JVM cannot start it either, or a jar that was taken away since.
      return UNKNOWN;
    }
  }

  /** Internal name of the application's class that a manifest names for a launcher. */
  static @Nullable String startedBy(Manifest manifest) {
    for (String attribute : STARTED) {
      String started = value(manifest, new Attributes.Name(attribute));
      if (started != null) {
        return started;
      }
    }
    return null;
  }

  /** Internal names that stand among its arguments, be they of classes or not. */
  List<String> classesInArguments() {
    List<String> names = new ArrayList<>();
    for (String each : arguments) {
      if (CLASS.matcher(each).matches()) {
        names.add(internal(each));
      }
    }
    return names;
  }

  /** Whether an option says of one of these that it is the application's. */
  boolean isOption(String internalName) {
    int at = arguments.indexOf(Names.binary(internalName));
    return at > 0 && arguments.get(at - 1).equals(CLASS_OPTION);
  }

  private static @Nullable String value(Manifest manifest, Attributes.Name attribute) {
    String value = manifest.getMainAttributes().getValue(attribute);
    return value == null ? null : internal(value.trim());
  }

  private static String internal(String name) {
    return name.replace('.', '/');
  }

  /** Whether this is the class that the JVM starts. */
  boolean isNamed(String internalName) {
    return internalName.equals(name);
  }

  /** Whether its internal name begins so. */
  boolean startsWith(String prefix) {
    return name.startsWith(prefix);
  }

  /** Whether a manifest says which class of the application's it starts. */
  boolean namesStarted() {
    return !started.equals(name);
  }

  /** Where a directory or a jar has it. */
  String file() {
    return name + ".class";
  }

  /**
   * Whether a class of another jar is probably of the same build, by its package. The first part of
   * a package alone says nothing of that.
   */
  boolean isOfSameBuild(String internalName) {
    return root().indexOf('/') > 0 && isRelated(internalName);
  }

  /** Whether a class of the same jar is probably by the same people, by its package. */
  boolean isRelated(String internalName) {
    String root = root();
    return root.isEmpty() ? internalName.indexOf('/') < 0 : internalName.startsWith(root + '/');
  }

  private String root() {
    return rootOf(started.substring(0, Math.max(0, started.lastIndexOf('/'))));
  }

  /** The first two parts of a package; the first three where the first two say little. */
  static String rootOf(String packageName) {
    int second = end(packageName, packageName.indexOf('/'));
    String root = packageName.substring(0, second);
    return SHARED.contains(root) ? packageName.substring(0, end(packageName, second)) : root;
  }

  /** The end of the name's part that begins behind {@code slash}. */
  private static int end(String packageName, int slash) {
    int next = slash < 0 ? -1 : packageName.indexOf('/', slash + 1);
    return next < 0 ? packageName.length() : next;
  }

  /** Package of the application's class that is started, {@code com.example}, or empty. */
  public String packageName() {
    return Names.binary(started.substring(0, Math.max(0, started.lastIndexOf('/'))));
  }

  /** Whether a jar holds Netty beside the application's classes, and so perhaps other libraries. */
  static boolean holdsLibraries(URL location) {
    if (!location.getProtocol().equals("file")) {
      return false;
    }
    try (ZipFile jar = new ZipFile(Paths.get(URI.create("file:" + location.getPath())).toFile())) {
      Enumeration<? extends ZipEntry> entries = jar.entries();
      while (entries.hasMoreElements()) {
        if (entries.nextElement().getName().endsWith(BUFFER)) {
          return true;
        }
      }
      return false;
    } catch (IOException | RuntimeException e) {
      // Rather too few hops than those of all libraries.
      return true;
    }
  }
}
