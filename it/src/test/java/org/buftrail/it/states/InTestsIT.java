package org.buftrail.it.states;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.it.ForkedJvm;
import org.buftrail.it.Jars;
import org.buftrail.it.Setting;
import org.buftrail.it.leaktests.RunTests;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The report of a run of tests, whose ledger the tests keep themselves. */
final class InTestsIT {
  private static final Path EXTENSION = Path.of(Setting.property("buftrail.it.junit-extension"));
  private static final Pattern ROW =
      Pattern.compile("\\| \\S+OpenTests\\.(\\w+)\\(\\) \\| (.*?) \\| (.*?) \\| (\\S+) \\| .*\\|");

  private static final List<State> LEFT_OPEN =
      List.of(
          State.of(
              "Left open by tests",
              "leaked",
              "leakedBytes",
              "direct.leaked",
              "heap.leaked",
              "forget.leaked",
              "forget.leakedBytes",
              "keep.leaked",
              "resource.leaked"),
          State.of("Misused in tests", "misuses", "releaseAgain.releases"));

  @TempDir private Path directory;

  @ParameterizedTest(name = "{0}")
  @MethodSource(Jvms.SETTINGS)
  void theReportOfARun(Setting setting) throws Exception {
    List<Path> classPath = new ArrayList<>(List.of(Setting.PROGRAMS, EXTENSION));
    classPath.addAll(Jars.in(Path.of(Setting.property("buftrail.it.junit")).resolve("5")));
    classPath.addAll(setting.nettyJars());
    ForkedJvm.Result run =
        new ForkedJvm(directory)
            .on(setting)
            .classPath(classPath)
            .option("-Dbuftrail.test.grace=100")
            .agent(
                EXTENSION,
                "report=flows.json;resource=org.buftrail.it.states.Lease:open=new,close=close")
            .run(RunTests.class, "results.tsv", "1", "sequential", OpenTests.class.getName());
    assertThat(run.exit()).as(run.err()).isZero();
    Map<String, Long> ledger = Scene.ledger(directory.resolve("ledger-1"));
    Path report = directory.resolve("target/buftrail");
    Cells cells = new Cells("in tests", LEFT_OPEN);
    cells.take("leaks.json", json(Files.readAllBytes(report.resolve("leaks.json"))), ledger);
    cells.take("leaks.md", markdown(Files.readString(report.resolve("leaks.md"))), ledger);
    Told attached = new Told();
    for (String line : Files.readAllLines(directory.resolve("results.tsv.attached"))) {
      String[] parts = line.split("\t", -1);
      if (parts[1].equals("buftrail.leaks")) {
        attached.plus(json(parts[2].getBytes(StandardCharsets.UTF_8)));
      }
    }
    cells.take("report entries of the tests", attached, ledger);
    try (Chromium chromium = new Chromium()) {
      chromium.readFile(cells, report.resolve("leaks.html"), ledger);
    }
    Cells.assertRight(cells);
    Document.check("in tests", cells);
  }

  /** What it has is what leaked, and no more was allocated. */
  private static Told json(byte[] json) throws Exception {
    return JsonReader.read(json).move("allocated", "told");
  }

  /** {@code | test | open | bytes | last seen at | new |}. */
  private static Told markdown(String text) {
    Told told = new Told();
    Matcher head = Pattern.compile("(?m)^([\\d,]+) left open, ([\\d.,]+ \\w+), by").matcher(text);
    if (head.find()) {
      told.put("leaked", Words.count(head.group(1)));
      told.put("leakedBytes", Words.bytes(head.group(2)));
    }
    Map<String, Long> misuses = new HashMap<>();
    for (String line : text.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches() && row.group(2).matches("[\\d,]+")) {
        String place = Words.place(row.group(4).replaceAll("\\(.*", ""));
        told.row(place, "leaked", Words.count(row.group(2)), Words.bytes(row.group(3)));
      } else if (row.matches()) {
        Matcher misuse = Pattern.compile("([\\d,]+) x double release").matcher(row.group(2));
        if (misuse.matches()) {
          misuses.merge(Words.place(row.group(4)), Words.count(misuse.group(1)), Long::sum);
        }
      }
    }
    misuses.forEach((place, count) -> told.row(place, "releases", count));
    return told;
  }
}
