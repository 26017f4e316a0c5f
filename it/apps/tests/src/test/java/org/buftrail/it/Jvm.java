package org.buftrail.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A JVM that applications run on, by its home. */
record Jvm(Path home) {
  /** The one of the tests, and the last of those given. */
  static Stream<Jvm> all() {
    String[] more = System.getProperty("buftrail.it.jvms", "").split(",", -1);
    Path own = Path.of(System.getProperty("java.home"));
    String last = more[more.length - 1].strip();
    return Stream.of(own, last.isEmpty() ? own : Path.of(last)).distinct().map(Jvm::new);
  }

  Path java() {
    return home.resolve("bin").resolve("java");
  }

  boolean hasModule(String name) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(java().toString(), "--list-modules").redirectErrorStream(true).start();
    String modules = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return modules.lines().anyMatch(line -> line.startsWith(name + "@"));
  }

  @Override
  public String toString() {
    return home.toString();
  }
}
