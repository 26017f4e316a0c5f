package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The line of the README that installs the artifacts, on a copy of the sources and of what this
 * build has compiled: that they compile is known.
 */
final class InstallIT {
  private static final Path ROOT = Path.of(Setting.property("buftrail.it.root"));
  private static final String VERSION = Setting.property("buftrail.version");
  private static final Set<String> NOT_COPIED = Set.of(".git", "node_modules");

  /** Modules of which nothing is installed, and which have made much. */
  private static final Set<String> SOURCES_ONLY = Set.of("it", "benchmarks", "flow-jcstress");

  @TempDir private Path directory;

  @Test
  void installsWhatBuildsDependOn() throws Exception {
    Path project = directory.resolve("project");
    // The other artifacts are links: Maven may not write to the repository of the build.
    Path repository = Files.createDirectories(directory.resolve("repository"));
    Path local = Path.of(Setting.property("buftrail.it.repository"));
    InTestsSamplesIT.link(local, repository, "org");
    Path org = Files.createDirectories(repository.resolve("org"));
    InTestsSamplesIT.link(local.resolve("org"), org, "buftrail");
    copy(project, Map.of(ROOT.toString(), project.toString(), "" + local, "" + repository));

    run(project, line() + " --offline --batch-mode -Dmaven.repo.local=" + repository);

    for (String artifact : List.of("buftrail-junit", "buftrail-metrics", "buftrail-convert")) {
      Path place = org.resolve("buftrail").resolve(artifact).resolve(VERSION);
      assertThat(place.resolve(artifact + "-" + VERSION + ".jar")).isNotEmptyFile();
      assertThat(place.resolve(artifact + "-" + VERSION + ".pom")).isNotEmptyFile();
    }
    assertThat(org.resolve("buftrail/buftrail-parent/" + VERSION)).isNotEmptyDirectory();
  }

  private static String line() throws IOException {
    List<String> lines = ShellLines.in(ROOT.resolve("README.md"));
    return lines.stream().filter(line -> line.startsWith("mvn install ")).findFirst().orElseThrow();
  }

  private void run(Path project, String line) throws IOException, InterruptedException {
    Path out = directory.resolve("maven.txt");
    String maven = Setting.property("buftrail.it.maven");
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", line.replaceFirst("^mvn", "'" + maven + "'"))
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    builder.environment().put("JAVA_HOME", Setting.OWN_JAVA.toString());
    builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    builder.environment().remove("MAVEN_ARGS");
    Process process = builder.start();
    if (!process.waitFor(15, TimeUnit.MINUTES)) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    assertThat(process.exitValue()).as(Files.readString(out)).isZero();
  }

  /** What the compiler was given stands in lists, by the full name of each file. */
  private static void copy(Path to, Map<String, String> names) throws IOException {
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes)
              throws IOException {
            String name = from.getFileName().toString();
            boolean isOther = SOURCES_ONLY.contains(ROOT.relativize(from).getName(0).toString());
            if (NOT_COPIED.contains(name) || (name.equals("target") && isOther)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(to.resolve(ROOT.relativize(from)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Path copy = to.resolve(ROOT.relativize(file));
            Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
            if (file.toString().endsWith(".lst")) {
              String text = Files.readString(file);
              for (Map.Entry<String, String> name : names.entrySet()) {
                text = text.replace(name.getKey(), name.getValue());
              }
              Files.writeString(copy, text);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
