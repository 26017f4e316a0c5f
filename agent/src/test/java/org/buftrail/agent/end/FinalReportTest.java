package org.buftrail.agent.end;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.buftrail.agent.base.BoundedText;
import org.buftrail.agent.options.Options;
import org.buftrail.agent.options.ServiceOptions;
import org.buftrail.agent.source.History;
import org.buftrail.agent.source.SnapshotBuilder;
import org.buftrail.agent.source.ThisProcess;
import org.buftrail.model.Snapshot;
import org.buftrail.profile.output.ProfileFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The report that is written while the JVM ends. */
final class FinalReportTest {
  @Test
  void textIsKeptUpToItsBoundInWholeLines() {
    BoundedText text = new BoundedText(12);
    text.append("one\n").append("two").append('\n');
    assertThat(text).hasToString("one\ntwo\n");
    assertThat(text.leftOut()).isZero();
    text.append("three\nfour\n").append("xfivex", 1, 5).append('\n');
    assertThat(text).hasToString("one\ntwo\n");
    assertThat(text.leftOut()).isEqualTo(3);
  }

  @Test
  void textThatJustFitsIsWhole() {
    BoundedText text = new BoundedText(8);
    text.append("one\ntwo\n");
    assertThat(text).hasToString("one\ntwo\n");
    assertThat(text.leftOut()).isZero();
  }

  @Test
  void allIsPrintedAtOnce() {
    List<String> printed = new ArrayList<>();
    LastWords words = new LastWords(printed::add, 60_000);
    words.say("one");
    words.say("two");
    words.print();
    assertThat(printed).containsExactly("buftrail: one%nbuftrail: two%n".formatted());
    words.print();
    assertThat(printed).hasSize(1);
  }

  @Test
  void nobodyWaitsForWhoDoesNotRead() throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    LastWords words =
        new LastWords(
            text -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            10);
    words.say("one");
    words.print();
    assertThat(never.getCount()).isEqualTo(1);
    never.countDown();
  }

  @Test
  @Timeout(60)
  void aPipeThatNobodyReadsDoesNotHoldUpTheEnd(@TempDir Path directory) throws Exception {
    Path pipe = directory.resolve("flows.json");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    ServiceOptions services = Options.parse("", new Properties(), Map.of()).services;
    FinalReport report =
        new FinalReport(
            List.of(pipe), new EndDecision(null), services, new ThisProcess(""), List::of, 50);
    LastWords words = new LastWords(text -> {}, 10_000);
    report.write(ReportWarmUp.example(), words);
    assertThat(words)
        .asString()
        .contains("report not written: " + pipe + ": nobody takes what is written there")
        .contains("flows at shutdown");
  }

  @Test
  void aPageSaysWhatWasBeforeAndEndsWithTheLastSnapshot(@TempDir Path directory) throws Exception {
    Path page = directory.resolve("flows.html");
    ServiceOptions services = Options.parse("", new Properties(), Map.of()).services;
    FinalReport report =
        new FinalReport(
            List.of(page),
            new EndDecision(null),
            services,
            new ThisProcess("sample=1"),
            List::of,
            30_000);
    assertThat(report.hasTimeline()).isTrue();
    report.writeTo(List.of(directory.resolve("flows.json")), "");
    assertThat(report.hasTimeline()).isFalse();
    report.writeTo(List.of(page), "");

    History history = new History();
    history.look(SnapshotBuilder.none().direct("directBuffer app.A.a", 1, 0, 2).build());
    report.add(history);
    Snapshot last =
        SnapshotBuilder.none().direct("directBuffer app.A.a", 1, 2, 0).after(9_000).build();
    report.write(last, new LastWords(text -> {}, 10_000));
    assertThat(Files.readString(page))
        .contains(
            "\"times\":["
                + SnapshotBuilder.TAKEN_AT
                + ","
                + (SnapshotBuilder.TAKEN_AT + 9_000)
                + "]",
            "\"leaked\":[0,200]");
  }

  @Test
  void aNoteThatFailsDoesNotCostTheReport() {
    LastWords words = new LastWords(text -> {}, 10_000);
    FinalReport.addNotes(
        () -> {
          throw new NoClassDefFoundError("a/B");
        },
        words);
    assertThat(words)
        .asString()
        .contains("what should be mended cannot be said: java.lang.NoClassDefFoundError: a/B");
  }

  @Test
  void aChartThatFailsDoesNotCostTheReport() {
    LastWords words = new LastWords(text -> {}, 10_000);
    FinalReport.addLast(
        () -> {
          throw new OutOfMemoryError("heap");
        },
        words);
    assertThat(words)
        .asString()
        .contains("the chart lacks its last point: java.lang.OutOfMemoryError: heap");
  }

  @Test
  void theExampleHasSomethingOfEverything() throws IOException {
    Snapshot example = ReportWarmUp.example();
    assertThat(example.paths()).hasSize(3);
    assertThat(example.misuses()).hasSize(1);
    for (ProfileFormat format : ProfileFormat.values()) {
      ReportWarmUp.of(format);
    }
  }
}
