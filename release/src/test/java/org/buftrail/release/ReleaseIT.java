package org.buftrail.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Looks into what is to be published. */
final class ReleaseIT {
  private static final Path RELEASE = Path.of(System.getProperty("release.directory", ""));
  private static final Path ROOT = Path.of(System.getProperty("release.root", ""));
  private static final String VERSION = System.getProperty("release.version", "");
  private static final Path ARTIFACTS = RELEASE.resolve("repository/org/buftrail");

  @TempDir private Path directory;

  private static Path artifact(String name, String end) {
    return ARTIFACTS.resolve(name).resolve(VERSION).resolve(name + "-" + VERSION + end);
  }

  private static List<String> names(Path zip) throws IOException {
    try (ZipFile file = new ZipFile(zip.toFile())) {
      return file.stream().map(ZipEntry::getName).toList();
    }
  }

  private static byte[] bytes(JarFile jar, String entry) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getJarEntry(entry))) {
      return in.readAllBytes();
    }
  }

  @Test
  void theAgentIsWholeAndBringsNoNetty() throws Exception {
    Path file = artifact("buftrail", ".jar");
    assertThat(Files.mismatch(file, RELEASE.resolve("buftrail.jar"))).isEqualTo(-1);
    assertThat(names(file)).noneMatch(name -> name.startsWith("demo") || name.contains("netty-"));
    Path withDemo = ROOT.resolve("dist/target/buftrail.jar");
    try (JarFile agent = new JarFile(file.toFile());
        JarFile tested = new JarFile(withDemo.toFile())) {
      for (String name : names(withDemo)) {
        if (name.matches(".*\\.class(data)?|META-INF/LICENSE.*")) {
          assertThat(bytes(agent, name)).as(name).isEqualTo(bytes(tested, name));
        }
      }
      assertThat(agent.getManifest().getMainAttributes())
          .containsAllEntriesOf(
              tested.getManifest().getMainAttributes().entrySet().stream()
                  .filter(entry -> !entry.getKey().toString().matches("Created-By|Ant-Version"))
                  .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
      assertThat(new String(bytes(agent, "META-INF/NOTICE"), StandardCharsets.UTF_8))
          .contains("picocli", "ASM")
          .doesNotContain("Netty");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "buftrail",
        "buftrail-convert",
        "buftrail-flow",
        "buftrail-junit",
        "buftrail-metrics",
        "buftrail-model",
        "buftrail-spark",
        "buftrail-sql"
      })
  void eachClassHasItsSourceAndEachArtifactItsDocuments(String name) throws Exception {
    List<String> sources = names(artifact(name, "-sources.jar"));
    List<String> classes =
        names(artifact(name, ".jar")).stream()
            .filter(entry -> entry.matches("(agent/)?org/buftrail/.*\\.class(data)?"))
            .filter(entry -> !entry.contains("/shaded/"))
            .map(entry -> entry.replaceFirst("^agent/", ""))
            .map(entry -> entry.replaceFirst("(\\$.*)?\\.class(data)?$", ".java"))
            .distinct()
            .toList();
    assertThat(classes).isNotEmpty();
    assertThat(sources).containsAll(classes);
    assertThat(names(artifact(name, "-javadoc.jar"))).contains("index.html");
    JsonNode sbom = new ObjectMapper().readTree(artifact(name, "-cyclonedx.json").toFile());
    assertThat(sbom.at("/bomFormat").asText()).isEqualTo("CycloneDX");
    assertThat(sbom.at("/metadata/component/name").asText()).isEqualTo(name);
    List<String> parts = sbom.at("/components").findValuesAsText("name");
    if (name.equals("buftrail")) {
      assertThat(parts).contains("asm", "picocli");
    }
    assertThat(parts)
        .doesNotContain("netty-buffer", "assertj-core", "spark-sql_2.13", "micrometer-core");
  }

  @Test
  void thePomsSayWhatARepositoryAsksFor() throws Exception {
    assertThat(Files.readString(artifact("buftrail-parent", ".pom")))
        .contains("<url>", "<licenses>", "<developers>", "<scm ", "<connection>");
    String bom = Files.readString(artifact("buftrail-bom", ".pom"));
    try (Stream<Path> artifacts = Files.list(ARTIFACTS)) {
      List<String> names = artifacts.map(place -> place.getFileName().toString()).toList();
      assertThat(names).hasSize(10);
      for (String name : names) {
        assertThat(Files.readString(artifact(name, ".pom"))).contains("<name>", "<description>");
        if (!name.matches("buftrail-(parent|bom)")) {
          assertThat(bom).contains("<artifactId>" + name + "</artifactId>");
        }
      }
    }
  }

  @Test
  void eachFileHasItsSum() throws Exception {
    Map<String, String> sums = new TreeMap<>();
    for (String line : Files.readAllLines(RELEASE.resolve("SHA256SUMS"))) {
      String[] parts = line.split("  ", 2);
      sums.put(parts[1], parts[0]);
    }
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.walk(RELEASE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        byte[] sum = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        found.put(RELEASE.relativize(file).toString(), HexFormat.of().formatHex(sum));
      }
    }
    found.remove("SHA256SUMS");
    assertThat(sums).isEqualTo(found).hasSizeGreaterThan(25);
  }

  @Test
  void theArchiveRunsWithoutMaven() throws Exception {
    run("tar", "-xzf", RELEASE.resolve("buftrail-" + VERSION + ".tar.gz").toString());
    Path home = directory.resolve("buftrail-" + VERSION);
    try (Stream<Path> files = Files.walk(home)) {
      TreeSet<String> unpacked = new TreeSet<>();
      files
          .filter(Files::isRegularFile)
          .forEach(file -> unpacked.add(directory.relativize(file).toString()));
      assertThat(unpacked)
          .contains(
              "buftrail-" + VERSION + "/LICENSE",
              "buftrail-" + VERSION + "/NOTICE",
              "buftrail-" + VERSION + "/lib/licenses/LICENSE-duckdb.txt",
              "buftrail-" + VERSION + "/lib/licenses/LICENSE-jline.txt");
      assertThat(names(RELEASE.resolve("buftrail-" + VERSION + ".zip")))
          .filteredOn(name -> !name.endsWith("/"))
          .containsExactlyInAnyOrderElementsOf(unpacked);
    }
    String buftrail = home.resolve("bin/buftrail").toString();
    assertThat(run(buftrail, "--version")).contains(VERSION);
    Path recording = ROOT.resolve("jfr/src/test/resources/recordings/jdk21.jfr.gz");
    run(buftrail, "convert", recording.toString(), "-o", "x.otlp");
    assertThat(run(buftrail, "check", "x.otlp")).contains("x.otlp: conformant");
    assertThat(
            run(
                buftrail,
                "sql",
                "select 6 * count(*) > 0 as some from samples",
                recording.toString()))
        .contains("true");
    assertThat(run(buftrail, "demo", "--seconds", "1", "--out", "out"))
        .containsPattern("planted \\d+ leaks, found \\d+");
    Path share = home.resolve("share");
    assertThat(share.resolve("man/man1/buftrail.1")).content().contains(".TH", "convert");
    for (String shell : List.of("bash", "zsh", "fish")) {
      assertThat(Files.readString(share.resolve("completions/buftrail." + shell)))
          .isEqualTo(run(buftrail, "completion", shell));
    }
    assertThat(Files.readString(home.resolve("bin/buftrail.cmd")).replace("\r\n", ""))
        .isNotEmpty()
        .doesNotContain("\n");
  }

  @Test
  void theFirstRunMakesAnArchiveOfTheClasses() throws Exception {
    run("tar", "-xzf", RELEASE.resolve("buftrail-" + VERSION + ".tar.gz").toString());
    Path home = directory.resolve("buftrail-" + VERSION);
    String buftrail = home.resolve("bin/buftrail").toString();
    run(buftrail, "--version");
    assertThat(home.resolve("lib")).isDirectoryNotContaining("glob:**.jsa");
    Path tools = directory.resolve("tools");
    for (String tool : List.of("cat", "cksum", "mkdir", "mv", "rm", "touch")) {
      Files.createSymbolicLink(tools.resolve(tool), Path.of("/usr/bin", tool));
    }
    run(buftrail, "--version");
    assertThat(home.resolve("lib")).isDirectoryContaining("glob:**/classes-*.jsa");
  }

  /** On a path with little more than the shell's own tools. */
  private String run(String... command) throws IOException, InterruptedException {
    Path tools = Files.createDirectories(directory.resolve("tools"));
    for (String tool : List.of("tar", "gzip", "dirname", "find", "readlink", "sh")) {
      if (!Files.exists(tools.resolve(tool))) {
        Files.createSymbolicLink(tools.resolve(tool), Path.of("/usr/bin", tool));
      }
    }
    Path said = directory.resolve("said");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("PATH", tools.toString());
    Process process = builder.start();
    assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    return Files.readString(said);
  }
}
