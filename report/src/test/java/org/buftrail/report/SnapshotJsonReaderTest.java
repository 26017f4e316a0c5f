package org.buftrail.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;
import org.buftrail.model.Misuse;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.Snapshot;
import org.buftrail.model.TrackerStatus;
import org.buftrail.profile.json.JsonException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotJsonReaderTest {
  private static final String HEAD =
      "{\"format\":\"buftrail.flows\",\"version\":1,\"takenAt\":\"1970-01-01T00:00:00Z\",";

  @Test
  void readsBackEveryFigure() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder().sampling(8).overflowed(2).suppressedErrors(3);
    b.direct("a.Alloc.direct", "b.Codec.decode_return:5 [6+] loop overflow")
        .released(10, 100)
        .leaked(20, 200)
        .holding(5)
        .dropped(40, 400)
        .live(30, 300)
        .ages(7, 6)
        .seen(1_000, 2_001)
        .add();

    Snapshot read = read(SnapshotJsonTest.json(b.build().withHopRules(7)));

    assertThat(read.takenAtMillis()).isEqualTo(SnapshotBuilder.TAKEN_AT);
    assertThat(read.sampling()).isEqualTo(8);
    assertThat(read.hopRules()).isEqualTo(7);
    assertThat(read.allocated()).isEqualTo(105);
    assertThat(read.overflowed()).isEqualTo(2);
    assertThat(read.suppressedErrors()).isEqualTo(3);
    Path path = read.paths().get(0);
    assertThat(path.isDirect()).isTrue();
    assertThat(path.released().count()).isEqualTo(10);
    assertThat(path.released().bytes()).isEqualTo(100);
    assertThat(path.leaked().count()).isEqualTo(20);
    assertThat(path.leaked().bytes()).isEqualTo(200);
    assertThat(path.held()).isEqualTo(5);
    assertThat(path.dropped().count()).isEqualTo(40);
    assertThat(path.dropped().bytes()).isEqualTo(400);
    assertThat(path.live().count()).isEqualTo(30);
    assertThat(path.live().bytes()).isEqualTo(300);
    assertThat(path.oldestMillis()).isEqualTo(7);
    assertThat(path.medianMillis()).isEqualTo(6);
    assertThat(path.firstSeenMillis()).isEqualTo(1_000);
    assertThat(path.lastSeenMillis()).isEqualTo(2_001);
    Path.Hop hop = path.hops().get(1);
    assertThat(hop.site()).isEqualTo(new Site("b.Codec", "decode", "", 5, "_return"));
    assertThat(hop.refs()).isEqualTo("6+");
    assertThat(hop.isLoop()).isTrue();
    assertThat(hop.isOverflow()).isTrue();
  }

  @Test
  void filesOfBeforeHeldAndDroppedWereToldApartAreRead() throws IOException {
    Snapshot old =
        read(
            HEAD
                + "\"totals\":{\"allocated\":6,\"released\":1,\"leaked\":2,\"live\":3},\"paths\":["
                + "{\"hops\":[\"A.b\"],\"refs\":[\"1-2\"],"
                + "\"sites\":[{\"class\":\"a.A\",\"method\":\"b\"}],"
                + "\"released\":1,\"leaked\":2,\"live\":3,\"leakedBytes\":20}]}");

    assertThat(old.allocated()).isEqualTo(6);
    assertThat(old.leaked().count()).isEqualTo(2);
    assertThat(old.held()).isZero();
    assertThat(old.dropped().count()).isZero();
  }

  @Test
  void readsBackWhatTheTrackerSaysOfItself() throws IOException {
    SnapshotBuilder b = new SnapshotBuilder();
    b.status().stop(new TrackerStatus.Stop(5_000, "too many errors"));
    b.status().lostReleases(4).undecided(5).atEnd(true).unwovenClasses(7);
    b.status().add(new TrackerStatus.Unwoven("a.B", "too large"));
    b.status().add(new TrackerStatus.ThreadHealth("sweeper", 90, 6_000, 2, "no memory"));
    b.status().add(new TrackerStatus.ThreadHealth("push", 0, -1, 0, null));

    String json = SnapshotJsonTest.json(b.build());
    assertThat(json)
        .contains(
            "\"tracker\":{\"stoppedAt\":\"1970-01-01T00:00:05Z\",\"stopReason\":\"too many"
                + " errors\","
                + "\"lostReleases\":4,\"undecided\":5,\"atEnd\":true,\"unwovenClasses\":7,\"unwoven\":[{\"class\":\"a.B\",\"reason\":\"too"
                + " large\"}],\"threads\":["
                + "{\"name\":\"sweeper\",\"rounds\":90,\"lastRound\":\"1970-01-01T00:00:06Z\",\"failures\":2,\"lastFailure\":\"no"
                + " memory\"},{\"name\":\"push\",\"rounds\":0,\"failures\":0}]}");
    assertThat(SnapshotJsonTest.json(read(json))).isEqualTo(json);
  }

  @Test
  void readsBackAMisuseWithBothItsPaths() throws IOException {
    Misuse misuse =
        new Misuse(
            Misuse.Kind.RETAIN_AFTER_RELEASE,
            new Site("a.Victim", "close", "", 9, ""),
            3,
            List.of(SnapshotBuilder.hop("a.Victim.use:3")),
            List.of(SnapshotBuilder.hop("a.Culprit.end:4 [3-5]")));

    Snapshot read =
        read(
            SnapshotJsonTest.json(
                new Snapshot(0, 1, 0, 0, TrackerStatus.FINE, List.of(), List.of(misuse))));

    Misuse back = read.misuses().get(0);
    assertThat(back.kind()).isEqualTo(misuse.kind());
    assertThat(back.count()).isEqualTo(3);
    assertThat(back.site()).isEqualTo(misuse.site());
    assertThat(back.hops().get(0).site()).isEqualTo(new Site("a.Victim", "use", "", 3, ""));
    assertThat(back.earlier().get(0).site()).isEqualTo(new Site("a.Culprit", "end", "", 4, ""));
    assertThat(back.earlier().get(0).refs()).isEqualTo("3-5");
  }

  @RepeatedTest(300)
  void whatIsWrittenIsReadBack(RepetitionInfo seed) throws IOException {
    String written = SnapshotJsonTest.json(RandomSnapshots.of(seed.getCurrentRepetition()));

    assertThat(SnapshotJsonTest.json(read(written))).isEqualTo(written);
  }

  @RepeatedTest(500)
  void textThatAnotherStrictParserRefusesIsRefused(RepetitionInfo seed) throws IOException {
    Snapshot snapshot = RandomSnapshots.of(seed.getCurrentRepetition());
    Random random = new Random(seed.getCurrentRepetition());
    StringBuilder text = new StringBuilder(SnapshotJsonTest.json(snapshot));
    text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(0x80));
    boolean wellFormed = isJson(text.toString());
    try {
      read(text.toString());
      assertThat(wellFormed).as(text.toString()).isTrue();
    } catch (JsonException e) {
      assertThat(e.line()).isPositive();
      assertThat(e.column()).isPositive();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "                                    | line 1, column 1: expected an object, found the end"
            + " of the text",
        "[]                                  | line 1, column 1: expected an object, found '['",
        "{}                                  | line 1, column 3: no member \"format\": this is not"
            + " a Buftrail snapshot",
        "{\"format\":\"pprof\"}              | line 1, column 18: expected the format"
            + " \"buftrail.flows\", found \"pprof\"",
        "{\"version\":2}                     | line 1, column 13: the snapshot has version 2, this"
            + " reads version 1",
        "{\"takenAt\":\"yesterday\"}         | line 1, column 23: expected a time such as"
            + " 2026-01-31T12:00:00Z, found \"yesterday\"",
        "{\"sampling\":0}                    | line 1, column 14: expected a whole number from 1 to"
            + " 2147483647, found 0",
        "{\"sampling\":1.5}                  | line 1, column 16: expected a whole number from 1 to"
            + " 2147483647, found 1.5",
        "{\"a\":01}                          | line 1, column 7: expected ',' or '}', found '1'",
        "{\"a\":nul}                         | line 1, column 9: expected null, found '}'",
        "{\"a\":[1,]}                        | line 1, column 9: expected a value, found ']'",
        "{\"a\":1,}                          | line 1, column 8: expected a member name in double"
            + " quotes, found '}'",
        "{\"a\" 1}                           | line 1, column 6: expected ':' after the name \"a\","
            + " found '1'",
        "{\"a\":\"\\x\"}                     | line 1, column 8: expected an escape such as \\n"
            + " or \\u0041, found 'x'",
        "{\"a\":\"open                       | line 1, column 11: expected the closing '\"' of a"
            + " string, found the end of the text",
        "{\"paths\":[{\"hops\":[\"a\"]}]}    | line 1, column 25: a path has 1 hops, but 0 refs and"
            + " 0 sites",
        "{\"paths\":[{}]}                    | line 1, column 13: a path has no \"hops\"",
        "{\"paths\":[{\"lastSeen\":\"now\"}]} | line 1, column 28: expected a time such as"
            + " 2026-01-31T12:00:00Z, found \"now\"",
        "{\"paths\":[{\"live\":-1}]}         | line 1, column 21: expected a whole number from 0 to"
            + " 9223372036854775807, found -1",
      })
  void aFaultNamesItsPlaceAndWhatWasExpected(String text, String message) {
    assertThatThrownBy(() -> read(text == null ? "" : text))
        .isInstanceOf(JsonException.class)
        .hasMessage(message);
  }

  @Test
  void placesCountLines() {
    JsonException e =
        catchThrowableOfType(JsonException.class, () -> read("{\n \"format\" : \r\n  7}"));

    assertThat(e).hasMessage("line 3, column 3: expected a string, found '7'");
    assertThat(e.line()).isEqualTo(3);
    assertThat(e.column()).isEqualTo(3);
  }

  @Test
  void unknownMembersArePassedOver() throws IOException {
    Snapshot read =
        read(
            "\n {\"x\":{\"y\":[1e-5,-0.0,true,false,null,{}]},"
                + HEAD.substring(1)
                + "\"totals\":{\"new\":[[]]},\"paths\":[{\"new\":null,\"hops\":[\"C.m\"],\"refs\":[\"1-2\"],\"sites\":[{\"class\":\"p.C\",\"method\":\"m\",\"new\":{}}],\"live\":2}]}"
                + " \n");

    assertThat(read.paths()).hasSize(1);
    assertThat(read.allocated()).as("without totals, the sum of the paths").isEqualTo(2);
    assertThat(read.sampling()).isEqualTo(1);
    assertThat(read.hopRules()).as("an older file").isEqualTo(1);
  }

  @Test
  void nestingIsBounded() {
    assertThatThrownBy(() -> read("{\"x\":" + "[".repeat(1_000_000)))
        .isInstanceOf(JsonException.class)
        .hasMessageEndingWith("nested deeper than 64");
  }

  @Test
  void stringsAndNumbersAreBounded() {
    assertThatThrownBy(() -> SnapshotJsonReader.read(endless("{\"", 'x')))
        .hasMessageEndingWith("a string is longer than 65536 characters");
    assertThatThrownBy(() -> SnapshotJsonReader.read(endless("{\"x\":1", '1')))
        .hasMessageEndingWith("a number is longer than 1024 digits");
  }

  @Test
  void theWholeTextIsBounded() {
    assertThatThrownBy(() -> SnapshotJsonReader.read(endless("", ' '), 1_000_000))
        .hasMessageContaining("the text is longer than 1000000 characters");
  }

  @Test
  void countsThatOverflowTogetherAreRefused() {
    String path =
        "{\"hops\":[\"C.m\"],\"refs\":[\"0\"],\"sites\":[{}],\"released\":" + Long.MAX_VALUE + "}";

    assertThatThrownBy(() -> read(HEAD + "\"paths\":[" + path + "," + path + "]}"))
        .hasMessageContaining("add up to more than 9223372036854775807");
  }

  @Test
  void aFileThatIsNotUtf8IsRefused(@TempDir java.nio.file.Path dir) throws IOException {
    java.nio.file.Path file = dir.resolve("flows.json");
    Files.write(file, "{\"\u00e9\":1}".getBytes(StandardCharsets.ISO_8859_1));

    assertThatThrownBy(() -> SnapshotJsonReader.read(file))
        .isInstanceOf(JsonException.class)
        .hasMessageStartingWith(file + ": line 1, column ")
        .hasMessageContaining("not UTF-8");
  }

  @Test
  void aFileIsReadBack(@TempDir java.nio.file.Path dir) throws IOException {
    java.nio.file.Path file = dir.resolve("flows.json");
    String written = SnapshotJsonTest.json(SnapshotBuilder.service());
    Files.writeString(file, written);

    assertThat(SnapshotJsonTest.json(SnapshotJsonReader.read(file))).isEqualTo(written);
  }

  private static Snapshot read(String text) throws IOException {
    return SnapshotJsonReader.read(new StringReader(text));
  }

  private static boolean isJson(String text) {
    ObjectMapper strict =
        JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
    try {
      strict.readTree(text);
      return true;
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  private static Reader endless(String start, char rest) {
    return new Reader() {
      private int position;

      @Override
      public int read(char[] buffer, int offset, int length) {
        for (int i = 0; i < length; i++, position++) {
          buffer[offset + i] = position < start.length() ? start.charAt(position) : rest;
        }
        return length;
      }

      @Override
      public void close() {}
    };
  }
}
