package org.buftrail.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots of many paths in little memory. */
@Tag("slow")
@Timeout(300)
final class LargeSnapshotTest {
  private static final int PATHS = 100_000;
  private static final int HOPS = 12;
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir private Path directory;

  @Test
  void aHundredThousandPathsNeedNoMoreThan256Megabytes() throws Exception {
    Path before = snapshot("before.json", 1);
    Path after = snapshot("after.json", 2);
    assertThat(Files.size(before)).isGreaterThan(100_000_000);

    Path page = directory.resolve("x.html");
    assertThat(run("report", before.toString(), "-o", page.toString()))
        .endsWith("x.html: 100000 paths as html\n");
    assertThat(run("diff", before.toString(), after.toString())).contains("leaked_objects");
  }

  private static String run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(JAVA, "-Xmx256m", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(Main.class.getName());
    Collections.addAll(command, arguments);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  /** Paths that share their first hops; each of the last 5,000 leaks some. */
  private Path snapshot(String name, int leaked) throws IOException {
    Path file = directory.resolve(name);
    try (Writer out = Files.newBufferedWriter(file)) {
      out.write("{\"format\":\"buftrail.flows\",\"version\":1,\"sampling\":1,");
      out.write("\"takenAt\":\"2026-01-31T12:00:00Z\",\"paths\":[");
      for (int path = 0; path < PATHS; path++) {
        out.write(path == 0 ? "\n" : ",\n");
        out.write(path(path, path >= PATHS - 5_000 ? leaked : 0));
      }
      out.write("]}\n");
    }
    return file;
  }

  private static String path(int number, int leaked) {
    List<String> hops = new ArrayList<>();
    List<String> sites = new ArrayList<>();
    for (int hop = 0; hop < HOPS; hop++) {
      int method = number >> Math.max(0, HOPS - 1 - hop);
      String name = "Handler" + method % 500;
      hops.add('"' + name + ".handle:" + method % 997 + '"');
      sites.add(
          "{\"class\":\"com.example.shop."
              + name
              + "\",\"method\":\"handle\",\"line\":"
              + (method % 997 + 1)
              + "}");
    }
    return "{\"hops\":["
        + String.join(",", hops)
        + "],\"refs\":["
        + String.join(",", Collections.nCopies(HOPS, "\"1-2\""))
        + "],\"sites\":["
        + String.join(",", sites)
        + "],\"direct\":true,\"released\":3,\"releasedBytes\":300,\"leaked\":"
        + leaked
        + ",\"leakedBytes\":"
        + 256 * leaked
        + "}";
  }
}
