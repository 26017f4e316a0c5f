package org.buftrail.junit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What each JVM of one run found, in files of its own below {@code parts}, so that several JVMs
 * make one report.
 *
 * <p>JVMs are of one run if the same JVM started them. Maven's lives for one build. Others, such as
 * Gradle's or an IDE's, live on: of these, a run goes on only if one of its JVMs wrote shortly
 * before this JVM started, or later.
 *
 * <p>To be used by one JVM at a time; {@link LeakReport} holds a lock.
 */
final class ReportParts {
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final String MAVEN = "org.codehaus.plexus.classworlds.launcher.Launcher";
  private static final String JAVA = ".*[/\\\\]javaw?(\\.exe)?";
  private static final String BEFORE = "before.json";
  private static final String RUN = "run";

  /** The file of the report. */
  final Path report;

  private final Path directory;
  private final String run;
  private final String name;
  private final Instant since;

  /**
   * @param report its directory
   * @param run what JVMs of one run have in common
   * @param name of this JVM
   * @param since when another JVM of the run must have written at least
   */
  ReportParts(Path report, String run, String name, Instant since) {
    this.report = report;
    this.directory = report.resolve("parts");
    this.run = run;
    this.name = "jvm-" + name;
    this.since = since;
  }

  static ReportParts ofThisJvm(Path report) {
    ProcessHandle self = ProcessHandle.current();
    ProcessHandle starter = starter(self);
    Instant since =
        starter.info().commandLine().orElse("").contains(MAVEN)
            ? Instant.MIN
            : self.info().startInstant().orElse(Instant.now()).minus(PAUSE);
    String started = starter.info().startInstant().map(Instant::toString).orElse("");
    return new ReportParts(
        report, starter.pid() + " " + started, String.valueOf(self.pid()), since);
  }

  /** The JVM that started this one, perhaps through a shell; else this one. */
  private static ProcessHandle starter(ProcessHandle self) {
    Optional<ProcessHandle> at = self.parent();
    while (at.isPresent()) {
      if (at.get().info().command().filter(command -> command.matches(JAVA)).isPresent()) {
        return at.get();
      }
      at = at.get().parent();
    }
    return self;
  }

  /** Held by the JVM that writes. */
  Path lock() throws IOException {
    Files.createDirectories(directory);
    return directory.resolve("lock");
  }

  /**
   * Begins a run, unless it has begun: what was found before becomes what is compared with.
   *
   * @param last report of the run before, which need not exist
   */
  void begin(Path last) throws IOException {
    if (isSameRun()) {
      return;
    }
    Files.deleteIfExists(before());
    for (Path part : all("")) {
      Files.delete(part);
    }
    if (Files.exists(last)) {
      Files.copy(last, before(), StandardCopyOption.REPLACE_EXISTING);
    }
    Files.writeString(directory.resolve(RUN), run);
  }

  private boolean isSameRun() throws IOException {
    Path file = directory.resolve(RUN);
    try {
      return Files.readString(file).equals(run)
          && !Files.getLastModifiedTime(file).toInstant().isBefore(since);
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** The report of the run before, which need not exist. */
  Path before() {
    return directory.resolve(BEFORE);
  }

  /** This JVM's own part, in place of what it wrote before. */
  Path own(String extension) throws IOException {
    Files.writeString(directory.resolve(RUN), run);
    return directory.resolve(name + extension);
  }

  /** The parts of all JVMs, in a constant order. */
  List<Path> all(String extension) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> isPart(file, extension)).sorted().collect(Collectors.toList());
    }
  }

  private static boolean isPart(Path file, String extension) {
    String name = file.getFileName().toString();
    return name.startsWith("jvm-") && name.endsWith(extension);
  }
}
