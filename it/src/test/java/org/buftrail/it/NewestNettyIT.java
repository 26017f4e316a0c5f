package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.buftrail.it.programs.Versions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The newest release of each line of Netty, which nobody has pinned: {@code it/fetch-newest-netty}
 * fetches it, and {@code -Dbuftrail.it.newest} says where it is. Where it is not, the newest of the
 * build stand in.
 *
 * <p>A release that came today fails no build. That its byte code differs from what is known is
 * said, and that something is counted wrong too; with {@code -Dbuftrail.it.newest.strict=true} the
 * latter is a failure.
 */
final class NewestNettyIT {
  private static final String BUFFER = "netty-buffer-";
  private static final Path SAID = Path.of("target/newest-netty.txt");

  @TempDir private Path directory;

  private static String version(Path jar) {
    String name = jar.getFileName().toString();
    return name.substring(BUFFER.length(), name.length() - ".jar".length());
  }

  /** 4.1, 4.2. */
  private static String line(String version) {
    return version.substring(0, version.indexOf('.', version.indexOf('.') + 1));
  }

  private static int patch(String version) {
    return Integer.parseInt(version.split("\\.", -1)[2]);
  }

  private static Stream<Path> buffers(Path jars) {
    return Jars.in(jars).stream()
        .filter(jar -> jar.getFileName().toString().matches(BUFFER + "[\\d.]+\\.Final\\.jar"));
  }

  /** The newest of each line that the build has, by the line. */
  private static Map<String, Path> pinned() {
    Map<String, Path> newest = new TreeMap<>();
    buffers(Setting.versions())
        .forEach(
            jar ->
                newest.merge(
                    line(version(jar)),
                    jar,
                    (a, b) -> patch(version(a)) > patch(version(b)) ? a : b));
    return newest;
  }

  static List<Path> newest() {
    String fetched = System.getProperty("buftrail.it.newest", "");
    return fetched.isBlank()
        ? List.copyOf(pinned().values())
        : buffers(Path.of(fetched)).sorted().toList();
  }

  @Test
  void theNewestOfTheBuildAreKnown() throws Exception {
    Map<String, Map<String, String>> found = new TreeMap<>();
    for (Map.Entry<String, Path> each : pinned().entrySet()) {
      found.put(each.getKey(), KnownNettys.digests(each.getValue()));
    }
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      KnownNettys.write(found);
    }
    assertThat(found).containsOnlyKeys("4.1", "4.2").isEqualTo(KnownNettys.read());
    assertThat(found.get("4.2")).containsKeys("ByteBuf", "AbstractReferenceCountedByteBuf");
  }

  @Test
  void whatDiffersIsNamed() {
    Map<String, String> known = Map.of("A", "1", "B", "2", "C", "3");
    assertThat(KnownNettys.difference(known, known)).isEmpty();
    assertThat(KnownNettys.difference(known, Map.of("A", "1", "B", "9", "D", "4")))
        .isEqualTo(" changed: B; new: D; gone: C;");
  }

  @ParameterizedTest
  @MethodSource("newest")
  void whatIsFollowedIsCountedRightAndAnythingElseIsSaid(Path jar) throws Exception {
    String version = version(jar);
    String difference =
        KnownNettys.difference(
            KnownNettys.read().getOrDefault(line(version), Map.of()), KnownNettys.digests(jar));
    if (!difference.isEmpty()) {
      say("Netty " + version + " differs from what is known:" + difference);
    }
    try {
      assertFollowedOrRefused(jar);
    } catch (AssertionError e) {
      if (Boolean.getBoolean("buftrail.it.newest.strict") || difference.isEmpty()) {
        throw e;
      }
      say("Netty " + version + " is not counted right: " + e.getMessage());
    }
  }

  private void assertFollowedOrRefused(Path jar) throws Exception {
    Path common = jar.resolveSibling("netty-common-" + version(jar) + ".jar");
    ForkedJvm jvm = new ForkedJvm(directory).classPath(List.of(Setting.PROGRAMS, jar, common));
    VersionsIT.QUICK.forEach(jvm::option);
    ForkedJvm.Result result =
        jvm.agent("include=org.buftrail.it.programs;report=flows.json")
            .run(Versions.class, "ledger");
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    String why = flows.tracker("stopReason");
    if (why.isEmpty()) {
      VersionsIT.assertCounted(flows, directory.resolve("ledger"));
    } else {
      assertThat(flows.paths()).isEmpty();
      assertThat(result.err()).contains(why);
      say("Netty " + version(jar) + " is not followed, and that is said: " + why);
    }
  }

  /** Prints a line to the log of the build; on GitHub, a note of the run. */
  private static void say(String line) throws IOException {
    String text = line.replace('\n', ' ') + "\n";
    Files.writeString(
        SAID, text, StandardCharsets.UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    System.err.print((System.getenv("GITHUB_ACTIONS") == null ? "" : "::warning::") + text);
  }
}
