package org.buftrail.benchmarks.gate;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/**
 * A {@link Workload} in a JVM of its own.
 *
 * @param bytes for each operation, by kind of buffer
 * @param log what the JVM printed
 */
record ForkedWorkload(Properties bytes, String log) {
  private static final long LIMIT_SECONDS = 300;

  static ForkedWorkload run(Path directory, boolean agent, int warmUp, String... jvmArgs)
      throws IOException, InterruptedException {
    Path result = directory.resolve("bytes.properties");
    Path log = directory.resolve("log.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(jvmArgs));
    command.add("-Dio.netty.leakDetection.level=disabled");
    if (agent) {
      String jar = System.getProperty("buftrail.jar");
      command.add("-javaagent:" + jar + "=include=org.buftrail.benchmarks.gate");
    }
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Workload.class.getName(), result.toString(), String.valueOf(warmUp)));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    String printed = Files.readString(log);
    if (!ended || process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed:\n" + printed);
    }
    Properties bytes = new Properties();
    try (Reader in = Files.newBufferedReader(result)) {
      bytes.load(in);
    }
    return new ForkedWorkload(bytes, printed);
  }

  double bytes(String kind) {
    return Double.parseDouble(bytes.getProperty(kind));
  }
}
