package org.buftrail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packed jar in a cluster of two executors, driven from Python. */
final class ClusterIT {
  private static final Path HOME = Path.of(System.getProperty("spark.home"));
  private static final Path JAR = Path.of(System.getProperty("buftrail.spark.jar"));

  @TempDir private Path directory;

  private String submit(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(HOME.resolve("bin/spark-submit").toString());
    command.addAll(
        List.of("--master", "local-cluster[2,1,1024]", "--conf", "spark.ui.enabled=false"));
    command.addAll(Arrays.asList(arguments));
    Path out = directory.resolve("out.txt");
    Path err = directory.resolve("err.txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.environment().put("PYSPARK_PYTHON", HOME.resolve("bin/python3").toString());
    builder.directory(directory.toFile());
    int exit = builder.start().waitFor();
    assertThat(exit).as(Files.readString(err)).isZero();
    return Files.readString(out, StandardCharsets.UTF_8);
  }

  @Test
  void bothExecutorsReadPartsOfOneRecording() throws Exception {
    Path file =
        Recordings.joined(
            directory.resolve("large.jfr"), "jdk11", "jdk21", "jdk25", "async-profiler", "jdk11");
    String out =
        submit(
            "--jars",
            JAR.toString(),
            Path.of("src/test/python/ask.py").toAbsolutePath().toString(),
            file.toString(),
            "200000");
    String answer =
        out.lines().filter(line -> line.startsWith("ANSWER ")).collect(Collectors.joining());
    JsonNode read = new ObjectMapper().readTree(answer.substring("ANSWER ".length()));

    Map<String, List<Long>> sums = new TreeMap<>();
    for (Map.Entry<String, JsonNode> kind : read.get("sums").properties()) {
      List<Long> values = new ArrayList<>();
      kind.getValue().forEach(value -> values.add(value.asLong()));
      sums.put(kind.getKey(), values);
    }
    Map<String, List<Long>> converted = Recordings.converted(file);
    assertThat(sums).isEqualTo(converted);
    assertThat(read.get("view").asLong())
        .isEqualTo(converted.values().stream().mapToLong(sum -> sum.get(0)).sum());
    assertThat(read.get("parts").asInt()).isGreaterThan(5);
    assertThat(read.at("/tasks/0").asInt()).isPositive();
    assertThat(read.at("/tasks/1").asInt()).isPositive();
  }

  @Test
  void theJobRunsThere() throws Exception {
    Path out = directory.resolve("dataset");
    String said =
        submit(
            "--class",
            FleetJob.class.getName(),
            JAR.toString(),
            "dataset",
            Recordings.packed("jdk21").toString(),
            out.toString());
    assertThat(said).contains("added 1, there before 0, with damages 0");
    assertThat(out.resolve("recordings")).isNotEmptyDirectory();
  }

  @Test
  void theJarHoldsOursAlone() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(jar.stream().map(Object::toString))
          .allMatch(
              name ->
                  name.startsWith("org/buftrail/")
                      || name.startsWith("META-INF/")
                      || name.equals("org/"))
          .contains(
              "org/buftrail/spark/JfrSource.class",
              "org/buftrail/jfr/RowReader.class",
              "META-INF/services/org.apache.spark.sql.sources.DataSourceRegister");
    }
  }
}
