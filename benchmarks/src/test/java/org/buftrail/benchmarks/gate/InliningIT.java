package org.buftrail.benchmarks.gate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the optimising compiler says that it did with the hot path. */
final class InliningIT {
  private static final Pattern CALL =
      Pattern.compile(
          "@ \\d+\\s+org\\.buftrail\\.flow\\.(?:[a-z]+\\.)?(\\w+::\\w+) \\(\\d+ bytes\\)\\s+(.*)");

  @TempDir private Path directory;

  @Test
  void theHotPathIsInlinedIntoWhatItIsWovenInto() throws IOException, InterruptedException {
    String[] jvmArgs = {
      "-XX:-TieredCompilation",
      // As a JVM has it with all its compilers. Less would make it matter what is compiled first.
      "-XX:InlineSmallCode=2500",
      "-XX:+UnlockDiagnosticVMOptions",
      "-XX:+PrintCompilation",
      "-XX:+PrintInlining"
    };
    String log = ForkedWorkload.run(directory, true, 300_000, jvmArgs).log();
    List<String> inlined = new ArrayList<>();
    List<String> forced = new ArrayList<>();
    List<String> tooLarge = new ArrayList<>();
    for (Matcher m = CALL.matcher(log); m.find(); ) {
      String decision = m.group(2);
      if (decision.startsWith("inline") || decision.startsWith("accessor")) {
        inlined.add(m.group(1));
      } else if (decision.startsWith("force inline by annotation")) {
        forced.add(m.group(1));
      } else if (decision.contains("hot method too big")) {
        tooLarge.add(m.group(1) + ": " + decision);
      }
    }
    assertThat(inlined)
        .contains(
            "Buffers::allocated",
            "Births::idle",
            "Births::passesOver",
            "Births::enter",
            "Buffers::released",
            "Releases::end",
            "Node::existingEnd",
            "ThreadRings::own",
            "ThreadRing::enter",
            "ThreadRing::leave",
            "EndCounts::add");
    assertThat(forced)
        .contains("Buffers::hop", "Moves::move", "Moves::step", "Moves::store", "FlowState::key")
        .contains("Node::next");
    assertThat(tooLarge).as("hot, and not inlined for its size").isEmpty();
  }
}
