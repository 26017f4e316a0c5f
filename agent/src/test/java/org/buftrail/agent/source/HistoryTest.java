package org.buftrail.agent.source;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.buftrail.profile.json.JsonOut;
import org.junit.jupiter.api.Test;

final class HistoryTest {
  private final History history = new History();

  private JsonNode read() throws IOException {
    StringBuilder text = new StringBuilder();
    history.write(new JsonOut(text));
    return new ObjectMapper().readTree(text.toString());
  }

  private void write(Writer out) {
    try {
      history.write(new JsonOut(out));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
  }

  @Test
  void pointsComeInOrderAndTheHighestPathFirst() throws IOException {
    history.look(SnapshotBuilder.none().direct("directBuffer app.A.a", 1, 0, 2).build());
    history.look(
        SnapshotBuilder.none()
            .direct("directBuffer app.A.a", 1, 1, 1)
            .heap("heapBuffer app.B.b", 0, 0, 9)
            .after(5_000)
            .build());
    JsonNode json = read();
    assertThat(json.path("times").toString())
        .isEqualTo("[" + SnapshotBuilder.TAKEN_AT + "," + (SnapshotBuilder.TAKEN_AT + 5_000) + "]");
    assertThat(json.path("liveDirect").toString()).isEqualTo("[200,100]");
    assertThat(json.path("liveHeap").toString()).isEqualTo("[0,900]");
    assertThat(json.path("leaked").toString()).isEqualTo("[0,100]");
    assertThat(json.path("allocated").toString()).isEqualTo("[300,1200]");
    JsonNode first = json.path("paths").path(0);
    assertThat(first.path("hops").asText())
        .isEqualTo("io.netty.buffer.PooledByteBufAllocator.heapBuffer > app.B.b:7");
    assertThat(first.path("live").toString()).isEqualTo("[0,900]");
    JsonNode second = json.path("paths").path(1);
    assertThat(second.path("live").toString()).isEqualTo("[200,100]");
    assertThat(second.path("leaked").toString()).isEqualTo("[0,100]");
    assertThat(second.path("allocated").toString()).isEqualTo("[300,300]");
  }

  @Test
  void aPathThatHasLeakedStaysAmongThem() throws IOException {
    history.look(SnapshotBuilder.none().direct("directBuffer app.A.a", 0, 4, 0).build());
    assertThat(read().path("paths").path(0).path("leaked").toString()).isEqualTo("[400]");
  }

  @Test
  void aResourceIsNoMemory() throws IOException {
    history.look(
        SnapshotBuilder.none()
            .direct("directBuffer app.A.a", 0, 0, 2)
            .resource("com.example.Session.open app.B.b", 0, 0, 9)
            .build());
    JsonNode json = read();
    assertThat(json.path("liveDirect").toString()).isEqualTo("[200]");
    assertThat(json.path("liveHeap").toString()).isEqualTo("[0]");
    assertThat(json.path("paths").path(0).path("memory").asText()).isEqualTo("resource");
    assertThat(json.path("paths").path(1).path("memory").asText()).isEqualTo("direct");
  }

  @Test
  void aPointThatComesTooLateIsLeftOutAndAClockMayBeSetBack() throws IOException {
    history.look(SnapshotBuilder.none().after(90_000).build());
    history.look(SnapshotBuilder.none().after(89_000).build());
    assertThat(read().path("times").toString())
        .isEqualTo("[" + (SnapshotBuilder.TAKEN_AT + 90_000) + "]");
    history.look(SnapshotBuilder.none().after(5_000).build());
    assertThat(read().path("times")).hasSize(2);
  }

  /** At the end of the JVM what is written may be a pipe that nobody reads. */
  @Test
  void nobodyWaitsForASlowReader() throws Exception {
    history.look(SnapshotBuilder.none().direct("directBuffer app.A.a", 1, 0, 2).build());
    CountDownLatch writing = new CountDownLatch(1);
    CountDownLatch read = new CountDownLatch(1);
    Writer slow =
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) throws IOException {
            writing.countDown();
            try {
              read.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    CompletableFuture<Void> written =
        CompletableFuture.runAsync(() -> write(slow), HistoryTest::start);
    writing.await();
    CompletableFuture<Void> looked =
        CompletableFuture.runAsync(
            () -> history.look(SnapshotBuilder.none().after(5_000).build()), HistoryTest::start);
    assertThat(looked).succeedsWithin(Duration.ofSeconds(10));
    read.countDown();
    assertThat(written).succeedsWithin(Duration.ofSeconds(10));
  }

  @Test
  void itIsBoundedInPointsAndPaths() throws IOException {
    for (int i = 0; i < History.POINTS + 10; i++) {
      SnapshotBuilder flows = SnapshotBuilder.none().after(i);
      for (int j = 0; j < 30; j++) {
        flows.direct("directBuffer app.A.m" + (i + j) % 500, 0, 0, j + 1);
      }
      history.look(flows.build());
    }
    JsonNode json = read();
    assertThat(json.path("times")).hasSize(History.POINTS);
    assertThat(json.path("times").path(0).asLong()).isEqualTo(SnapshotBuilder.TAKEN_AT + 10);
    assertThat(json.path("paths")).hasSize(8);
  }
}
