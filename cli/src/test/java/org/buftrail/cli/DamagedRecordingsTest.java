package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.buftrail.profile.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@code convert} makes of each kind of damage: what could be read, one line for what could
 * not, which names chunk, offset and cause, an output that is marked, and the exit code.
 */
@Timeout(120)
final class DamagedRecordingsTest {
  private static final Path RECORDINGS = Path.of("../jfr/src/test/resources/recordings");
  private static final int SIZE = 8;
  private static final int CONSTANTS = 16;
  private static final int METADATA = 24;
  private static final int DURATION = 40;
  private static final int CLOCK = 56;
  private static final int EVENTS = 68;
  private static final long START = 1_700_000_000_000_000_000L;

  @TempDir private Path directory;

  /** One kind of damage. */
  private static final class Damaged {
    final String name;
    final byte[] bytes;

    /** Name of the profile to add up, and what must be and can be left of it. */
    final String profile;

    final long least;
    final long most;

    /** How the line that names the damage goes on after the file's name. */
    final String line;

    Damaged(String name, byte[] bytes, String profile, long least, long most, String line) {
      this.name = name;
      this.bytes = bytes;
      this.profile = profile;
      this.least = least;
      this.most = most;
      this.line = line;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static Damaged of(String name, byte[] bytes, String profile, long left, String line) {
    return new Damaged(name, bytes, profile, left, left, line);
  }

  static Stream<Damaged> damages() throws IOException {
    List<Damaged> all = new ArrayList<>();
    addHeaders(all, good("jdk-50-10-100"));
    addUnfinished(all);
    addEvents(all, good("jdk-50-10-100"), good("jdk21"));
    addConstants(all);
    return all.stream();
  }

  private static void addHeaders(List<Damaged> all, byte[] good) {
    String second = "chunk 1 at byte " + good.length + ": ";
    for (long size : new long[] {0, 67, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 30}) {
      byte[] bytes = concat(good, with(good, SIZE, size), good);
      String line = second + "the chunk states a size of " + size + " bytes";
      all.add(of("a size of " + size + " between good chunks", bytes, "cpu", 150, line));
    }
    byte[] noMagic = flipped(good, 0, 3);
    String none = "no chunk begins here (magic bytes FLR\\0 expected)";
    all.add(of("wrong magic", concat(noMagic, good), "cpu", 50, "chunk 0 at byte 0: " + none));
    all.add(of("wrong magic between", concat(good, noMagic, good), "cpu", 100, second + none));
    all.add(of("garbage behind", concat(good, new byte[1000]), "cpu", 50, second + none));
    byte[] cut = concat(good, Arrays.copyOf(good, 40));
    all.add(of("a header cut off", cut, "cpu", 50, second + "the chunk header goes on past"));
    byte[] version = concat(good, flipped(good, 5, 3), good);
    String expected = "chunk 1 at byte " + (good.length + 4) + ": chunk format 10, 2 expected";
    all.add(of("another format between", version, "cpu", 100, expected));
    byte[] clock = concat(good, flipped(good, CLOCK, 7), good);
    String ticks = "chunk 1 at byte " + (good.length + CLOCK) + ": -9223372035854775808 ticks";
    all.add(of("a clock that runs backwards", clock, "cpu", 100, ticks));
    byte[] empty = good.clone();
    Arrays.fill(empty, EVENTS, empty.length, (byte) 0);
    byte[] zeros = concat(good, empty, good);
    // The offset is where the header says that the metadata is.
    String missing = "chunk 1 at byte \\d+: the chunk's metadata is missing";
    all.add(of("zeros between", zeros, "cpu", 100, missing));
  }

  private static void addUnfinished(List<Damaged> all) throws IOException {
    String line = "chunk 0 at byte 0: the chunk was not finished";
    all.add(of("killed JDK 17", good("killed-17"), "lock_enter", 172, line));
    all.add(of("killed JDK 25", good("killed-25"), "lock_enter", 315, line));
    byte[] whole = good("async-profiler");
    byte[] bytes = with(with(with(whole, SIZE, 1 << 30), METADATA, 0), DURATION, 0);
    bytes = with(bytes, CONSTANTS, 0);
    all.add(of("unfinished async-profiler", bytes, "alloc", 2812, line));
    int constants = (int) ByteBuffer.wrap(whole).getLong(CONSTANTS);
    byte[] events = Arrays.copyOf(bytes, constants);
    all.add(of("the same without constants", events, "alloc", 2812, line));
    String missing = "chunk 0 at byte 0: the stack traces of 4183 events are missing";
    all.add(of("what it lacks then", events, "wall", 1789, missing));
  }

  private static void addEvents(List<Damaged> all, byte[] small, byte[] jdk21) {
    byte[] cut = Arrays.copyOf(jdk21, jdk21.length * 3 / 4);
    String size = "chunk 0 at byte 0: the chunk states a size of " + jdk21.length + " bytes";
    all.add(new Damaged("cut off", cut, "alloc_sampled", 120, 479, size));
    byte[] longer = flipped(small, EVENTS, 3);
    String event = "chunk 0 at byte 73: an event of 1000000000 bytes";
    all.add(of("a flipped bit makes an event shorter", longer, "cpu", 0, event));
    byte[] unknown = flipped(small, EVENTS + 4, 4);
    String strange = "chunk 0 at byte 0: 1 event is of a type that is not described";
    all.add(of("a flipped bit makes a type unknown", unknown, "cpu", 49, strange));
    byte[] hole = jdk21.clone();
    Arrays.fill(hole, 125_000, 125_040, (byte) 0);
    String zero = "chunk 0 at byte \\d+: an event of 0 bytes";
    all.add(new Damaged("zeros among events", hole, "alloc_sampled", 48, 480, zero));
  }

  private static void addConstants(List<Damaged> all) {
    String type = "chunk 0 at byte 0: metadata: type profiler.Span is too large";
    all.add(of("a type that holds itself", new Chunk(1, true).bytes(), "span", 0, type));
  }

  static byte[] good(String name) throws IOException {
    try (InputStream in = Files.newInputStream(RECORDINGS.resolve(name + ".jfr.gz"))) {
      return new GZIPInputStream(in).readAllBytes();
    }
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] with(byte[] bytes, int at, long value) {
    byte[] changed = bytes.clone();
    ByteBuffer.wrap(changed).putLong(at, value);
    return changed;
  }

  private static byte[] flipped(byte[] bytes, int at, int bit) {
    byte[] changed = bytes.clone();
    changed[at] ^= (byte) (1 << bit);
    return changed;
  }

  /** A chunk of one {@code profiler.Span}; all its numbers are below 128, so a byte each. */
  private static final class Chunk {
    private static final int SPAN = 100;
    private static final int LONG = 10;
    private static final int STRING = 20;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final List<String> strings = new ArrayList<>();

    /**
     * @param tag key of the span's tag; of the constants the one with key 1 names itself
     * @param endless whether the type of the event has a field of its own type
     */
    Chunk(int tag, boolean endless) {
      bytes.writeBytes(new byte[EVENTS]);
      event(SPAN, new byte[] {5, 7, (byte) tag});
      final int constants = bytes.size();
      event(1, new byte[] {0, 0, 0, 0, 1, STRING, 1, 1, 2, 1});
      final int metadata = bytes.size();
      event(0, types(endless));
      ByteBuffer header = ByteBuffer.allocate(EVENTS);
      header.put(new byte[] {'F', 'L', 'R', 0, 0, 2, 0, 1});
      for (long value : new long[] {bytes.size(), constants, metadata, START, 1000, 0, 1000}) {
        header.putLong(value);
      }
      header.putShort((short) 0).putShort((short) 1);
      byte[] whole = bytes.toByteArray();
      System.arraycopy(header.array(), 0, whole, 0, EVENTS);
      bytes.reset();
      bytes.writeBytes(whole);
    }

    byte[] bytes() {
      return bytes.toByteArray();
    }

    private void event(int type, byte[] content) {
      int size = content.length + 5;
      bytes.writeBytes(new byte[] {(byte) (size | 0x80), (byte) (size >> 7 | 0x80)});
      bytes.writeBytes(new byte[] {(byte) 0x80, 0, (byte) type});
      bytes.writeBytes(content);
    }

    private byte[] types(boolean endless) {
      ByteArrayOutputStream elements = new ByteArrayOutputStream();
      element(elements, 1, "root");
      element(elements, 3, "metadata");
      element(elements, 0, "class", "id", "" + LONG, "name", "long");
      element(elements, 0, "class", "id", "" + STRING, "name", "java.lang.String");
      element(elements, endless ? 4 : 3, "class", "id", "" + SPAN, "name", "profiler.Span");
      element(elements, 0, "field", "name", "startTime", "class", "" + LONG);
      element(elements, 0, "field", "name", "duration", "class", "" + LONG);
      String[] tag = {"name", "tag", "class", "" + STRING, "constantPool", "true"};
      element(elements, 0, "field", tag);
      if (endless) {
        element(elements, 0, "field", "name", "self", "class", "" + SPAN);
      }
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.writeBytes(new byte[] {0, 0, 1, (byte) strings.size()});
      for (String string : strings) {
        all.writeBytes(new byte[] {3, (byte) string.length()});
        all.writeBytes(string.getBytes(StandardCharsets.UTF_8));
      }
      all.writeBytes(elements.toByteArray());
      return all.toByteArray();
    }

    private void element(
        ByteArrayOutputStream target, int children, String kind, String... attributes) {
      target.write(index(kind));
      target.write(attributes.length / 2);
      for (String attribute : attributes) {
        target.write(index(attribute));
      }
      target.write(children);
    }

    private int index(String string) {
      if (!strings.contains(string)) {
        strings.add(string);
      }
      return strings.indexOf(string);
    }
  }

  @ParameterizedTest
  @MethodSource("damages")
  void whatCanBeReadIsConvertedAndTheRestIsNamed(Damaged damaged) throws IOException {
    Path file = Files.write(directory.resolve("in.jfr"), damaged.bytes);
    Path out = directory.resolve("x.otlp");
    Run strict = Run.of("convert", file.toString(), "-o", out.toString());
    assertThat(strict.exit()).as(strict.err()).isEqualTo(1);
    assertThat(strict.out()).isEmpty();
    List<String> lines = strict.errLines();
    String prefix = "buftrail: " + file + ": ";
    if (!Files.exists(out)) {
      assertThat(damaged.least).isZero();
      assertThat(lines).hasSize(1);
      assertThat(lines.get(0))
          .startsWith(prefix + "nothing to convert: ")
          .matches(".+; " + pattern(damaged.line) + "( \\(and \\d+ more damages?\\))?");
      Run nothing = Run.of("convert", file.toString(), "-o", out.toString(), "--lenient");
      assertThat(nothing.exit()).isEqualTo(1);
      return;
    }
    String line = prefix + damaged.line;
    assertThat(lines)
        .anySatisfy(
            said -> {
              assertThat(said).startsWith(prefix);
              assertThat(said.substring(prefix.length())).matches(pattern(damaged.line));
            });
    assertThat(lines.subList(1, lines.size() - 1))
        .as(line)
        .allSatisfy(said -> assertThat(said).matches("buftrail: .*: chunk \\d+ at byte \\d+: .+"));
    String last = lines.get(lines.size() - 1);
    assertThat(last).contains("marked partial (--lenient accepts that)");

    Profiles profiles = Written.read(out);
    assertThat(profiles.resource().asMap()).containsEntry("buftrail.recording.partial", true);
    assertThat(Written.count(profiles, damaged.profile)).isBetween(damaged.least, damaged.most);
    Run check = Run.of("check", out.toString());
    assertThat(check.exit()).as(check.out()).isZero();

    byte[] written = Files.readAllBytes(out);
    Run lenient = Run.of("convert", file.toString(), "-o", out.toString(), "--lenient");
    assertThat(lenient.exit()).as(lenient.err()).isZero();
    assertThat(Files.readAllBytes(out)).isEqualTo(written);
  }

  /** Offsets may differ where a case says so; all else is literal. */
  private static String pattern(String line) {
    return Pattern.quote(line).replace("\\d+", "\\E\\d+\\Q") + ".*";
  }

  @Test
  void whatHoldsNoChunkIsRefused() throws IOException {
    byte[] good = good("jdk-50-10-100");
    for (byte[] bytes : List.of(new byte[0], new byte[5000], flipped(good, 0, 3))) {
      Path file = Files.write(directory.resolve("in.jfr"), bytes);
      Path out = directory.resolve("x.otlp");
      Run run = Run.of("convert", file.toString(), "-o", out.toString(), "--lenient");
      assertThat(run.exit()).isEqualTo(1);
      String what = bytes.length == 0 ? "is empty" : "not a flight recording";
      assertThat(run.errLines()).containsExactly("buftrail: " + file + ": " + what);
      assertThat(out).doesNotExist();
    }
  }
}
