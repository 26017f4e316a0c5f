package org.buftrail.it;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** A Spark driver and its two executors, which are JVMs of their own. */
final class SparkIT extends ApplicationTests {
  private static final List<String> OPENED =
      List.of("java.lang", "java.lang.invoke", "java.util", "java.nio", "sun.nio.ch");

  /** Runs where Spark does; what it asks for, small JREs do not all have. */
  static List<Jvm> jvms() throws IOException, InterruptedException {
    List<Jvm> jvms = new ArrayList<>();
    for (Jvm jvm : ApplicationTests.jvms()) {
      if (jvm.hasModule("jdk.incubator.vector")) {
        jvms.add(jvm);
      } else {
        System.err.println("Spark is not tested on " + jvm + ", which has no jdk.incubator.vector");
      }
    }
    assumeThat(jvms).as("JVMs that Spark runs on").isNotEmpty();
    return jvms;
  }

  @Override
  List<String> commandLine() {
    List<String> line = new ArrayList<>();
    for (String name : OPENED) {
      line.add("--add-opens=java.base/" + name + "=ALL-UNNAMED");
    }
    line.addAll(shop("spark", "spark"));
    line.add(classes("spark").toString());
    return line;
  }

  /** Its executors look for Spark in the directory that it runs in. */
  @Override
  void prepare(Path directory) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(
            Attributes.Name.CLASS_PATH,
            libraries("spark").stream().map(jar -> jar.toUri().toString()).collect(joining(" ")));
    Path jars = Files.createDirectory(directory.resolve("jars"));
    try (OutputStream out = Files.newOutputStream(jars.resolve("spark.jar"))) {
      new JarOutputStream(out, manifest).close();
    }
  }

  /** As Spark's scripts set it, and on this host alone. */
  @Override
  Map<String, String> environment() {
    return Map.of("SPARK_SCALA_VERSION", "2.13", "SPARK_LOCAL_IP", "127.0.0.1");
  }

  @Override
  String include() {
    return "org.buftrail.apps.spark";
  }

  @Override
  String lostAt() {
    return "PooledByteBufAllocator.directBuffer > OrderCodec.encode > OrderCodec.encode_return"
        + " > OrderCodec.pass";
  }

  @Override
  int calls() {
    return 12;
  }

  @Override
  int load() {
    return 20;
  }
}
