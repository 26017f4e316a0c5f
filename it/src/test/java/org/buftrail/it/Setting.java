package org.buftrail.it;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * One cell of the matrix: a JVM and a Netty version.
 *
 * @param javaHome home of the JVM that runs the program
 * @param netty version, as in {@code 4.2.0.Final}
 */
record Setting(Path javaHome, String netty) {
  /** The JVM that the tests themselves run on. */
  static final Path OWN_JAVA = Path.of(System.getProperty("java.home"));

  /** The packaged jar. */
  static final Path JAR = file("buftrail.jar");

  /** The classes of the programs. */
  static final Path PROGRAMS = file("buftrail.it.programs");

  /** The newest Netty on the JVM of the tests. */
  static Setting newest() {
    List<String> versions = nettys();
    return new Setting(OWN_JAVA, versions.get(versions.size() - 1));
  }

  /** Every cell. */
  static Stream<Setting> all() {
    List<Path> homes = new ArrayList<>(List.of(OWN_JAVA));
    for (String home : property("buftrail.it.jvms").split(",", -1)) {
      if (!home.isBlank()) {
        homes.add(Path.of(home.strip()));
      }
    }
    return homes.stream().flatMap(home -> nettys().stream().map(netty -> new Setting(home, netty)));
  }

  static List<String> nettys() {
    return List.of(property("buftrail.it.nettys").split(","));
  }

  /** The programs, and every Netty jar of this version. */
  String classPath() {
    Path jars = file("buftrail.it.netty").resolve(netty);
    return PROGRAMS + File.pathSeparator + jars + File.separator + "*";
  }

  /** An embedded database with its driver. */
  static Path database() {
    return file("buftrail.it.database");
  }

  /** 11, 17, ..., as the JVM's file {@code release} says. */
  int javaVersion() {
    return lines(javaHome.resolve("release"))
        .filter(line -> line.startsWith("JAVA_VERSION="))
        .map(line -> line.substring(line.indexOf('"') + 1, line.lastIndexOf('"')))
        .mapToInt(version -> Runtime.Version.parse(version).feature())
        .findFirst()
        .orElseThrow();
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every Netty jar of this version. */
  List<Path> nettyJars() {
    return Jars.in(file("buftrail.it.netty").resolve(netty));
  }

  /** A jar that shares a JVM or a loader with the agent, by its name. */
  static Path loading(String name) {
    return file("buftrail.it.loading").resolve(name);
  }

  /** The jar of the meters, which an application may bring itself. */
  static Path metrics() {
    return file("buftrail.it.metrics");
  }

  /** The native transports of this version, if they are at hand. */
  Path natives() {
    return file("buftrail.it.natives").resolve(netty);
  }

  /** It came with 4.1.110. */
  boolean hasAdaptiveAllocator() {
    return !netty.startsWith("4.1.100.");
  }

  Path java() {
    return javaHome.resolve("bin").resolve("java");
  }

  @Override
  public String toString() {
    return "Netty " + netty + " on " + javaHome.getFileName();
  }

  private static Path file(String property) {
    Path file = Path.of(property(property));
    if (!Files.exists(file)) {
      throw new IllegalStateException(file + " is missing; run the tests with mvn verify");
    }
    return file;
  }

  static String property(String name) {
    String value = System.getProperty(name);
    if (value == null) {
      throw new IllegalStateException(name + " is not set; run the tests with mvn verify");
    }
    return value;
  }

  /**
   * The settings of a parameterized test: the JVM of the tests with every Netty, and every other
   * Java version with one Netty, which the name of the test chooses. So each test meets each JVM
   * and each Netty, and the tests together meet each pair. {@code -Dbuftrail.it.matrix=full} takes
   * all pairs for each test.
   */
  static final class All implements ArgumentsProvider {
    @Override
    public Stream<? extends Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      Method test = context.getRequiredTestMethod();
      EachSetting wanted = AnnotationSupport.findAnnotation(test, EachSetting.class).orElseThrow();
      List<Setting> matching = matching(wanted);
      boolean full = property("buftrail.it.matrix").equals("full");
      return (full ? matching : covering(matching, test.getName())).stream().map(Arguments::of);
    }

    private static List<Setting> matching(EachSetting wanted) {
      String newest = newest().netty();
      return all()
          .filter(setting -> !wanted.adaptive() || setting.hasAdaptiveAllocator())
          .filter(setting -> !wanted.netty42() || setting.netty().startsWith("4.2."))
          .filter(setting -> !wanted.newestNetty() || setting.netty().equals(newest))
          .filter(setting -> !wanted.ownJvm() || setting.javaHome().equals(OWN_JAVA))
          .filter(setting -> setting.javaVersion() >= wanted.java())
          .filter(setting -> !wanted.natives() || Files.exists(setting.natives()))
          .collect(Collectors.toList());
    }

    private static List<Setting> covering(List<Setting> matching, String test) {
      Map<Path, List<Setting>> byJvm =
          matching.stream()
              .collect(
                  Collectors.groupingBy(
                      Setting::javaHome, LinkedHashMap::new, Collectors.toList()));
      List<Setting> chosen = new ArrayList<>();
      Set<Integer> versions = new HashSet<>();
      int turn = Math.floorMod(test.hashCode(), 1 << 16);
      for (List<Setting> ofJvm : byJvm.values()) {
        if (!versions.add(ofJvm.get(0).javaVersion())) {
          continue;
        }
        if (ofJvm.get(0).javaHome().equals(OWN_JAVA)) {
          chosen.addAll(ofJvm);
        } else {
          chosen.add(ofJvm.get(turn++ % ofJvm.size()));
        }
      }
      return chosen;
    }
  }
}
