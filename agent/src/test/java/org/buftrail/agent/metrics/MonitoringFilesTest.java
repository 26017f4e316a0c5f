package org.buftrail.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.buftrail.agent.source.SnapshotBuilder;
import org.buftrail.model.DirectMemory;
import org.buftrail.model.Figure;
import org.buftrail.model.Peak;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.ProcessMemory;
import org.buftrail.model.ReleaseSamples;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.junit.jupiter.api.Test;

/** Rules, dashboard and the list of metrics name what {@code /metrics} has. */
final class MonitoringFilesTest {
  private static final Path DOCS = Path.of("../docs");
  private static final Path RULES = DOCS.resolve("monitoring/prometheus-rules.yaml");
  private static final Path DASHBOARD = DOCS.resolve("monitoring/grafana-dashboard.json");
  private static final Pattern METRIC = Pattern.compile("(?<![\\w:])buftrail_\\w+");
  private static final int COLUMNS = 24;

  /** With a value of every metric. */
  private static Set<String> metrics() throws IOException {
    Snapshot flows =
        SnapshotBuilder.none()
            .direct("directBuffer app.A.a", 1, 1, 1)
            .resource("java.sql.Connection.open app.A.b", 1, 1, 1)
            .build();
    TrackerStatus status =
        new TrackerStatus.Builder()
            .stop(new TrackerStatus.Stop(1, "off"))
            .add(new TrackerStatus.ThreadHealth("buftrail-sweeper", 1, 1, 0, null))
            .build();
    PoolMemory.Pool pool = new PoolMemory.Pool("APool", true, 4, 2, 1);
    Site call = new Site("app.A", "b", "", 1, "");
    org.buftrail.model.Path.Flows live = new org.buftrail.model.Path.Flows(1, 1);
    PoolMemory.Holder holder =
        new PoolMemory.Holder(
            List.of(new org.buftrail.model.Path.Hop(call, "1", false, false)),
            true,
            live,
            1,
            1,
            1,
            1);
    DirectMemory direct =
        new DirectMemory(
            List.of(new DirectMemory.CallSite(call, live, live)),
            List.of(new DirectMemory.Account("JVM, direct", 1, 1, 2)));
    List<org.buftrail.model.Path> paths = new ArrayList<>(flows.paths());
    paths.set(0, paths.get(0).with(new ReleaseSamples(new long[] {1}, new long[] {1}, 0, 0)));
    Snapshot snapshot =
        new Snapshot(2, 1, flows.allocated(), 0, status, paths, List.of())
            .with(new PoolMemory(List.of(pool), List.of(holder), List.of(), List.of()).with(direct))
            .with(new Peak(1, live, List.of(new Peak.Row(holder.hops(), true, live))))
            .with(
                new ProcessMemory(
                    List.of(new ProcessMemory.Owner("Java heap", 1, 0, "")), List.of()));
    StringBuilder text = new StringBuilder();
    new PrometheusText().write(snapshot, text);
    return found(Pattern.compile("(?m)^buftrail_\\w+"), text.toString());
  }

  private static Set<String> found(Pattern pattern, String text) {
    Set<String> found = new TreeSet<>();
    pattern.matcher(text).results().forEach(match -> found.add(match.group()));
    return found;
  }

  @Test
  void theTextHasTheFiguresOfTheTable() throws IOException {
    Set<String> names = new TreeSet<>();
    Figure.in(Figure.Place.PROMETHEUS)
        .forEach(figure -> names.add(figure.name(Figure.Place.PROMETHEUS)));
    assertThat(metrics()).isEqualTo(names);
  }

  @Test
  void theRulesNameMetricsThatAreThere() throws IOException {
    Set<String> named = found(METRIC, Files.readString(RULES));
    assertThat(named).contains("buftrail_leaked_bytes_total");
    assertThat(metrics()).containsAll(named);
  }

  @Test
  void thePageListsTheAlertsOfTheRules() throws IOException {
    Set<String> alerts = found(Pattern.compile("(?<=- alert: )\\w+"), Files.readString(RULES));
    String page = Files.readString(DOCS.resolve("monitoring/README.md"));
    assertThat(alerts).isNotEmpty();
    assertThat(found(Pattern.compile("(?<=\\| `)Buftrail\\w+"), page)).isEqualTo(alerts);
  }

  @Test
  void thePageOfMetricsListsThemAll() throws IOException {
    String page = Files.readString(DOCS.resolve("figures.md"));
    Set<String> listed = found(Pattern.compile("(?<=`)buftrail_[a-z_]+(?=`)"), page);
    assertThat(listed).isEqualTo(metrics());
  }

  @Test
  void eachPanelAsksForMetricsThatAreThere() throws IOException {
    for (JsonNode panel : dashboard().get("panels")) {
      assertThat(panel.get("targets")).as(panel.toString()).isNotEmpty();
      Set<String> references = new HashSet<>();
      for (JsonNode target : panel.get("targets")) {
        String expression = target.get("expr").asText();
        assertThat(references.add(target.get("refId").asText())).as(expression).isTrue();
        assertThat(found(METRIC, expression)).as(expression).hasSize(1);
        assertThat(metrics()).containsAll(found(METRIC, expression));
        assertThat(expression).contains("job=~\"$job\", instance=~\"$instance\"");
      }
    }
  }

  @Test
  void theDashboardCanBeImported() throws IOException {
    JsonNode dashboard = dashboard();
    JsonNode input = dashboard.get("__inputs").get(0);
    assertThat(input.get("pluginId").asText()).isEqualTo("prometheus");
    String source = "${" + input.get("name").asText() + "}";
    for (JsonNode uid : dashboard.findValues("datasource")) {
      assertThat(uid.get("uid").asText()).isEqualTo(source);
    }
    assertThat(dashboard.get("schemaVersion").isInt()).isTrue();
    assertThat(dashboard.get("templating").get("list").findValuesAsText("name"))
        .containsExactly("job", "instance");
    Set<String> required = new HashSet<>();
    dashboard.get("__requires").forEach(each -> required.add(each.get("id").asText()));
    for (JsonNode panel : dashboard.get("panels")) {
      assertThat(required).contains(panel.get("type").asText());
    }
  }

  @Test
  void noPanelCoversAnother() throws IOException {
    Set<Integer> ids = new HashSet<>();
    List<boolean[]> rows = new ArrayList<>();
    for (JsonNode panel : dashboard().get("panels")) {
      assertThat(ids.add(panel.get("id").asInt())).isTrue();
      JsonNode place = panel.get("gridPos");
      int left = place.get("x").asInt();
      int top = place.get("y").asInt();
      for (int y = top; y < top + place.get("h").asInt(); y++) {
        while (rows.size() <= y) {
          rows.add(new boolean[COLUMNS]);
        }
        for (int x = left; x < left + place.get("w").asInt(); x++) {
          assertThat(rows.get(y)[x]).as(panel.get("title").asText()).isFalse();
          rows.get(y)[x] = true;
        }
      }
    }
  }

  private static JsonNode dashboard() throws IOException {
    return new ObjectMapper().readTree(DASHBOARD.toFile());
  }
}
