package org.buftrail.it;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One cell of the matrix: a JVM and a Netty version.
 *
 * @param javaHome home of the JVM that runs the program
 * @param netty version, as in {@code 4.2.0.Final}
 */
public record Setting(Path javaHome, String netty) {
  /** The JVM that the tests themselves run on. */
  public static final Path OWN_JAVA = Path.of(System.getProperty("java.home"));

  /** The packaged jar. */
  public static final Path JAR = file("buftrail.jar");

  /** The classes of the programs. */
  public static final Path PROGRAMS = file("buftrail.it.programs");

  /** The newest Netty on the JVM of the tests. */
  public static Setting newest() {
    List<String> versions = nettys();
    return new Setting(OWN_JAVA, versions.get(versions.size() - 1));
  }

  /** Those of the JVMs, that of the tests first. */
  public static List<Path> homes() {
    List<Path> homes = new ArrayList<>(List.of(OWN_JAVA));
    for (String home : property("buftrail.it.jvms").split(",", -1)) {
      if (!home.isBlank()) {
        homes.add(Path.of(home.strip()));
      }
    }
    return homes;
  }

  public static List<String> nettys() {
    return List.of(property("buftrail.it.nettys").split(","));
  }

  /** The programs, and every Netty jar of this version. */
  public String classPath() {
    Path jars = file("buftrail.it.netty").resolve(netty);
    return PROGRAMS + File.pathSeparator + jars + File.separator + "*";
  }

  /** Buffers of Netty, and what they need, of many versions. */
  static Path versions() {
    return file("buftrail.it.versions");
  }

  /** An embedded database with its driver. */
  public static Path database() {
    return file("buftrail.it.database");
  }

  /** A library whose buffers count their holders, and which is not Netty. */
  public static Path bson() {
    return file("buftrail.it.bson");
  }

  /** Apache Arrow's buffers, and what these need. */
  public static List<Path> arrow() {
    return Jars.in(file("buftrail.it.arrow"));
  }

  /** 11, 17, ..., as the JVM's file {@code release} says. */
  public int javaVersion() {
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

  /** Whether it is one of those that take less time; none is, where all pairs are asked for. */
  public boolean isQuick() {
    return !netty.equals(newest().netty) && !property("buftrail.it.matrix").equals("full");
  }

  /** Every Netty jar of this version. */
  public List<Path> nettyJars() {
    return Jars.in(file("buftrail.it.netty").resolve(netty));
  }

  /** A jar that shares a JVM or a loader with the agent, by its name. */
  public static Path loading(String name) {
    return file("buftrail.it.loading").resolve(name);
  }

  /** Netty's DNS codec and OpenSSL, of the newest Netty. */
  static List<Path> things() {
    return Jars.in(file("buftrail.it.things"));
  }

  /** The jar of the meters, which an application may bring itself. */
  public static Path metrics() {
    return file("buftrail.it.metrics");
  }

  /** The native transports of this version, if they are at hand. */
  public Path natives() {
    return file("buftrail.it.natives").resolve(netty);
  }

  /** It came with 4.1.110. */
  public boolean hasAdaptiveAllocator() {
    return !netty.startsWith("4.1.100.");
  }

  public Path java() {
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

  public static String property(String name) {
    String value = System.getProperty(name);
    if (value == null) {
      throw new IllegalStateException(name + " is not set; run the tests with mvn verify");
    }
    return value;
  }
}
