package org.buftrail.museum;

import static java.util.stream.Collectors.joining;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.buftrail.it.Setting;

/** Has Maven find what each exhibit runs on: a module of one build for each class path. */
final class ClassPaths {
  static final String HEAD =
      "<project><modelVersion>4.0.0</modelVersion><groupId>museum</groupId><version>1</version>";

  /** Native libraries for many platforms, which some frameworks ask for and work without. */
  private static final String WITHOUT_NATIVES =
      Stream.of(
              "netty-codec-native-quic",
              "netty-resolver-dns-native-macos",
              "netty-transport-native-epoll")
          .map(name -> "<exclusion><groupId>io.netty</groupId><artifactId>" + name)
          .collect(
              joining(
                  "</artifactId></exclusion>",
                  "<exclusions>",
                  "</artifactId></exclusion></exclusions>"));

  private final Path directory;
  private final Map<String, List<String>> modules = new TreeMap<>();

  ClassPaths(Path directory) {
    this.directory = directory;
  }

  /** A class path as the JVM takes it. */
  static String join(List<Path> entries) {
    return entries.stream().map(Path::toString).collect(joining(File.pathSeparator));
  }

  void add(String name, List<String> dependencies) {
    modules.put(name, dependencies);
  }

  void resolve() throws IOException, InterruptedException {
    StringBuilder parent = new StringBuilder(HEAD);
    parent.append("<artifactId>museum</artifactId><packaging>pom</packaging><modules>");
    for (Map.Entry<String, List<String>> module : modules.entrySet()) {
      parent.append("<module>").append(module.getKey()).append("</module>");
      Path own = Files.createDirectories(directory.resolve(module.getKey()));
      Files.writeString(own.resolve("pom.xml"), pom(module.getKey(), module.getValue()));
    }
    Files.writeString(directory.resolve("pom.xml"), parent + "</modules></project>");
    maven(
        directory,
        "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:build-classpath",
        "-Dmdep.outputFile=classpath.txt");
  }

  /** Runs Maven in a directory, whose {@code maven.txt} then has what it said. */
  static void maven(Path directory, String... arguments) throws IOException, InterruptedException {
    Path log = directory.resolve("maven.txt");
    List<String> line = new ArrayList<>();
    line.add(Setting.property("buftrail.it.maven"));
    line.add("--batch-mode");
    line.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().put("JAVA_HOME", Setting.OWN_JAVA.toString());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process maven = builder.start();
    if (!maven.waitFor(20, TimeUnit.MINUTES) || maven.exitValue() != 0) {
      maven.destroyForcibly();
      throw new IllegalStateException(Files.readString(log));
    }
  }

  private static String pom(String name, List<String> dependencies) {
    StringBuilder pom = new StringBuilder(HEAD);
    pom.append("<artifactId>").append(name).append("</artifactId><dependencies>");
    for (String dependency : dependencies) {
      String[] parts = dependency.split(":", -1);
      pom.append("<dependency><groupId>").append(parts[0]).append("</groupId><artifactId>");
      pom.append(parts[1]).append("</artifactId><version>").append(parts[2]);
      pom.append("</version>");
      if (parts.length > 3) {
        pom.append("<classifier>").append(classifier(parts[3])).append("</classifier>");
      }
      pom.append(WITHOUT_NATIVES).append("</dependency>");
    }
    return pom + "</dependencies></project>";
  }

  /** The one given, or in place of {@code native} that of this machine. */
  private static String classifier(String given) {
    if (!given.equals("native")) {
      return given;
    }
    String system = System.getProperty("os.name").startsWith("Mac") ? "osx" : "linux";
    String processor = System.getProperty("os.arch").equals("aarch64") ? "aarch_64" : "x86_64";
    return system + "-" + processor;
  }

  List<Path> of(String name) throws IOException {
    String text = Files.readString(directory.resolve(name).resolve("classpath.txt")).strip();
    return new ArrayList<>(Stream.of(text.split(File.pathSeparator, -1)).map(Path::of).toList());
  }
}
