package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.buftrail.jfr.constants.ChunkTexts;
import org.buftrail.jfr.file.ByteSource;
import org.buftrail.jfr.file.ChunkHeader;
import org.buftrail.jfr.file.RecordingBuffer;
import org.buftrail.jfr.file.Text;
import org.buftrail.profile.Profile;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Damaged recordings: what can be read is converted, the rest is named, nothing hangs. */
@Timeout(300)
final class DamageTest {
  private Path directory;

  @BeforeEach
  void prepare(@TempDir Path temporary) {
    directory = temporary;
  }

  private byte[] bytes(String name) throws IOException {
    return Files.readAllBytes(Recordings.unpack(name, directory));
  }

  private Conversion convert(byte[]... parts) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    Path file = Files.write(directory.resolve("damaged.jfr"), all.toByteArray());
    return new Converter(Options.DEFAULT).convert(List.of(file));
  }

  private static long total(Conversion conversion, String name) {
    return conversion.profiles().profiles().stream()
        .filter(profile -> profile.name().equals(name) && profile.column() == 0)
        .mapToLong(Profile::total)
        .sum();
  }

  /** Two threads decode and name ahead of what is damaged; nothing of that may be seen. */
  @Test
  void damagedRecordingsComeOutTheSameEachTime() throws IOException {
    byte[] whole = bytes("jdk-500-50-100");
    Random random = new Random(7);
    for (int round = 0; round < 100; round++) {
      byte[] damaged = whole.clone();
      for (int i = 0; i < 8; i++) {
        damaged[200 + random.nextInt(damaged.length - 200)] = (byte) random.nextInt();
      }
      Conversion first = convert(damaged);
      byte[] message = new OtlpWriter().toByteArray(first.profiles());
      for (int again = 0; again < 3; again++) {
        Conversion other = convert(damaged);
        assertThat(other.damages()).isEqualTo(first.damages());
        assertThat(new OtlpWriter().toByteArray(other.profiles())).isEqualTo(message);
      }
    }
  }

  private static void assertPartial(Conversion conversion, int chunk, String cause) {
    assertThat(conversion.damages())
        .anySatisfy(
            damage -> {
              assertThat(damage.chunk()).isEqualTo(chunk);
              assertThat(damage.cause()).contains(cause);
            });
    assertThat(conversion.isPartial()).isTrue();
    assertThat(conversion.profiles().resource().asMap())
        .containsEntry("buftrail.recording.partial", true);
  }

  @ParameterizedTest
  @ValueSource(strings = {"killed-17", "killed-25"})
  void readsWhatAKilledJvmFlushed(String name) throws IOException {
    Conversion conversion = convert(bytes(name));
    assertPartial(conversion, 0, "the chunk was not finished");
    assertThat(total(conversion, "cpu")).isEqualTo(name.equals("killed-17") ? 40 : 78);
    assertThat(total(conversion, "lock_enter")).isEqualTo(name.equals("killed-17") ? 172 : 315);
    assertThat(conversion.damages()).hasSize(1);
  }

  @Test
  void readsATruncatedChunkUpToTheBreak() throws IOException {
    byte[] whole = bytes("jdk21");
    Conversion conversion = convert(Arrays.copyOf(whole, whole.length * 3 / 4));
    assertPartial(conversion, 0, "the chunk states a size of " + whole.length + " bytes");
    long all = total(convert(whole), "alloc_sampled");
    assertThat(total(conversion, "alloc_sampled")).isBetween(all / 4, all - 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 67, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 30})
  void readsTheChunksAroundOneOfWrongSize(long size) throws IOException {
    byte[] good = bytes("jdk-50-10-100");
    byte[] bad = good.clone();
    ByteBuffer.wrap(bad).putLong(8, size);
    Conversion conversion = convert(good, bad, good);
    assertPartial(conversion, 1, "the chunk states a size of " + size);
    assertThat(total(conversion, "cpu")).isEqualTo(150);
  }

  /** HotSpot copies the header into checkpoints, which do not begin a chunk. */
  @ParameterizedTest
  @CsvSource({"jdk21, -1", "jdk25, -1", "jdk21, 0", "jdk25, 300", "jdk25, 1073741824"})
  void readsAllThatIsThereOfAChunkOfWrongSize(String name, long size) throws IOException {
    byte[] whole = bytes(name);
    Map<String, Long> all = totals(convert(whole));
    byte[] bad = whole.clone();
    ByteBuffer.wrap(bad).putLong(8, size);
    Conversion conversion = convert(bad);
    assertPartial(conversion, 0, "the chunk states a size of " + size + " bytes, of which ");
    assertThat(totals(conversion)).isEqualTo(all);
    assertThat(totals(convert(Arrays.copyOf(whole, whole.length - 1)))).isEqualTo(all);
  }

  /** Sums of what can be added up over recordings of the same process. */
  private static Map<String, Long> totals(Conversion conversion) {
    Map<String, Long> totals = new TreeMap<>();
    for (Profile profile : conversion.profiles().profiles()) {
      if (!profile.name().equals("nativemem_unfreed")) {
        totals.merge(profile.name() + " " + profile.column(), profile.total(), Long::sum);
      }
    }
    return totals;
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdk21", "async-profiler"})
  void readsTheRecordingBehindOneThatWasCutOff(String name) throws IOException {
    byte[] good = bytes(name);
    byte[] cut = Arrays.copyOf(good, good.length * 3 / 4);
    Map<String, Long> expected = totals(convert(cut));
    for (Map.Entry<String, Long> each : totals(convert(good)).entrySet()) {
      expected.merge(each.getKey(), 2 * each.getValue(), Long::sum);
    }
    Conversion conversion = convert(good, cut, good);
    assertPartial(conversion, 1, "of which " + cut.length + " are left");
    assertThat(totals(conversion)).isEqualTo(expected);
  }

  @Test
  void readsTheRecordingBehindOneWithoutMagic() throws IOException {
    byte[] good = bytes("jdk11");
    byte[] bad = bytes("jdk25");
    bad[0] = 'f';
    Conversion conversion = convert(good, bad, good);
    assertPartial(conversion, 1, "no chunk begins here");
    assertThat(total(conversion, "cpu")).isEqualTo(2 * total(convert(good), "cpu"));
    assertThat(conversion.stats().chunks()).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({"010144, 50", "0000000100000044, 50", "000144, 100", "010145, 100"})
  void aHeaderThatIsAConstantBeginsNoChunk(String before, long samples) throws IOException {
    byte[] good = bytes("jdk-50-10-100");
    byte[] prefix = HexFormat.of().parseHex(before);
    assertThat(total(convert(good, prefix, good), "cpu")).isEqualTo(samples);
  }

  /** Each of many headers that cannot be right has the next searched for. */
  @Test
  @Timeout(60)
  void searchesAFileFullOfWrongHeadersOnce() throws IOException {
    ByteBuffer headers = ByteBuffer.allocate(4 << 20);
    while (headers.remaining() >= ChunkHeader.LENGTH) {
      int at = headers.position();
      headers.putInt(ChunkHeader.MAGIC).putShort((short) 2).putShort((short) 0);
      headers.putLong(100).putLong(70).putLong(70).putLong(-1).putLong(0).putLong(0).putLong(1);
      headers.position(at + ChunkHeader.LENGTH);
    }
    assertThat(convert(headers.array()).isPartial()).isTrue();
  }

  /** The file is read once, not once for each of them. */
  @Test
  @Timeout(60)
  void searchesALargeFileFullOfWrongHeadersOnce() throws IOException {
    ByteBuffer headers = ByteBuffer.allocate(3 * RecordingBuffer.CAPACITY);
    while (headers.remaining() >= ChunkHeader.LENGTH) {
      int at = headers.position();
      headers.putInt(ChunkHeader.MAGIC).putShort((short) 2);
      headers.position(at + ChunkHeader.LENGTH);
    }
    assertThat(convert(headers.array()).isPartial()).isTrue();
  }

  @Test
  void readsTheChunksAroundOneWithoutMetadata() throws IOException {
    byte[] good = bytes("jdk-50-10-100");
    byte[] bad = good.clone();
    Arrays.fill(bad, ChunkHeader.LENGTH, bad.length, (byte) 0);
    Conversion conversion = convert(good, bad, good);
    assertPartial(conversion, 1, "metadata is missing");
    assertThat(total(conversion, "cpu")).isEqualTo(100);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 6})
  void findsAChunkWhoseHeaderBeginsAtTheEndOfTheWindow(int before) throws IOException {
    byte[] good = bytes("jdk11");
    byte[] garbage = new byte[RecordingBuffer.CAPACITY - before];
    Conversion conversion = convert(good, garbage, good);
    assertThat(total(conversion, "cpu")).isEqualTo(2 * total(convert(good), "cpu")).isPositive();
  }

  @Test
  void namesWhatFollowsTheLastChunk() throws IOException {
    byte[] good = bytes("jdk-50-10-100");
    Conversion conversion = convert(good, new byte[1000]);
    assertPartial(conversion, 1, "no chunk begins here");
    assertThat(total(conversion, "cpu")).isEqualTo(50);
    assertThat(conversion.damages().get(0).offset()).isEqualTo(good.length);
  }

  @ParameterizedTest
  @CsvSource({"jdk21, 125_000, alloc_sampled", "jdk11, 300_000, alloc"})
  void goesOnBehindABrokenEventAtTheNextCheckpoint(String name, String offset, String profile)
      throws IOException {
    byte[] bytes = bytes(name);
    long all = total(convert(bytes), profile);
    int at = Integer.parseInt(offset.replace("_", ""));
    Arrays.fill(bytes, at, at + 40, (byte) 0);
    Conversion conversion = convert(bytes);
    assertPartial(conversion, 0, "an event of ");
    assertThat(total(conversion, profile)).isBetween(all / 10, all);
    long found =
        conversion.stats().rows().stream()
            .filter(row -> row.event().equals("jdk.ActiveSetting"))
            .mapToLong(Stats.Row::found)
            .sum();
    assertThat(found).isPositive();
  }

  @Test
  void readsRecordingsOfSeveralJvmsInARow() throws IOException {
    byte[] first = bytes("jdk11");
    byte[] second = bytes("jdk25");
    byte[] third = bytes("async-profiler");
    long expected =
        total(convert(first), "cpu") + total(convert(second), "cpu") + total(convert(third), "cpu");
    Conversion conversion = convert(first, second, third);
    assertThat(conversion.damages()).isEmpty();
    assertThat(total(conversion, "cpu")).isEqualTo(expected);
    assertThat(total(conversion, "nativemem_unfreed"))
        .isEqualTo(total(convert(third), "nativemem_unfreed"))
        .isPositive();
  }

  @Test
  void readsOnPastStringsThatDoNotFit() throws IOException {
    byte[] bytes = bytes("jdk21");
    // Every string in an event is said to be longer than the file.
    for (int at = ChunkHeader.LENGTH; at < 8_000; at++) {
      if (bytes[at] == Text.UTF8) {
        Arrays.fill(bytes, at + 1, at + 4, (byte) 0xff);
        at += 40;
      }
    }
    assertThat(convert(bytes).isPartial()).isTrue();
  }

  @Test
  void refusesAStringLongerThanTheData() throws IOException {
    byte[] bytes = new byte[16];
    bytes[1] = Text.UTF8;
    bytes[2] = (byte) 0xff;
    bytes[3] = (byte) 0xff;
    bytes[4] = 1;
    Path file = Files.write(directory.resolve("string"), bytes);
    try (FileChannel channel = FileChannel.open(file)) {
      RecordingBuffer buffer = new RecordingBuffer(ByteSource.ofFile(channel), null);
      assertThat(buffer.ensure(bytes.length)).isTrue();
      assertThat(new ChunkTexts().intern(buffer, 1)).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE})
  void boundsTimesThatCannotBeRight(long time) throws IOException {
    for (int field : new int[] {32, 40, 48}) {
      byte[] bytes = bytes("jdk-50-10-100");
      ByteBuffer.wrap(bytes).putLong(field, time);
      Path file = Files.write(directory.resolve("times.jfr"), bytes);
      Conversion conversion =
          new Converter(Options.DEFAULT.timestamps(true)).convert(List.of(file));
      assertThat(total(conversion, "cpu")).isEqualTo(50);
      assertThat(conversion.isPartial()).isEqualTo(field != 48);
      byte[] written = new OtlpWriter().toByteArray(conversion.profiles());
      assertThat(Conformance.check(new ByteArrayInputStream(written)).violations()).isEmpty();
    }
  }
}
