package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.buftrail.model.Evidence;
import org.buftrail.model.Evidence.Kind;
import org.buftrail.model.Misuse;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.SummedProcesses;
import org.buftrail.model.TrackedProcess;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/flows.schema.json} describes each field of a snapshot file and no other, and {@code
 * docs/flows-json.md} has its tables from there. After a change, {@code -Dbuftrail.docs=update
 * -Dtest=SnapshotPageTest} writes them.
 */
final class SnapshotPageTest {
  private static final Path PAGE = Path.of("../docs/flows-json.md");
  private static final Path SCHEMA = Path.of("../docs/flows.schema.json");
  private static final Pattern TABLE =
      Pattern.compile(
          "(?s)<!-- ([\\w, ]+): made from flows.schema.json by SnapshotPageTest -->\n(.*?)"
              + "<!-- end of fields -->");
  private static final Pattern EXAMPLE = Pattern.compile("(?s)```json\n(.*?)```");

  private final Map<String, String> rows = new LinkedHashMap<>();

  @Test
  void theSchemaDescribesEachField() throws IOException {
    describe(new ObjectMapper().readTree(SCHEMA.toFile()), "");
    assertThat(rows.keySet()).isEqualTo(fields(json(withEverything())));
  }

  @Test
  void thePageHasTheTablesOfTheSchema() throws IOException {
    describe(new ObjectMapper().readTree(SCHEMA.toFile()), "");
    String page = Files.readString(PAGE);
    String made =
        TABLE
            .matcher(page)
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(
                        found.group().replace(found.group(2), table(found.group(1)))));
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      Files.writeString(PAGE, made);
    }
    assertThat(Files.readString(PAGE)).as("-Dbuftrail.docs=update mends it").isEqualTo(made);
    for (String row : rows.values()) {
      assertThat(page).contains(row);
    }
  }

  /** Rows of the fields that begin with one of these names. */
  private String table(String names) {
    Set<String> first = Set.of(names.split(", "));
    StringBuilder table = new StringBuilder("| field | type | meaning |\n|---|---|---|\n");
    rows.forEach(
        (name, row) -> table.append(first.contains(name.split("[.\\[]", 2)[0]) ? row : ""));
    return table.toString();
  }

  private void describe(JsonNode object, String prefix) {
    Set<String> required = new TreeSet<>();
    object.path("required").forEach(name -> required.add(name.textValue()));
    object
        .path("properties")
        .properties()
        .forEach(
            member -> {
              String name = prefix + member.getKey();
              JsonNode field = member.getValue();
              String always = required.contains(member.getKey()) ? "always" : "";
              String meaning = field.path("description").asText("");
              String joint = always.isEmpty() || meaning.isEmpty() ? "" : "; ";
              rows.put(
                  name,
                  "| `" + name + "` | " + type(field) + " | " + always + joint + meaning + " |\n");
              describe(field, name + ".");
              describe(field.path("items"), name + "[].");
            });
  }

  private static String type(JsonNode field) {
    if (field.has("$ref")) {
      return field.path("$ref").textValue().replaceFirst(".*/", "");
    }
    if (field.has("const")) {
      JsonNode only = field.path("const");
      return only.isTextual() ? "string" : only.isBoolean() ? "true" : "number";
    }
    return switch (field.path("type").textValue()) {
      case "string" -> field.has("format") ? "time" : "string";
      case "integer" -> "number";
      case "boolean" -> "true or false";
      case "array" -> items(field.path("items").path("type").textValue());
      default -> "object";
    };
  }

  private static String items(String type) {
    return switch (type) {
      case "string" -> "strings";
      case "integer" -> "numbers";
      default -> "list";
    };
  }

  @Test
  void theExampleIsASnapshot() throws IOException {
    MatchResult example =
        EXAMPLE.matcher(Files.readString(PAGE)).results().findFirst().orElseThrow();
    Snapshot read = SnapshotJsonReader.read(new StringReader(example.group(1)));
    assertThat(read.allocated()).isEqualTo(15);
    assertThat(read.leaked().bytes()).isEqualTo(512);
    assertThat(fields(json(withEverything())))
        .containsAll(fields(new ObjectMapper().readTree(example.group(1))));
  }

  /** Every field that is left out where there is nothing to say is there. */
  private static Snapshot withEverything() {
    SnapshotBuilder all = new SnapshotBuilder();
    all.direct("a.Allocator.directBuffer", "a.A.take:7 loop", "a.A.rest overflow")
        .released(1, 1)
        .leaked(1, 1)
        .holding(1)
        .dropped(1, 1)
        .live(1, 1)
        .ages(2, 1)
        .seen(0, 1)
        .add();
    all.heap("java.sql.Connection.open", "a.A.query:9").live(1, 0).add();
    Site frame = new Site("a.A", "read", "", 5, "");
    Evidence.Place place = new Evidence.Place(frame, List.of(frame), List.of(frame), 1);
    all.direct("a.A.make:7", "a.A.hold:8")
        .live(3, 3)
        .together(2, new Evidence.Builder().looks(1).add(Kind.MESSAGE, place).build())
        .add();
    all.direct("a.A.make:7", "a.A.lose:8")
        .leaked(1, 1)
        .evidence(
            new Evidence.Builder()
                .looks(1)
                .add(Kind.ASKED_FOR, place)
                .add(Kind.RETAINED, place)
                .add(Kind.HANDED, place)
                .add(Kind.MESSAGE, place)
                .build())
        .add();
    all.direct("a.A.make:7", "a.A.had:8", "a.A.looked:9 reads").leaked(1, 1).add();
    all.direct("a.A.make:7", "a.A.lose:8", "a.A.end:9", "a.A.release [0]").released(5, 5).add();
    all.direct("a.C.make:7", "a.A.post:8", "a.A.put:9 collects:drain:2").leaked(1, 1).add();
    all.direct("a.C.make:7", "a.A.put:9", "a.A.release [0]").released(5, 5).add();
    all.direct("a.A.ask:7", "a.A.keep:8").live(30, 30).ages(60_000, 30_000).add();
    all.direct("a.A.ask:7", "a.A.end:9", "a.A.release [0]").released(1, 1).samples(14, 13).add();
    all.misuse(
        Misuse.Kind.DOUBLE_RELEASE, "a.A.end:9", 1, List.of("a.A.take:7"), List.of("a.A.b:8"));
    Evidence.Builder seen = new Evidence.Builder().looks(1);
    for (Kind kind : Kind.values()) {
      seen.add(kind, place);
    }
    all.misuse(
        new Misuse(Misuse.Kind.DOUBLE_RELEASE, frame, 1, List.of(), List.of()).with(seen.build()));
    all.status()
        .stop(new TrackerStatus.Stop(1, "off"))
        .lostReleases(1)
        .undecided(1)
        .atEnd(true)
        .add(new TrackerStatus.Unwoven("a.B", "too large"))
        .add(new TrackerStatus.Unwatched("com.acme", "acme.jar", 2))
        .add(new TrackerStatus.Unfollowed("a.C", List.of("body"), "is one", List.of("a.A.take")))
        .add(new TrackerStatus.ThreadHealth("buftrail-sweeper", 1, 1, 1, "failed"));
    return all.build()
        .of(new TrackedProcess("orders", 7, "host", 1, "17", "sample=1").withVersion("2"))
        .with(PoolReportsTest.memory())
        .with(ProcessMemoryTextTest.memory())
        .with(PastReportsTest.peak())
        .with(PastReportsTest.minutes())
        .with(processes());
  }

  private static SummedProcesses processes() {
    return new SummedProcesses(
        "orders 2",
        List.of(
            new SummedProcesses.Share(
                "host/7", 9, new org.buftrail.model.Path.Flows(1, 2), "leaks, unlike most")),
        List.of(new SummedProcesses.PartialLeak("a.A.take:1", "host/7")),
        1);
  }

  private static JsonNode json(Snapshot snapshot) throws IOException {
    StringBuilder text = new StringBuilder();
    SnapshotJson.write(snapshot, text);
    return new ObjectMapper().readTree(text.toString());
  }

  /** As {@code paths[].sites[].line}; sites, and paths within misuses, are described once. */
  private static Set<String> fields(JsonNode json) {
    Set<String> names = new TreeSet<>();
    add(json, "", names);
    names.removeIf(
        name ->
            name.matches(
                    ".*\\.(evidence|liveEvidence)\\.(askedFor|retained|handed|released|message)\\[].*")
                || name.matches(
                    "(misuses|(memory\\.holders|memory\\.direct\\.calls|peak\\.paths|minutes\\.paths))\\[]\\.(path|earlier)\\..*")
                || name.matches(
                    ".*\\.(site|sameWayTo|otherWaysTo|onlyLeaked|lastOwner|\\w+In)\\.(class|method|line)"));
    return names;
  }

  private static void add(JsonNode json, String place, Set<String> names) {
    if (json.isArray()) {
      json.forEach(element -> add(element, place + "[]", names));
    }
    json.properties()
        .forEach(
            member -> {
              String name = place.isEmpty() ? member.getKey() : place + "." + member.getKey();
              names.add(name);
              add(member.getValue(), name, names);
            });
  }
}
