package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A method and its return are one line of texts. */
final class ShownHopsTest {
  private static final String ROOT = "a.Pool.buffer";

  @ParameterizedTest
  @CsvSource({
    // Behind its method, whatever the line.
    "a.B.make:3 a.B.make_return:7 a.C.use:9, Pool.buffer > B.make:3 > C.use:9",
    "a.B.make:3 a.B.make_return:7 a.B.make_return:8 a.C.use:9, Pool.buffer > B.make:3 > C.use:9",
    // Where the path ends, and where the method is not the hop before.
    "a.B.make:3 a.B.make_return:7, Pool.buffer > B.make:3 > B.make:7 (returned)",
    "a.D.poll_return:5 a.C.use:9, Pool.buffer > D.poll:5 (returned) > C.use:9",
    "a.B.make:3 a.D.make_return:7 a.C.use:9, Pool.buffer > B.make:3 > D.make:7 (returned) >"
        + " C.use:9",
    "a.B.make:3 a.C.use:9, Pool.buffer > B.make:3 > C.use:9"
  })
  void aReturnIsFoldedIntoItsMethod(String hops, String shown) throws IOException {
    StringBuilder text = new StringBuilder();
    TreeReport.hops(path(hops).hops(), text);
    assertThat(text).hasToString(shown);
  }

  @Test
  void whatHasNoReturnIsNotCopied() {
    List<Path.Hop> hops = path("a.B.make:3 a.C.use:9").hops();
    assertThat(ShownHops.of(hops)).isSameAs(hops);
  }

  @Test
  void countsOfThePathsStayInEachText() throws IOException {
    Snapshot snapshot = snapshot("a.B.make:3 a.B.make_return:7 a.C.use:9");
    StringBuilder tree = new StringBuilder();
    TreeReport.write(snapshot, tree);
    assertThat(tree.toString())
        .contains("last seen in a.C.use:9 with reference count 1-2\n")
        .contains("        2         -         -         -  Pool.buffer [1-2]\n")
        .contains("        2         -         -         -  B.make:3 [1-2]\n")
        .contains(
            "        2         -         2         -  C.use:9 [1-2]  <== LEAK CRITICAL, 64 B\n")
        .doesNotContain("_return");
    StringBuilder lines = new StringBuilder();
    LlmReport.write(snapshot, lines);
    assertThat(lines.toString())
        .contains(" path=a.Pool.buffer[1-2] > a.B.make:3[1-2] > a.C.use:9[1-2]\n")
        .doesNotContain("_return");
    StringBuilder graph = new StringBuilder();
    GraphReport.mermaid(snapshot, graph);
    assertThat(graph.toString()).contains("  n0 -->|2| n1[\"B.make:3 [1-2]\"]\n  n1 -->|2| n2[");
    StringBuilder stacks = new StringBuilder();
    CollapsedReport.write(snapshot, stacks);
    assertThat(stacks)
        .hasToString("a.Pool.buffer;a.B.make:3;a.B.make_return:7;a.C.use:9;[leaked] 2\n");
  }

  @Test
  void aPathThatEndsWithAReturnSaysSo() throws IOException {
    Snapshot snapshot = snapshot("a.B.make:3 a.B.make_return:7");
    StringBuilder tree = new StringBuilder();
    TreeReport.write(snapshot, tree);
    assertThat(tree.toString())
        .contains("last seen in a.B.make:7 with reference count 1-2, returned to its caller\n")
        .contains("a.B.make:7 (returned)  <== last seen here\n")
        .contains("B.make:7 [1-2] (returned)  <== LEAK")
        .doesNotContain("_return");
    StringBuilder lines = new StringBuilder();
    LlmReport.write(snapshot, lines);
    assertThat(lines.toString()).contains(" > a.B.make:3[1-2] > a.B.make:7[1-2](returned)\n");
  }

  @Test
  void misusesNeither() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    List<String> hops = List.of(ROOT, "a.B.make:3", "a.B.make_return:7", "a.ByteBuf.release [0]");
    b.misuse(Misuse.Kind.DOUBLE_RELEASE, "a.E.end:1", 2, hops, List.of());
    StringBuilder text = new StringBuilder();
    MisuseText.write(b.build(), text);
    assertThat(text.toString().lines().map(String::strip).collect(Collectors.toList()))
        .endsWith("1-2  a.Pool.buffer", "1-2  a.B.make:3", "0  a.ByteBuf.release");
  }

  private static Path path(String hops) {
    return snapshot(hops).paths().get(0);
  }

  private static Snapshot snapshot(String hops) {
    SnapshotBuilder b = new SnapshotBuilder();
    b.direct((ROOT + " " + hops).split(" ")).leaked(2, 64).add();
    return b.build();
  }
}
