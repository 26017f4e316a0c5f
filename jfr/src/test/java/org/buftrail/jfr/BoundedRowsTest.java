package org.buftrail.jfr;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.buftrail.jfr.rows.SampleBatch;
import org.buftrail.jfr.rows.SampleColumn;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A reader of rows forgets what was distinct in earlier chunks, and the rows stay the same. */
final class BoundedRowsTest {
  private static final RowSelection ALL =
      new RowSelection(SampleColumn.ALL, null, Long.MIN_VALUE, Long.MAX_VALUE, null);

  private static final int CHUNKS = 60;
  private static final int EVENTS = 4_000;

  @TempDir private Path directory;

  /** All that rows say, in their order. */
  private static List<String> rows(Path file, long keptBytes) throws RecordingException {
    List<String> rows = new ArrayList<>();
    new RowReader(
            ALL,
            RowRange.WHOLE,
            batch -> {
              for (int i = 0; i < batch.size(); i++) {
                rows.add(row(batch, i));
              }
            },
            keptBytes)
        .read(file);
    return rows;
  }

  private static String row(SampleBatch batch, int i) {
    return String.join(
        "|",
        batch.recording() + batch.service() + batch.host() + batch.process(),
        batch.kind(i) + "/" + batch.event(i) + "/" + batch.time(i),
        batch.value(i) + "/" + (batch.hasSecond(i) ? batch.second(i) : 0),
        batch.thread(i) + "/" + batch.state(i) + "/" + batch.span(i) + "/" + batch.trace(i),
        new TreeMap<>(batch.tags(i)) + "/" + batch.stackId(i) + "/" + batch.frames(i));
  }

  private static void areTheSame(Path file) throws RecordingException {
    List<String> whole = rows(file, Long.MAX_VALUE);
    assertThat(whole).isNotEmpty();
    // What is live comes in the order of its identities, which may be another.
    assertThat(rows(file, 0).stream().sorted().toList())
        .isEqualTo(whole.stream().sorted().toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"jdk11", "jdk21", "jdk25", "async-profiler", "killed-17", "dd-500-50-100"})
  void rowsAreTheSameWhenNothingIsKept(String name) throws IOException {
    areTheSame(Recordings.unpack(name, directory));
  }

  @Test
  void rowsOfManyChunksAreTheSame() throws IOException {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (String name : List.of("jdk21", "dd-500-50-100", "jdk21", "async-profiler", "killed-25")) {
      joined.writeBytes(Files.readAllBytes(Recordings.unpack(name, directory)));
    }
    areTheSame(Files.write(directory.resolve("joined.jfr"), joined.toByteArray()));
  }

  @Test
  void whatIsLiveOrCountsLastOutlivesItsChunk() throws IOException {
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (int chunk = 0; chunk < 4; chunk++) {
      joined.writeBytes(Files.readAllBytes(buffersAndGauges(chunk)));
    }
    Path file = Files.write(directory.resolve("live.jfr"), joined.toByteArray());

    List<String> rows = rows(file, 0);

    areTheSame(file);
    // Of four buffers, each of a method of its own, the second chunk freed that of the first.
    assertThat(rows.stream().filter(row -> row.contains("|netty_live/")))
        .hasSize(3)
        .anySatisfy(row -> assertThat(row).contains("/1002|").contains("shop.Handler1.handle"))
        .anySatisfy(row -> assertThat(row).contains("/1003|").contains("shop.Handler2.handle"))
        .anySatisfy(row -> assertThat(row).contains("/1004|").contains("shop.Handler3.handle"));
    assertThat(rows.stream().filter(row -> row.contains("|method_timing/")))
        .hasSize(5)
        .anySatisfy(row -> assertThat(row).contains("|4000/").contains("shop.Common.run"))
        .anySatisfy(row -> assertThat(row).contains("|500/").contains("shop.Handler0.handle"));
  }

