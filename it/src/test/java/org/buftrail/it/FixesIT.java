package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.buftrail.it.programs.Mistakes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * docs/fix-a-leak.md: its mistakes leak, its fixes do not, its pictures and its code are those of
 * {@link Mistakes}. With {@code -Dbuftrail.docs=update} the pictures are drawn anew.
 */
final class FixesIT {
  private static final Path ROOT = Path.of(Setting.property("buftrail.it.root"));
  private static final Path PAGE = ROOT.resolve("docs/fix-a-leak.md");
  private static final Path SOURCES = ROOT.resolve("it/src/main/java/org/buftrail/it");

  /** Blocks of code, and statements within the text. */
  private static final Pattern CODE = Pattern.compile("(?s)```java\n(.*?)```|`([^`\n]+;)`");

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "1, Mistakes.number_return > Mistakes.first > Mistakes.idOf",
    "2, Mistakes$Heartbeats.channelRead",
    "3, Mistakes.nameOf",
    "4, Mistakes.answer > ByteBuf.retain",
    "5, Mistakes$Batches.channelRead"
  })
  void theMistakeLeaksAndItsFixDoesNot(int number, String end) throws Exception {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(Setting.newest())
            .agent(FlowCases.INCLUDE + ";report=flows.json,flows.mmd")
            .run(Mistakes.class, Integer.toString(number));
    assertThat(result.exit()).as(result.err()).isZero();
    FlowsFile flows = FlowsFile.read(directory.resolve("flows.json"));
    assertThat(flows.isBalanced()).isTrue();
    assertThat(flows.total("live")).isZero();
    assertThat(flows.total("leaked")).isEqualTo(2);
    assertThat(flows.paths())
        .filteredOn(path -> path.leaked() > 0)
        .singleElement()
        .satisfies(path -> assertThat(path.hops()).endsWith(end));
    picture(number, Files.readString(directory.resolve("flows.mmd")));
  }

  private static void picture(int number, String drawn) throws IOException {
    String page = Files.readString(PAGE);
    String begin = "<!-- picture " + number + ": made by FixesIT -->\n";
    int from = page.indexOf(begin) + begin.length();
    int to = page.indexOf("<!-- end of picture " + number + " -->");
    assertThat(to).isGreaterThanOrEqualTo(from);
    String picture = "```mermaid\n" + drawn.strip() + "\n```\n";
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      Files.writeString(PAGE, page.substring(0, from) + picture + page.substring(to));
    } else {
      assertThat(page.substring(from, to))
          .as("-Dbuftrail.docs=update writes it anew")
          .isEqualTo(picture);
    }
  }

  /** Line by line, however far it is indented there. */
  @Test
  void theCodeIsThatOfTheSources() throws IOException {
    List<String> sources = new ArrayList<>();
    for (String file : List.of("programs/Mistakes.java", "leaktests/MistakeTests.java")) {
      Files.readAllLines(SOURCES.resolve(file)).forEach(line -> sources.add(line.strip()));
    }
    String all = String.join("\n", sources);
    List<MatchResult> blocks = CODE.matcher(Files.readString(PAGE)).results().toList();
    assertThat(blocks).hasSize(15);
    for (MatchResult block : blocks) {
      String code = block.group(1) == null ? block.group(2) : block.group(1);
      List<String> lines = code.lines().map(String::strip).toList();
      assertThat(all).contains(String.join("\n", lines));
    }
  }
}
