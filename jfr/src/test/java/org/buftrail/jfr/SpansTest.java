package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.buftrail.jfr.events.Spans;
import org.buftrail.profile.Kind;
import org.buftrail.profile.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples carry the tag of the async-profiler span that they lie in. */
final class SpansTest {
  private static final String SAMPLE = "jdk.ExecutionSample";
  private static final String SPAN = "profiler.Span";

  @TempDir private Path directory;

  private ChunkFile chunk(boolean compressed) throws IOException {
    return new ChunkFile(directory.resolve("made.jfr"), compressed)
        .type(SAMPLE, "pooled Thread sampledThread", "int state")
        .type(SPAN, "long duration", "pooled Thread eventThread", "pooled String tag")
        .thread(7, "seven")
        .thread(8, "eight")
        .constant(-3, "outer")
        .constant(4, "inner")
        .constant(5, "later");
  }

  private Conversion convert(Options options) throws IOException {
    Conversion conversion = Recording.of(directory.resolve("made.jfr")).convert(options);
    assertThat(conversion.damages()).isEmpty();
    return conversion;
  }

  private void write(boolean compressed) throws IOException {
    try (ChunkFile chunk = chunk(compressed)) {
      long[] times = {10, 19, 20, 29, 30, 39, 40, 99, 100};
      for (long time : times) {
        chunk.event(SAMPLE, chunk.at(time).i8(7).i4(0));
        chunk.event(SAMPLE, chunk.at(time).i8(8).i4(0));
      }
      // Written when they end: after what lies in them, the inner before the outer.
      chunk.event(SPAN, chunk.at(20).i8(10).i8(7).i8(4));
      chunk.event(SPAN, chunk.at(10).i8(30).i8(7).i8(-3));
      chunk.event(SPAN, chunk.at(99).i8(1).i8(8).i8(5));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void samplesOfItsThreadWithinItsTimeCarryTheTag(boolean compressed) throws IOException {
    write(compressed);
    Profiles profiles = convert(Options.DEFAULT).profiles();
    assertThat(Flattened.bySpan(profiles))
        .isEqualTo(
            Map.of(
                "seven outer",
                4L,
                "seven inner",
                2L,
                "seven null",
                3L,
                "eight later",
                1L,
                "eight null",
                8L));
    assertThat(Flattened.of(profiles, "span", "time"))
        .isEqualTo(
            Map.of("seven#7 [inner:0]", 10L, "seven#7 [outer:0]", 30L, "eight#8 [later:0]", 1L));
  }

  @Test
  void tagsMayStandInTheEvent() throws IOException {
    String inline = SPAN + "#inline";
    try (ChunkFile chunk = chunk(true)) {
      chunk.type(inline, "long duration", "pooled Thread eventThread", "String tag");
      for (long time : new long[] {10, 20, 30, 40}) {
        chunk.event(SAMPLE, chunk.at(time).i8(7).i4(0));
      }
      chunk.event(inline, chunk.at(10).i8(5).i8(7).text("utf", 3, StandardCharsets.UTF_8));
      chunk.event(inline, chunk.at(20).i8(5).i8(7).constant(-3));
      chunk.event(inline, chunk.at(30).i8(5).i8(7).none(0));
      chunk.event(SPAN, chunk.at(40).i8(5).i8(7).i8(4));
    }
    assertThat(Flattened.bySpan(convert(Options.DEFAULT).profiles()))
        .isEqualTo(Map.of("seven utf", 1L, "seven outer", 1L, "seven null", 1L, "seven inner", 1L));
  }

  @Test
  void spansMarkAlsoWhenTheyAreNoProfileThemselvesOrBeganBeforeTheSelectedTime()
      throws IOException {
    write(true);
    Options options =
        Options.DEFAULT
            .kinds(Set.of(Kind.CPU))
            .between(ChunkFile.START_NANOS + 25, ChunkFile.START_NANOS + 35);
    Conversion conversion = convert(options);
    assertThat(Flattened.bySpan(conversion.profiles()))
        .isEqualTo(Map.of("seven inner", 1L, "seven outer", 1L, "eight null", 2L));
    assertThat(conversion.profiles().profiles()).hasSize(1);
    assertThat(conversion.stats().rows().get(0).found()).isEqualTo(18);
    assertThat(conversion.stats().rows().get(0).converted()).isEqualTo(4);
  }

  @Test
  void keepsTheTagOfEachEventThatKeepsItsTime() throws IOException {
    write(true);
    Profiles profiles = convert(Options.DEFAULT.timestamps(true)).profiles();
    assertThat(Flattened.bySpan(profiles))
        .containsEntry("seven inner", 2L)
        .containsEntry("seven outer", 4L);
  }

  @Test
  void findsWhatALookAtEverySpanFinds() {
    Random random = new Random(1);
    for (int round = 0; round < 400; round++) {
      Spans spans = new Spans();
      Spans others = new Spans();
      List<long[]> all = new ArrayList<>();
      for (int i = 0; i < random.nextInt(12); i++) {
        // Spans of one thread that begin together end apart, and none is as long as another.
        long[] span = {1 + random.nextInt(20), 100L * random.nextInt(20), 37L * (i + 1), i + 1};
        all.add(span);
        // What comes from elsewhere ends later.
        Spans target = round % 2 == 0 || i < 6 ? spans : others;
        target.add(span[0], span[1], span[2], span[3]);
      }
      boolean areAny = others.arrange();
      spans.beside(areAny ? others : null);
      assertThat(spans.arrange() || areAny).isEqualTo(!all.isEmpty());
      for (long thread = 0; thread <= 21; thread++) {
        for (long at = -1; at < 2500; at += 13) {
          assertThat(spans.tagAt(thread, at)).isEqualTo(tag(all, thread, at));
        }
      }
    }
  }

  /** Returns the span around a time that began last; if several did, the shortest. */
  private static long tag(List<long[]> spans, long thread, long at) {
    long[] best = {0, Long.MIN_VALUE, 0, 0};
    for (long[] span : spans) {
      boolean around = span[0] == thread && span[1] <= at && at < span[1] + span[2];
      if (around && (span[1] > best[1] || (span[1] == best[1] && span[2] < best[2]))) {
        best = span;
      }
    }
    return best[3];
  }

  @Test
  void aSpanThatNeverEndsIsNoTrouble() {
    Spans spans = new Spans();
    spans.add(1, Long.MAX_VALUE - 5, Long.MAX_VALUE, 9);
    spans.add(1, 10, -5, 8);
    assertThat(spans.arrange()).isTrue();
    assertThat(spans.tagAt(1, Long.MAX_VALUE - 1)).isEqualTo(9);
    assertThat(spans.tagAt(1, 10)).isZero();
  }
}
