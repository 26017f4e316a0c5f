package org.buftrail.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.buftrail.agent.end.EndDecision;
import org.buftrail.agent.end.FinalReport;
import org.buftrail.agent.options.Options;
import org.buftrail.agent.options.ServiceOptions;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.source.SnapshotBuilder;
import org.buftrail.agent.source.ThisProcess;
import org.buftrail.profile.json.JsonOut;
import org.junit.jupiter.api.Test;

final class TimelineTest {
  private static final List<Path> PAGE = List.of(Path.of("flows.html"));

  private long millis;
  private final FlowSource source =
      new FlowSource(
          () -> SnapshotBuilder.none().after(millis).build(), () -> millis * 1_000_000, 0);
  private final ServiceOptions services = Options.parse("", new Properties(), Map.of()).services;

  private FinalReport report(List<Path> files) {
    return new FinalReport(files, new EndDecision(null), services, new ThisProcess(""), List::of);
  }

  private String history() throws IOException {
    StringBuilder text = new StringBuilder();
    Objects.requireNonNull(source.history()).write(new JsonOut(text));
    return text.toString();
  }

  @Test
  void aLaterAttachmentMayWantAChartThatTheFirstDidNot() throws IOException {
    FinalReport report = report(List.of());
    Timeline timeline = new Timeline(source, report, false);
    timeline.begin();
    assertThat(timeline.isWanted()).isFalse();
    assertThat(source.history()).isNull();

    report.writeTo(PAGE, "");
    assertThat(timeline.isWanted()).isTrue();
    timeline.look(source.sinceStart(0));
    assertThat(history()).contains("\"times\":[" + SnapshotBuilder.TAKEN_AT + "]");

    report.writeTo(List.of(), "");
    assertThat(timeline.isWanted()).isFalse();
  }

  @Test
  void thePageAlwaysHasAChart() throws IOException {
    Timeline timeline = new Timeline(source, report(List.of()), true);
    assertThat(timeline.isWanted()).isTrue();
    timeline.begin();
    assertThat(history()).contains("\"times\":[" + SnapshotBuilder.TAKEN_AT + "]");
  }

  @Test
  void nothingComesAfterTheLastSnapshot() throws IOException {
    FinalReport report = report(PAGE);
    Timeline timeline = new Timeline(source, report, false);
    timeline.begin();
    report.end();
    millis = 9_000;
    timeline.look(source.sinceStart(0));
    assertThat(history()).contains("\"times\":[" + SnapshotBuilder.TAKEN_AT + "]");
  }
}
