package org.buftrail.benchmarks.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Bytes of code of the hot path: up to 35 the compiler inlines anywhere, up to 325 where it is hot.
 *
 * <p>Where it is called matters too. A method that was inlined before its calls were counted has no
 * frequencies, so a hop in it is nowhere hot; JDK 17 inlines it there if it is small.
 */
final class CodeSizeTest {
  private static final int INLINED_ANYWHERE = 35;
  private static final int INLINED_WHERE_HOT = 325;

  private static final Pattern METHOD = Pattern.compile("  \\S.* ([\\w$]+)\\(.*\\).*;");
  private static final String CLASS_INITIALIZER = "  static {};";
  private static final Pattern INSTRUCTION = Pattern.compile(" +(\\d+): .*");

  @Test
  void whatAdviceCallsIsInlinedWhereItIsHot() throws IOException, URISyntaxException {
    Map<String, Integer> sizes = sizes("Buffers");
    assertThat(sizes).containsKeys("allocated", "hop", "requested", "retained", "released");
    for (String name : List.of("Buffers", "Births", "Moves", "Releases", "FlowState", "Stamp")) {
      assertThat(sizes(name).values())
          .as(name)
          .isNotEmpty()
          .allMatch(size -> size <= INLINED_WHERE_HOT);
    }
  }

  @Test
  void whatEveryHopRunsIsInlinedAnywhere() throws IOException, URISyntaxException {
    assertThat(sizes("Buffers").get("hop")).isLessThanOrEqualTo(INLINED_ANYWHERE);
    assertThat(sizes("Node").get("next")).isLessThanOrEqualTo(INLINED_ANYWHERE);
    assertThat(sizes("Node").get("end")).isLessThanOrEqualTo(INLINED_ANYWHERE);
    assertThat(sizes("FlowState").get("setStateOpaque")).isLessThanOrEqualTo(INLINED_ANYWHERE);
    assertThat(sizes("FlowState").get("stampOpaque")).isLessThanOrEqualTo(INLINED_ANYWHERE);
    assertThat(sizes("ThreadRings").get("stripe")).isLessThanOrEqualTo(INLINED_ANYWHERE);
  }

  /** The largest of each name: the offset of its last instruction, and a byte for that. */
  private static Map<String, Integer> sizes(String simpleName)
      throws IOException, URISyntaxException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        ToolProvider.findFirst("javap")
            .orElseThrow()
            .run(
                new PrintWriter(out),
                new PrintWriter(err),
                "-c",
                "-p",
                "-cp",
                RuntimeClasses.place().toString(),
                RuntimeClasses.name(simpleName));
    assertThat(exit).as(err.toString()).isZero();
    Map<String, Integer> sizes = new HashMap<>();
    String method = "";
    for (String line : out.toString().lines().toList()) {
      Matcher header = METHOD.matcher(line);
      Matcher instruction = INSTRUCTION.matcher(line);
      if (header.matches()) {
        method = header.group(1);
      } else if (line.equals(CLASS_INITIALIZER)) {
        method = "<clinit>";
      } else if (instruction.matches()) {
        sizes.merge(method, Integer.parseInt(instruction.group(1)) + 1, Math::max);
      }
    }
    return sizes;
  }
}
