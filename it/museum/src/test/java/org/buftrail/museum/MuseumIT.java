package org.buftrail.museum;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.buftrail.it.ForkedJvm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each exhibit under the packaged agent, without an option and with one, and under the detector.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MuseumIT {
  private static final Path DIRECTORY = Path.of("target/exhibits").toAbsolutePath();
  private static final String REPAIRED = "-repaired";

  private final ClassPaths classPaths = new ClassPaths(DIRECTORY);
  private final Map<Exhibit, Row> rows = new TreeMap<>(Page.ORDER);

  static Stream<Exhibit> exhibits() throws IOException {
    return Exhibit.all().stream().filter(exhibit -> Only.isShown(exhibit.name()));
  }

  @BeforeAll
  void resolve() throws Exception {
    for (Exhibit exhibit : exhibits().toList()) {
      classPaths.add(exhibit.name(), exhibit.dependencies());
      if (!exhibit.isOwn()) {
        classPaths.add(exhibit.name() + REPAIRED, exhibit.repairedDependencies());
      }
    }
    classPaths.resolve();
  }

  @ParameterizedTest
  @MethodSource("exhibits")
  void isShown(Exhibit exhibit) throws Exception {
    compile(exhibit);
    List<Path> classPath = classPaths.of(exhibit.name());
    classPath.add(classes(exhibit));
    Lambdas lambdas = new Lambdas(classPath);
    JsonNode plain = lambdas.replaced(report(exhibit, exhibit.name(), "plain", ""));
    @Nullable Named include =
        exhibit.isOwn()
            ? null
            : Named.by(
                lambdas.replaced(
                    report(
                        exhibit, exhibit.name(), "include", "include=" + exhibit.include() + ";")),
                exhibit.culprits());
    Row row =
        new Row(
            Named.by(plain, exhibit.culprits()),
            include,
            Named.byDetector(lambdas.replaced(detected(exhibit)), exhibit.culprits()),
            Contrasted.of(plain, said(exhibit), exhibit.others()));
    rows.put(exhibit, row);
    assertThat(plain.path("totals").path("leaked").asLong() + plain.path("misuses").size())
        .as("the mistake shows")
        .isPositive();
    JsonNode repaired =
        exhibit.isOwn()
            ? report(exhibit, exhibit.name(), "clean", "")
            : report(exhibit, exhibit.name() + REPAIRED, "repaired", "");
    assertThat(repaired.path("totals").path("leaked").asLong()).as("leaks when repaired").isZero();
    assertThat(repaired.path("misuses")).as("misuses when repaired").isEmpty();
  }

  @AfterAll
  void page() throws Exception {
    System.out.println(Page.table(rows));
    if (Only.isEverything()) {
      Page.compare(rows);
    }
  }

  private void compile(Exhibit exhibit) throws IOException {
    Path classes = Files.createDirectories(classes(exhibit));
    SourceFiles.compile(
        exhibit.source(),
        Exhibit.ROOT,
        ClassPaths.join(classPaths.of(exhibit.name())),
        classes,
        "-proc:none");
  }

  private static Path classes(Exhibit exhibit) {
    return DIRECTORY.resolve(exhibit.name()).resolve("classes");
  }

  private JsonNode report(Exhibit exhibit, String classPath, String run, String options)
      throws Exception {
    Path directory = directory(exhibit, run);
    ForkedJvm jvm = new ForkedJvm(directory).agent(options + "report=flows.json,flows.txt");
    String output = run(jvm, exhibit, classPath, "-Dmuseum.clean=" + run.equals("clean"));
    Files.writeString(directory.resolve("output.txt"), output);
    return new ObjectMapper().readTree(directory.resolve("flows.json").toFile());
  }

  /** What the exhibit printed when it ran without options. */
  private static String said(Exhibit exhibit) throws IOException {
    return Files.readString(directory(exhibit, "plain").resolve("output.txt"));
  }

  private String detected(Exhibit exhibit) throws Exception {
    ForkedJvm jvm =
        new ForkedJvm(directory(exhibit, "detector"))
            .option("-Dio.netty.leakDetection.level=paranoid");
    return run(jvm, exhibit, exhibit.name(), "-Dmuseum.detector=true");
  }

  private static Path directory(Exhibit exhibit, String run) throws IOException {
    return Files.createDirectories(DIRECTORY.resolve(exhibit.name()).resolve(run));
  }

  private String run(ForkedJvm jvm, Exhibit exhibit, String classPath, String property)
      throws Exception {
    List<Path> entries = classPaths.of(classPath);
    entries.add(classes(exhibit));
    ForkedJvm.Result result =
        jvm.withRoom()
            .option("-XX:TieredStopAtLevel=1")
            .option(property)
            .runCommand("-cp", ClassPaths.join(entries), exhibit.mainClass());
    assertThat(result.exit()).as(result.err()).isZero();
    return result.err() + result.out();
  }
}
