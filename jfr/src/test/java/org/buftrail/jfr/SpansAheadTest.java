package org.buftrail.jfr;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.buftrail.jfr.chunk.SpansAhead;
import org.buftrail.jfr.constants.KeptTexts;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.profile.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples carry the tag of the span that they lie in also when it ends in a later chunk. */
final class SpansAheadTest {
  private static final String SAMPLE = "jdk.ExecutionSample";
  private static final String SPAN = "profiler.Span";
  private static final String INLINE = SPAN + "#inline";
  private static final long HOUR = 3_600_000_000_000L;
  private static final int SAMPLE_SIZE = 8;
  private static final int SPAN_SIZE = 9;

  @TempDir private Path directory;

  /** Writes one chunk. */
  private interface Content {
    void write(ChunkFile chunk) throws IOException;
  }

  /** A chunk that begins at a tick, of the process that began some time after the first. */
  private byte[] chunk(boolean compressed, long start, long process, Content content)
      throws IOException {
    Path path = Files.createTempFile(directory, "chunk", ".jfr");
    try (ChunkFile chunk = new ChunkFile(path, compressed)) {
      chunk
          .type(SAMPLE, "pooled Thread sampledThread", "int state")
          .type(SPAN, "long duration", "pooled Thread eventThread", "pooled String tag")
          .type(INLINE, "long duration", "pooled Thread eventThread", "String tag")
          .beginning(ChunkFile.START_NANOS + process + start, start)
          .thread(7, "seven")
          .thread(8, "eight");
      content.write(chunk);
    }
    return Files.readAllBytes(path);
  }

  private byte[] chunk(long start, Content content) throws IOException {
    return chunk(true, start, 0, content);
  }

  private static void sample(ChunkFile chunk, long... times) throws IOException {
    for (long time : times) {
      chunk.event(SAMPLE, chunk.at(time).i8(7).i4(0));
    }
  }

  private static void span(ChunkFile chunk, long start, long end, long tag) throws IOException {
    chunk.event(SPAN, chunk.at(start).i8(end - start).i8(7).i8(tag));
  }