  private Path buffersAndGauges(int number) throws IOException {
    Path file = directory.resolve("chunk" + number);
    String timing = "jdk.MethodTiming";
    long ticks = 1_000_000L * (number + 1);
    try (ChunkFile chunk =
        new ChunkFile(file, true)
            .type(
                ChunkFile.ALLOCATE,
                "pooled StackTrace stackTrace",
                "int size",
                "boolean direct",
                "long address")
            .type(ChunkFile.FREE, "long address", "boolean direct")
            .type(timing, "pooled Method method", "long invocations", "long average")
            .beginning(ChunkFile.START_NANOS + ticks, ticks)
            .stack(1, new String[] {"shop/Handler" + number, "handle", "()V", "Interpreted"})
            .stack(2, new String[] {"shop/Common", "run", "()V", "Interpreted"})) {
      chunk.event(
          ChunkFile.ALLOCATE,
          chunk.at(ticks).i8(1).i4(1001 + number).flag(true).i8(0x1000L * (number + 1)));
      if (number == 1) {
        chunk.event(ChunkFile.FREE, chunk.at(ticks + 1).i8(0x1000).flag(true));
      }
      chunk.event(timing, chunk.at(ticks).i8(2).i8(1000L * (number + 1)).i8(3));
      chunk.event(timing, chunk.at(ticks).i8(1).i8(500).i8(3));
    }
    return file;
  }

  /** A chunk with texts and stacks that no other has. */
  private static byte[] distinct(Path file, int number) throws IOException {
    String order = "shop.Order";
    try (ChunkFile chunk =
        new ChunkFile(file, true)
            .type(order, "String text")
            .type("jdk.ExecutionSample", "pooled StackTrace stackTrace")
            .beginning(ChunkFile.START_NANOS + 1_000L * number, 1_000L * number)) {
      for (int i = 1; i <= EVENTS / 10; i++) {
        String type = "shop/chunk" + number + "/Type" + i;
        chunk.stack(i, new String[] {type, "method" + i, "()V", "Interpreted"});
        chunk.event("jdk.ExecutionSample", chunk.at(1_000L * number).i8(i));
      }
      for (int i = 0; i < EVENTS; i++) {
        String text = "an order that is like no other: number " + i + " of chunk " + number;
        chunk.event(order, chunk.at(1_000L * number).text(text, 3, UTF_8));
      }
    }
    byte[] bytes = Files.readAllBytes(file);
    Files.delete(file);
    return bytes;
  }

  @Test
  @Tag("slow")
  void aSmallHeapReadsALongRecording() throws Exception {
    Path file = directory.resolve("long.jfr");
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int i = 0; i < CHUNKS; i++) {
      all.writeBytes(distinct(directory.resolve("chunk"), i));
    }
    Files.write(file, all.toByteArray());
    Path said = directory.resolve("said.txt");

    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx40m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Count.class.getName(),
                file.toString(),
                said.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log.txt").toFile())
            .start();
    assertThat(child.waitFor(2, TimeUnit.MINUTES)).isTrue();

    assertThat(child.exitValue()).as(Files.readString(directory.resolve("log.txt"))).isEqualTo(0);
    assertThat(Files.readString(said))
        .isEqualTo(CHUNKS * EVENTS + " orders, " + CHUNKS * EVENTS / 10 + " samples");
  }

  /** Counts rows in a JVM of its own, and looks at all that they say. */
  static final class Count {
    private Count() {}

    public static void main(String[] args) throws IOException {
      long[] counts = new long[2];
      new RowReader(
              new RowSelection(
                  SampleColumn.ALL, null, Long.MIN_VALUE, Long.MAX_VALUE, Set.of("shop.Order")),
              batch -> {
                for (int i = 0; i < batch.size(); i++) {
                  counts[batch.isOther(i) ? 0 : 1] += row(batch, i).isEmpty() ? 0 : 1;
                }
              })
          .read(Path.of(args[0]));
      Files.writeString(Path.of(args[1]), counts[0] + " orders, " + counts[1] + " samples");
    }
  }
}
