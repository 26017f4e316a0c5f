package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.buftrail.model.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DiffCommandTest {
  @TempDir private Path directory = Path.of("");

  private static String path(String method, int released, int leaked, int live) {
    return """
    {"hops":["Alloc.directBuffer","Orders.%1$s"],"refs":["1-2","1-2"],
     "sites":[{"class":"io.netty.Alloc","method":"directBuffer"},
              {"class":"com.example.Orders","method":"%1$s","line":%2$d}],
     "direct":true,"released":%2$d,"leaked":%3$d,"live":%4$d,
     "releasedBytes":%5$d,"leakedBytes":%6$d,"liveBytes":%7$d}\
    """
        .formatted(method, released, leaked, live, 100 * released, 100 * leaked, 100 * live);
  }

  private String flows(String name, int allocated, String... paths) throws IOException {
    String text =
        """
        {"format":"buftrail.flows","version":1,"takenAt":"2026-01-31T12:00:00Z","sampling":1,
         "totals":{"allocated":%d,"overflowed":0,"suppressedErrors":0},
         "paths":[%s]}
        """
            .formatted(allocated, String.join(",", paths));
    return Files.writeString(directory.resolve(name), text).toString();
  }

  /** What an agent of other rules would write. */
  private String byOtherRules(String name, String flows) throws IOException {
    return byRules(7, name, flows);
  }

  private String byRules(int rules, String name, String flows) throws IOException {
    String text = Files.readString(Path.of(flows));
    return Files.writeString(
            directory.resolve(name),
            text.replace("\"sampling\":1", "\"sampling\":1,\"hopRules\":" + rules))
        .toString();
  }

  @Test
  void pathsByDifferentRulesAreNotCompared() throws IOException {
    String older = base();
    String other = byOtherRules("other.json", next());
    Run run = Run.of("diff", older, other, "--fail-on", "new-leak");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .startsWith(
            "buftrail: "
                + older
                + " and "
                + other
                + " have paths by different rules of hops (1 and 7), so that one program leaks on"
                + " other paths; take both with one version of the agent");
    assertThat(Run.of("diff", other, older).err()).contains("(7 and 1)");
    assertThat(Run.of("diff", byOtherRules("base2.json", base()), other).exit()).isZero();
    assertThat(Run.of("diff", older, next()).exit()).isZero();
  }

  @Test
  void pathsWithFewerHopsAreNotComparedWithAll() throws IOException {
    String all = byRules(Snapshot.HOP_RULES, "all.json", base());
    String fewer = byRules(Snapshot.HOP_RULES_FEWER, "fewer.json", next());
    String remedy = "take both with fewerHops=true, or both without";
    Run run = Run.of("diff", all, fewer, "--fail-on", "new-leak");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err().lines()).singleElement().asString().contains("(4 and 5)", remedy);
    Run sum = Run.of("report", all, fewer);
    assertThat(sum.exit()).isEqualTo(1);
    assertThat(sum.err().lines())
        .singleElement()
        .asString()
        .isEqualTo(
            "buftrail: "
                + fewer
                + ": its hops are by other rules than those of "
                + all
                + "; "
                + remedy);
  }

  @Test
  void rulesAreKnownInOtlpToo() throws IOException {
    String other = byOtherRules("other.json", next());
    String otlp = directory.resolve("other.otlp").toString();
    assertThat(Run.of("report", other, "-o", otlp).exit()).isZero();
    assertThat(Run.of("diff", base(), otlp).exit()).isEqualTo(2);
    assertThat(Run.of("diff", other, otlp).exit()).isZero();
  }

  /** 100 flows, 4 of them leaked, 6 live. */
  private String base() throws IOException {
    return flows("base.json", 100, path("send", 90, 0, 6), path("drop", 0, 4, 0));
  }

  /** Twice as many, 8 leaked on the old path and 2 on a new one; nothing is live. */
  private String next() throws IOException {
    return flows(
        "new.json", 200, path("send", 190, 0, 0), path("drop", 0, 8, 0), path("lose", 0, 2, 0));
  }

  private JsonNode json(String... options) throws IOException {
    Path out = directory.resolve("diff.json");
    String[] all = new String[options.length + 3];
    all[0] = "diff";
    System.arraycopy(options, 0, all, 1, options.length);
    all[all.length - 2] = "-o";
    all[all.length - 1] = out.toString();
    Run run = Run.of(all);
    assertThat(run.err()).isEmpty();
    assertThat(run.exit()).isZero();
    return new ObjectMapper().readTree(Files.readString(out));
  }

  /** Files keep the two hops of a method that returns a buffer; a text has one. */
  @Test
  void aReturnIsOneWithItsMethod() throws IOException {
    String lost =
        """
        {"hops":["Alloc.directBuffer","Orders.make","Orders.make_return","Orders.lose"],
         "refs":["1-2","1-2","1-2","1-2"],
         "sites":[{"class":"io.netty.Alloc","method":"directBuffer"},
                  {"class":"com.example.Orders","method":"make","line":3},
                  {"class":"com.example.Orders","method":"make_return","line":4},
                  {"class":"com.example.Orders","method":"lose","line":9}],
         "direct":true,"released":0,"leaked":5,"live":0,
         "releasedBytes":0,"leakedBytes":500,"liveBytes":0}\
        """;
    String now = flows("lost.json", 100, path("send", 90, 0, 6), lost);
    String shown = "Orders.lose < Orders.make < Alloc.directBuffer\n";
    Run run = Run.of("diff", base(), now, "--fail-on", "new-leak", "--normalize", "none");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).contains("new     " + shown, "new leak: 5 on " + shown);
    assertThat(Run.of("diff", base(), now, "--lines").out())
        .contains("Orders.lose:9 < Orders.make:3 < Alloc.directBuffer\n");
  }

  private static JsonNode measure(JsonNode diff, String type) {
    for (JsonNode measure : diff.get("measures")) {
      if (measure.get("type").asText().equals(type)) {
        return measure;
      }
    }
    throw new AssertionError(type + " is not in " + diff);
  }

  @Test
  void flowsAreComparedForTheSameNumberOfAllocations() throws IOException {
    JsonNode diff = json(base(), next());
    JsonNode leaked = measure(diff, "leaked_space");
    assertThat(leaked.get("normalizedBy").asText()).isEqualTo("allocations");
    assertThat(leaked.get("factor").asText()).isEqualTo("2");
    assertThat(leaked.get("measuredBase").asLong()).isEqualTo(400);
    assertThat(leaked.get("base").asLong()).isEqualTo(800);
    assertThat(leaked.get("error").asLong()).isZero();
    assertThat(leaked.get("new").asLong()).isEqualTo(1_000);
    assertThat(leaked.get("changes")).hasSize(1);
    JsonNode change = leaked.get("changes").get(0);
    assertThat(change.get("change").asText()).isEqualTo("new");
    assertThat(change.get("new").asLong()).isEqualTo(200);
    assertThat(change.get("frames").toString())
        .isEqualTo("[\"io.netty.Alloc.directBuffer\",\"com.example.Orders.lose\"]");
  }

  @Test
  void whatIsLiveIsNotScaledAndVanishes() throws IOException {
    JsonNode live = measure(json(base(), next()), "live_objects");
    assertThat(live.get("factor").asText()).isEqualTo("1");
    assertThat(live.get("changes").get(0).get("change").asText()).isEqualTo("gone");
    assertThat(live.get("changes").get(0).get("base").asLong()).isEqualTo(6);
  }

  @Test
  void withoutScalingTheOldLeakGrewToo() throws IOException {
    JsonNode leaked = measure(json(base(), next(), "--normalize", "none"), "leaked_objects");
    assertThat(leaked.get("base").asLong()).isEqualTo(4);
    assertThat(leaked.get("changes")).hasSize(2);
    assertThat(leaked.get("changes").get(0).get("change").asText()).isEqualTo("grew");
    assertThat(leaked.get("changes").get(0).get("new").asLong()).isEqualTo(8);
  }

  @Test
  void linesAreToldApartOnlyOnRequest() throws IOException {
    String base = flows("base.json", 10, path("send", 10, 0, 0));
    String next = flows("new.json", 20, path("send", 20, 0, 0));
    assertThat(measure(json(base, next), "allocated_objects").get("changes")).isEmpty();
    JsonNode lines = measure(json(base, next, "--lines"), "allocated_objects").get("changes");
    assertThat(lines.findValuesAsText("change")).containsExactlyInAnyOrder("new", "gone");
  }

  @ParameterizedTest
  @ValueSource(strings = {"otlp", "pb.gz"})
  void theSameFlowsInAnotherFormDoNotDiffer(String ending) throws IOException {
    String other = directory.resolve("base." + ending).toString();
    assertThat(Run.of("report", base(), "-o", other).exit()).isZero();
    JsonNode diff = json(base(), other);
    assertThat(diff.get("measures").findValuesAsText("type"))
        .containsExactlyInAnyOrder(
            "live_space",
            "live_objects",
            "leaked_space",
            "leaked_objects",
            "allocated_space",
            "allocated_objects");
    for (JsonNode measure : diff.get("measures")) {
      assertThat(measure.get("changes")).as(measure.toString()).isEmpty();
      assertThat(measure.get("new").asLong()).isPositive().isEqualTo(measure.get("base").asLong());
    }
  }

  @Test
  void aNewLeakFails() throws IOException {
    Run run = Run.of("diff", base(), next(), "--fail-on", "new-leak");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out())
        .contains("FAILED  new leak: 2 on Orders.lose < Alloc.directBuffer")
        .doesNotContain("FAILED  new leak: 8");
    assertThat(Run.of("diff", next(), next(), "--fail-on", "new-leak,growth=0%").exit()).isZero();
    Run grown = Run.of("diff", base(), next(), "--normalize", "none", "--fail-on", "new-leak");
    assertThat(grown.out()).containsOnlyOnce("FAILED").contains("FAILED  new leak: 2 on");
  }

  @Test
  void whatIsUndecidedFailsUnlessThatIsAllowed() throws IOException {
    Path json = Path.of(flows("now.json", 100, path("send", 90, 0, 1_234), path("drop", 0, 4, 0)));
    String text = Files.readString(json);
    Files.writeString(
        json, text.replace("\"paths\"", "\"tracker\":{\"undecided\":1234},\"paths\""));
    Path otlp = directory.resolve("now.otlp");
    assertThat(Run.of("convert", json.toString(), "-o", otlp.toString()).exit()).isZero();
    for (Path now : List.of(json, otlp)) {
      String[] line = {"diff", base(), now.toString(), "--fail-on", "new-leak"};
      Run run = Run.of(line);
      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.out())
          .containsOnlyOnce("FAILED")
          .contains("FAILED  undecided: 1,234 live flows may be lost; have a collection decide");
      String[] allowed = Arrays.copyOf(line, line.length + 1);
      allowed[line.length] = "--allow-undecided";
      assertThat(Run.of(allowed).exit()).isZero();
      assertThat(Run.of("diff", base(), now.toString()).exit()).isZero();
      String[] asBase = {"diff", now.toString(), base(), "--normalize=none", "--fail-on=new-leak"};
      assertThat(Run.of(asBase).exit()).isZero();
    }
  }

  @Test
  void aLeakWithAnotherReferenceCountIsNoNewOne() throws IOException {
    String base = flows("base.json", 100, path("send", 90, 0, 0), path("drop", 0, 4, 0));
    String retained =
        path("drop", 0, 4, 0)
            .replace("\"Orders.drop\"", "\"Orders.drop\",\"Orders.drop\"")
            .replace("\"refs\":[\"1-2\"", "\"refs\":[\"1-2\",\"3-5\"")
            .replaceFirst("(\\{\"class\":\"[^\"]*Orders\"[^}]*})", "$1,$1");
    String now = flows("now.json", 100, path("send", 90, 0, 0), retained);
    assertThat(Run.of("diff", base, now, "--fail-on", "new-leak").exit()).isZero();
  }

  @Test
  void whatIsDroppedFailsIfThatIsAskedForAlone() throws IOException {
    String dropped =
        path("drop", 0, 0, 0).replaceFirst("\\}\\s*$", ",\"dropped\":7,\"droppedBytes\":70}");
    String now = flows("now.json", 100, path("send", 90, 0, 6), path("drop", 0, 4, 0), dropped);
    Run run = Run.of("diff", base(), now, "--fail-on", "new-dropped");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).contains("FAILED  new dropped: 7 on Orders.drop < Alloc.directBuffer");
    assertThat(Run.of("diff", base(), now, "--fail-on", "new-leak,growth=10%").exit()).isZero();
  }

  @Test
  void aNewLeakFailsWhateverIsShown() throws IOException {
    Run run =
        Run.of("diff", base(), next(), "--type", "live_space", "--fail-on", "new-leak,growth=5%");
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out())
        .contains("FAILED  new leak: 2 on Orders.lose < Alloc.directBuffer")
        .doesNotContain("leaked_space");
  }

  @Test
  void growthAboveTheBoundFails() throws IOException {
    String[] options = {
      "diff", base(), next(), "--type", "leaked_space", "--fail-on", "growth=24%"
    };
    Run run = Run.of(options);
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.out()).contains("FAILED  leaked_space grew by +25.0 %, more than 24 %");
    options[6] = "growth=25%";
    assertThat(Run.of(options).exit()).isZero();
  }

  @Test
  void theSummaryIsAppendedAsMarkdown() throws IOException {
    Path summary = Files.writeString(directory.resolve("summary.md"), "before\n");
    Run.of("diff", base(), next(), "--fail-on", "new-leak", "--summary", summary.toString());
    assertThat(Files.readString(summary))
        .startsWith("before\n### ❌ Buftrail: ")
        .contains("- **new leak: 2 on Orders.lose &lt; Alloc.directBuffer**")
        .contains("| leaked\\_space | 400 B | 800 B | 1000 B | +25.0 % | – |");
  }

  @Test
  void recordingsAreComparedByDuration() throws Exception {
    String recording = Recordings.make(directory).toString();
    JsonNode diff = json(recording, recording);
    JsonNode exceptions = measure(diff, "exceptions");
    assertThat(exceptions.get("normalizedBy").asText()).isEqualTo("duration");
    assertThat(exceptions.get("changes")).isEmpty();
    assertThat(exceptions.get("new").asLong()).isGreaterThanOrEqualTo(5);
  }

  @Test
  void thePageHoldsBothSides() throws IOException {
    Path out = directory.resolve("diff.html");
    assertThat(Run.of("diff", base(), next(), "-o", out.toString()).exit()).isZero();
    String page = Files.readString(out);
    int start = page.indexOf("id=\"model\">") + "id=\"model\">".length();
    JsonNode model =
        new ObjectMapper().readTree(page.substring(start, page.indexOf("</script>", start)));
    assertThat(model.get("kind").asText()).isEqualTo("diff");
    JsonNode live = model.get("profiles").get(1);
    assertThat(live.get("type").asText()).isEqualTo("live_objects");
    assertThat(live.get("base").toString()).isEqualTo("[6]");
    assertThat(live.get("values").toString()).isEqualTo("[0]");
  }

  @Test
  void whatMeasuresNothingAlikeIsNotCompared() throws IOException {
    Path stacks = Files.writeString(directory.resolve("stacks.collapsed"), "a;b 3\n");
    Run run = Run.of("diff", stacks.toString(), base());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errLines())
        .singleElement()
        .asString()
        .startsWith(
            "buftrail: " + stacks + " and " + base() + " measure nothing alike: samples/count and ")
        .contains("allocated_objects/count");
  }

  @Test
  void wrongUseAndWrongFilesAreOneLine() throws IOException {
    assertThat(Run.of("diff", base(), next(), "--fail-on", "rain").exit()).isEqualTo(2);
    assertThat(Run.of("diff", base(), next(), "-o", "x.bmp").exit()).isEqualTo(2);
    Run types = Run.of("diff", base(), next(), "--type", "cpu");
    assertThat(types.exit()).isEqualTo(1);
    assertThat(types.errLines()).singleElement().asString().contains("there is no cpu; there are ");
    String junk = Files.writeString(directory.resolve("junk.pb"), "not protobuf").toString();
    Run run = Run.of("diff", base(), junk);
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.errLines()).singleElement().asString().startsWith("buftrail: " + junk + ": ");
    Run missing = Run.of("diff", base(), directory.resolve("none").toString());
    assertThat(missing.errLines()).singleElement().asString().endsWith("none: no such file");
  }
}