  private Path join(byte[]... chunks) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] chunk : chunks) {
      all.writeBytes(chunk);
    }
    return Files.write(directory.resolve("made.jfr"), all.toByteArray());
  }

  private Map<String, Long> sums(byte[]... chunks) throws IOException {
    Conversion conversion = Recording.of(join(chunks)).convert(Options.DEFAULT);
    assertThat(conversion.damages()).isEmpty();
    return Flattened.bySpan(conversion.profiles());
  }

  /** Two samples before a span, three in it, the last of these in the next chunk, one after it. */
  private byte[][] twoChunks(boolean compressed) throws IOException {
    return new byte[][] {
      chunk(
          compressed,
          0,
          0,
          chunk -> {
            chunk.constant(4, "nobody");
            sample(chunk, 10, 49, 50, 99);
          }),
      chunk(
          compressed,
          100,
          0,
          chunk -> {
            chunk.constant(4, "request");
            sample(chunk, 100, 130);
            span(chunk, 50, 130, 4);
          })
    };
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSpanMarksTheChunkBeforeTheOneItEndsIn(boolean compressed) throws IOException {
    assertThat(sums(twoChunks(compressed)))
        .isEqualTo(Map.of("seven request", 3L, "seven null", 3L));
  }

  @Test
  void aSpanMarksAllChunksThatItGoesThrough() throws IOException {
    byte[] first = chunk(0, chunk -> sample(chunk, 10, 90));
    byte[] second = chunk(100, chunk -> sample(chunk, 110, 120));
    byte[] third =
        chunk(
            200,
            chunk -> {
              chunk.constant(-5, "batch");
              sample(chunk, 210, 230);
              span(chunk, 80, 220, -5);
            });
    byte[] fourth = chunk(300, chunk -> sample(chunk, 310));
    assertThat(sums(first, second, third, fourth))
        .isEqualTo(Map.of("seven batch", 4L, "seven null", 3L));
  }

  @Test
  void ofSpansOfThisAndOfLaterChunksTheOneThatBeganLastCounts() throws IOException {
    byte[] first =
        chunk(
            0,
            chunk -> {
              chunk.constant(1, "before").constant(2, "inner");
              sample(chunk, 45, 52, 57, 65, 80, 95);
              span(chunk, 40, 55, 1);
              span(chunk, 60, 70, 2);
            });
    byte[] second =
        chunk(
            100,
            chunk -> {
              chunk.constant(1, "outer").constant(2, "late");
              sample(chunk, 105, 125, 150);
              span(chunk, 90, 110, 2);
              span(chunk, 50, 140, 1);
            });
    assertThat(sums(first, second))
        .isEqualTo(
            Map.of(
                "seven before",
                1L,
                "seven outer",
                4L,
                "seven inner",
                1L,
                "seven late",
                2L,
                "seven null",
                1L));
  }

  @Test
  void aSpanMarksNothingOfAnotherProcess() throws IOException {
    Content samples = chunk -> sample(chunk, 10, 60, 110);
    Content spans =
        chunk -> {
          chunk.constant(1, "mine");
          sample(chunk, 120);
          span(chunk, 50, 115, 1);
        };
    byte[] first = chunk(true, 0, 0, samples);
    byte[] other = chunk(true, 0, HOUR, samples);
    byte[] otherEnd = chunk(true, 100, HOUR, spans);
    byte[] again = chunk(true, 0, 2 * HOUR, samples);
    assertThat(sums(first, other, otherEnd, again))
        .isEqualTo(Map.of("seven mine", 2L, "seven null", 8L));
    Content others =
        chunk -> {
          chunk.constant(1, "theirs");
          span(chunk, 5, 20, 1);
        };
    assertThat(sums(first, chunk(100, spans), other, chunk(true, 100, HOUR, others)))
        .isEqualTo(Map.of("seven mine", 2L, "seven theirs", 1L, "seven null", 4L));
    // A span of the process that comes back is behind what is between.
    assertThat(sums(first, other, chunk(true, 100, 0, spans))).isEqualTo(Map.of("seven null", 7L));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void tagsAreTextsOrConstantsHoweverTheyAreWritten(boolean compressed) throws IOException {
    byte[] first = chunk(compressed, 0, 0, chunk -> sample(chunk, 10, 20, 30, 40, 50));
    byte[] second =
        chunk(
            compressed,
            100,
            0,
            chunk -> {
              chunk.constant(4, "pooled");
              sample(chunk, 110, 120, 130, 140, 150);
              span(chunk, 10, 115, 4);
              chunk.event(INLINE, chunk.at(20).i8(105).i8(7).text("utf", 3, UTF_8));
              chunk.event(INLINE, chunk.at(30).i8(105).i8(7).chars("chars"));
              chunk.event(INLINE, chunk.at(40).i8(105).i8(7).constant(4));
              chunk.event(INLINE, chunk.at(50).i8(100).i8(7).none(1));
            });
    // All are open at 50, and none has a name; at 150 none is open.
    assertThat(sums(first, second))
        .isEqualTo(
            Map.of("seven pooled", 2L, "seven utf", 1L, "seven chars", 1L, "seven null", 6L));
  }

  @Test
  void aChunkThatDescribesNoSpansHasThreadsOfItsOwn() throws IOException {
    Path jdk = directory.resolve("jdk.jfr");
    try (ChunkFile chunk = new ChunkFile(jdk, true)) {
      chunk.type(SAMPLE, "pooled Thread sampledThread", "int state").thread(7, "jdk");
      sample(chunk, 60, 70);
    }
    byte[][] chunks = twoChunks(true);
    byte[] other = Files.readAllBytes(jdk);
    Map<String, Long> expected = Map.of("seven request", 3L, "seven null", 3L, "jdk null", 2L);
    assertThat(sums(other, chunks[0], chunks[1])).isEqualTo(expected);
    assertThat(sums(chunks[0], other, chunks[1])).isEqualTo(expected);
  }

  @Test
  void selectionsAndCountsAreAsWithoutTheSpan() throws IOException {
    byte[][] chunks = twoChunks(true);
    Options options =
        Options.DEFAULT
            .kinds(Set.of(Kind.CPU))
            .timestamps(true)
            .between(ChunkFile.START_NANOS + 55, ChunkFile.START_NANOS + 130);
    Conversion conversion = Recording.of(join(chunks)).convert(options);
    assertThat(conversion.damages()).isEmpty();
    assertThat(Flattened.bySpan(conversion.profiles()))
        .isEqualTo(Map.of("seven request", 2L, "seven null", 1L));
    assertThat(conversion.profiles().profiles()).hasSize(1);
    assertThat(conversion.stats().chunks()).isEqualTo(2);
    assertThat(conversion.stats().rows())
        .extracting(Stats.Row::event, Stats.Row::found, Stats.Row::converted)
        .containsExactlyInAnyOrder(tuple(SAMPLE, 6L, 3L), tuple(SPAN, 1L, 0L));
  }

  @Test
  void aConverterFindsTheSameAgainAndNothingOfTheFileBefore() throws IOException {
    Path file = join(twoChunks(true));
    Path alone = Files.write(directory.resolve("alone.jfr"), twoChunks(true)[0]);
    Converter converter = new Converter(Options.DEFAULT);
    for (int i = 0; i < 3; i++) {
      assertThat(Flattened.bySpan(converter.convert(List.of(file)).profiles()))
          .isEqualTo(Map.of("seven request", 3L, "seven null", 3L));
      assertThat(Flattened.bySpan(converter.convert(List.of(alone)).profiles()))
          .isEqualTo(Map.of("seven null", 4L));
    }
  }

  @Test
  void whatCannotBeReadAheadIsNotKnownAndToldOnce() throws IOException {
    byte[] first = chunk(0, chunk -> sample(chunk, 10, 60));
    Content spans =
        chunk -> {
          chunk.constant(4, "known").constant(5, "lost");
          span(chunk, 50, 110, 4);
          sample(chunk, 105);
          span(chunk, 5, 120, 5);
        };
    byte[] broken = chunk(100, spans);
    int third = ChunkHeader.LENGTH + SPAN_SIZE + SAMPLE_SIZE;
    assertThat(broken[third]).isEqualTo((byte) (0x80 | SPAN_SIZE));
    Arrays.fill(broken, third, third + SPAN_SIZE, (byte) 0);
    Conversion conversion = Recording.of(join(first, broken)).convert(Options.DEFAULT);
    assertThat(conversion.damages()).hasSize(1);
    assertThat(conversion.damages().get(0).chunk()).isEqualTo(1);
    assertThat(Flattened.bySpan(conversion.profiles()))
        .isEqualTo(Map.of("seven known", 2L, "seven null", 1L));
  }

  @Test
  void spansOfChunksAroundOneWithoutMetadataAreKnown() throws IOException {
    byte[] first = chunk(0, chunk -> sample(chunk, 10, 60));
    byte[] second = chunk(100, chunk -> sample(chunk, 110));
    Arrays.fill(second, ChunkHeader.LENGTH, second.length, (byte) 0);
    byte[] third =
        chunk(
            200,
            chunk -> {
              chunk.constant(4, "known");
              span(chunk, 50, 210, 4);
            });
    Conversion conversion = Recording.of(join(first, second, third)).convert(Options.DEFAULT);
    assertThat(conversion.damages()).hasSize(1);
    assertThat(conversion.damages().get(0).cause()).contains("metadata is missing");
    assertThat(Flattened.bySpan(conversion.profiles()))
        .isEqualTo(Map.of("seven known", 1L, "seven null", 1L));
  }

  @Test
  void aTagThatIsMissingMarksNothingElsewhere() throws IOException {
    byte[] first = chunk(0, chunk -> sample(chunk, 10, 60));
    byte[] second = chunk(100, chunk -> span(chunk, 50, 110, 99));
    Conversion conversion = Recording.of(join(first, second)).convert(Options.DEFAULT);
    assertThat(Flattened.bySpan(conversion.profiles())).isEqualTo(Map.of("seven null", 2L));
    assertThat(conversion.damages()).isEmpty();
    assertThat(conversion.notes())
        .singleElement()
        .asString()
        .endsWith("names of classes, methods or threads in 1 chunk");
  }

  @Test
  void tooManySpansAreOneLine() throws IOException {
    byte[] first = chunk(0, chunk -> sample(chunk, 10, 60));
    byte[] second =
        chunk(
            100,
            chunk -> {
              chunk.constant(4, "known").constant(5, "lost");
              for (int i = 0; i < SpansAhead.MOST; i++) {
                span(chunk, 50, 105, 4);
              }
              span(chunk, 5, 105, 5);
            });
    byte[] third =
        chunk(
            200,
            chunk -> {
              chunk.constant(5, "lost");
              span(chunk, 5, 205, 5);
              span(chunk, 6, 206, 5);
            });
    Conversion conversion = Recording.of(join(first, second, third)).convert(Options.DEFAULT);
    assertThat(Flattened.bySpan(conversion.profiles()))
        .isEqualTo(Map.of("seven known", 1L, "seven null", 1L));
    assertThat(conversion.damages()).hasSize(1);
    assertThat(conversion.damages().get(0).toString())
        .endsWith(
            "chunk 0 at byte 0: 3 spans that end in a later chunk are too many: what is in them"
                + " lacks a tag");
  }

  @Test
  void aTagThatIsTooLongIsOneSpanTooMany() throws IOException {
    byte[] first = chunk(0, chunk -> sample(chunk, 10, 60));
    byte[] second =
        chunk(
            100,
            chunk -> {
              String tag = "a".repeat(17 << 20);
              chunk.constant(4, "known");
              chunk.event(INLINE, chunk.at(5).i8(100).i8(7).text(tag, 3, UTF_8));
              span(chunk, 50, 105, 4);
            });
    Conversion conversion = Recording.of(join(first, second)).convert(Options.DEFAULT);
    assertThat(Flattened.bySpan(conversion.profiles()))
        .isEqualTo(Map.of("seven known", 1L, "seven null", 1L));
    assertThat(conversion.damages()).hasSize(1);
    assertThat(conversion.damages().get(0).cause()).startsWith("1 spans that end in a later chunk");
  }

  @Test
  void textsThatOutlastAChunkAreBounded() {
    KeptTexts texts = new KeptTexts();
    byte[] large = new byte[9 << 20];
    Arrays.fill(large, (byte) 'a');
    long number = texts.keep(large, 0, large.length);
    assertThat(number).isNegative();
    large[0] = 'b';
    assertThat(texts.keep(large, 0, large.length)).isZero();
    assertThat(texts.keep(large, 0, 5)).isNegative().isNotEqualTo(number);
    assertThat(texts.length(number)).isEqualTo(large.length);
  }

  @Test
  void neverFailsWhateverTheBytes() throws IOException {
    byte[][] chunks = twoChunks(true);
    Random random = new Random(1);
    Converter converter = new Converter(Options.DEFAULT);
    for (int round = 0; round < 2000; round++) {
      byte[] first = chunks[0].clone();
      byte[] second = chunks[1].clone();
      for (int i = 0; i < 1 + random.nextInt(4); i++) {
        byte[] target = random.nextInt(4) == 0 ? first : second;
        target[random.nextInt(target.length)] = (byte) random.nextInt();
      }
      try {
        assertThat(converter.convert(List.of(join(first, second, chunks[1]))).profiles())
            .isNotNull();
      } catch (RecordingException e) {
        assertThat(e.getMessage()).doesNotContain("\n");
      }
    }
  }
}
