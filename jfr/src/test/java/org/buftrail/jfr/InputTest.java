package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowingConsumer;
import org.buftrail.jfr.file.ByteSource;
import org.buftrail.jfr.packing.Lz4FrameInputStream;
import org.buftrail.profile.Kind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Packed recordings, directories, pipes and standard input give what the plain file gives. */
final class InputTest {
  private static final String NAME = "jdk-50-10-100";

  private Path directory;
  private Path plain;

  @BeforeEach
  void unpack(@TempDir Path temporary) throws IOException {
    directory = temporary;
    plain = Recordings.unpack(NAME, temporary);
  }

  private static long samples(Path... inputs) throws IOException {
    Conversion conversion =
        new Converter(Options.DEFAULT).convert(Recording.matching(List.of(inputs)));
    assertThat(conversion.damages()).isEmpty();
    return conversion.profiles().profiles().get(0).total();
  }

  private static OutputStream pack(String format, OutputStream target) throws IOException {
    return switch (format) {
      case "gz" -> new GZIPOutputStream(target);
      case "zst" -> new ZstdOutputStream(target);
      // As the command does.
      default ->
          new LZ4FrameOutputStream(
              target,
              LZ4FrameOutputStream.BLOCKSIZE.SIZE_4MB,
              LZ4FrameOutputStream.FLG.Bits.BLOCK_INDEPENDENCE,
              LZ4FrameOutputStream.FLG.Bits.CONTENT_CHECKSUM);
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zst", "lz4"})
  void readsPackedRecordings(String format) throws IOException {
    // The name does not matter.
    Path packed = directory.resolve("recording");
    try (OutputStream target = pack(format, Files.newOutputStream(packed))) {
      Files.copy(plain, target);
    }
    assertThat(samples(packed)).isEqualTo(50);
  }

  @Test
  void readsEveryRecordingOfAnArchive() throws IOException {
    Path packed = directory.resolve("recordings.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(packed))) {
      for (String entry : List.of("a.jfr", "readme.txt", "b/c.jfr")) {
        zip.putNextEntry(new ZipEntry(entry));
        Files.copy(plain, zip);
      }
    }
    assertThat(samples(packed)).isEqualTo(100);
  }

  /** An archive of the recording, twice as it is and once packed, and of a larger one between. */
  private byte[] archive(int method) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] larger = Files.readAllBytes(Recordings.unpack("jdk11", directory));
    byte[] content = Files.readAllBytes(plain);
    ByteArrayOutputStream gzip = new ByteArrayOutputStream();
    try (OutputStream target = pack("gz", gzip)) {
      target.write(content);
    }
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      put(zip, method, "a.jfr", content);
      put(zip, method, "larger.jfr", larger);
      put(zip, method, "b.jfr", content);
      put(zip, method, "c.jfr.gz", gzip.toByteArray());
    }
    return bytes.toByteArray();
  }

  private static void put(ZipOutputStream zip, int method, String name, byte[] content)
      throws IOException {
    ZipEntry entry = new ZipEntry(name);
    CRC32 checksum = new CRC32();
    checksum.update(content);
    entry.setMethod(method);
    entry.setSize(content.length);
    entry.setCrc(checksum.getValue());
    zip.putNextEntry(entry);
    zip.write(content);
  }

  private List<String> damages(Conversion conversion, Path file) {
    assertThat(conversion.isPartial()).isTrue();
    return conversion.damages().stream()
        .map(Damage::toString)
        .filter(damage -> damage.startsWith(file + ": ") && !damage.contains(": chunk "))
        .map(damage -> damage.substring(file.toString().length() + 2))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {ZipEntry.STORED, ZipEntry.DEFLATED})
  void aDamagedEntryDoesNotHideTheOthers(int method) throws IOException {
    byte[] bytes = archive(method);
    // In the larger one.
    bytes[bytes.length / 2] ^= 1;
    Path packed = Files.write(directory.resolve("recordings.zip"), bytes);
    Options wanted = Options.DEFAULT.kinds(EnumSet.of(Kind.CPU));
    Conversion conversion = new Converter(wanted).convert(Recording.matching(List.of(packed)));
    assertThat(damages(conversion, packed))
        .singleElement()
        .asString()
        .startsWith("larger.jfr cannot be unpacked to its end: ");
    assertThat(conversion.profiles().profiles().get(0).total()).isGreaterThanOrEqualTo(150);
    throughStandardInput(
        bytes,
        () -> {
          Path input = Path.of("-");
          Conversion streamed = new Converter(wanted).convert(Recording.matching(List.of(input)));
          assertThat(damages(streamed, input))
              .singleElement()
              .asString()
              .startsWith("larger.jfr cannot be unpacked to its end, nor can what follows it: ");
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {ZipEntry.STORED, ZipEntry.DEFLATED})
  void salvagesAnArchiveThatEndsEarly(int method) throws IOException {
    byte[] bytes = archive(method);
    Path cut = Files.write(directory.resolve("cut.zip"), Arrays.copyOf(bytes, bytes.length / 2));
    Conversion conversion =
        new Converter(Options.DEFAULT).convert(Recording.matching(List.of(cut)));
    assertThat(conversion.profiles().profiles().get(0).total()).isGreaterThanOrEqualTo(50);
    assertThat(damages(conversion, cut))
        .containsExactly(
            "the archive has no directory at its end: there may be recordings missing",
            "larger.jfr cannot be unpacked to its end, nor can what follows it: it ends early");
  }

  @Test
  void namesWhatAnArchiveHoldsThatIsNotSupported() throws IOException {
    byte[] legacy = {2, 0x21, 0x4c, 0x18, 1, 0, 0, 0, 0};
    Path packed = directory.resolve("recordings.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(packed))) {
      put(zip, ZipEntry.DEFLATED, "a.jfr.lz4", legacy);
      put(zip, ZipEntry.DEFLATED, "b.jfr.zip", archive(ZipEntry.DEFLATED));
      put(zip, ZipEntry.DEFLATED, "c.jfr", Files.readAllBytes(plain));
    }
    Conversion conversion =
        new Converter(Options.DEFAULT).convert(Recording.matching(List.of(packed)));
    assertThat(conversion.profiles().profiles().get(0).total()).isEqualTo(50);
    assertThat(damages(conversion, packed))
        .containsExactly(
            "a.jfr.lz4 is packed in the legacy format of lz4, which is not supported",
            "b.jfr.zip is an archive within an archive, which is not supported");
    Path alone = Files.write(directory.resolve("old.lz4"), legacy);
    assertThatThrownBy(() -> samples(alone))
        .hasMessage(alone + ": is packed in the legacy format of lz4, which is not supported");
  }

  @Test
  void unpacksABlockOfLz4ThatEndsEarly() throws IOException {
    Path packed = directory.resolve("packed.lz4");
    try (OutputStream target = pack("lz4", Files.newOutputStream(packed))) {
      Files.copy(Recordings.unpack("jdk25", directory), target);
    }
    byte[] bytes = Files.readAllBytes(packed);
    Path cut = Files.write(directory.resolve("cut.lz4"), Arrays.copyOf(bytes, bytes.length / 2));
    Conversion conversion =
        new Converter(Options.DEFAULT).convert(Recording.matching(List.of(cut)));
    assertThat(conversion.stats().bytes()).isGreaterThan(bytes.length / 2);
    assertThat(damages(conversion, cut))
        .containsExactly("cannot be unpacked to its end: it ends early");
  }

  @Test
  void readsEveryRecordingOfADirectory() throws IOException {
    Path below = Files.createDirectories(directory.resolve("below/here"));
    Files.copy(plain, below.resolve("copy.jfr"));
    Files.writeString(below.resolve("notes.txt"), "no recording");
    assertThat(samples(directory)).isEqualTo(100);
  }

  @Test
  void readsADirectoryThatALinkLeadsTo() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
    assertThat(RecordingFiles.expand(link))
        .containsExactly(link.resolve(directory.relativize(plain)));
    assertThat(samples(link)).isEqualTo(50);
  }

  @Test
  void readsWhatMatchesAGlob() throws IOException {
    Path below = Files.createDirectories(directory.resolve("in/below.d/here"));
    Path first = Files.copy(plain, directory.resolve("in/a.jfr"));
    Path second = Files.copy(plain, directory.resolve("in/b.jfr"));
    Path deep = Files.copy(plain, below.resolve("c.jfr"));
    Files.writeString(below.resolve("notes.txt"), "no recording");
    Path bracket = Files.copy(plain, directory.resolve("in/[x].jfr"));
    assertThat(matching("in/?.jfr")).containsExactly(first, second);
    assertThat(matching("i*/{a,c}.jfr")).containsExactly(first);
    assertThat(matching("in/**.jfr")).containsExactly(bracket, first, second, deep);
    assertThat(matching("in/**/*.jfr")).containsExactly(deep);
    assertThat(matching("in/*/*")).containsExactly(deep);
    assertThat(matching("in/b*")).containsExactly(second, deep);
    // A file of that name comes first.
    assertThat(matching("in/[x].jfr")).containsExactly(bracket);
    assertThat(samples(directory.resolve("in/[ab].jfr"))).isEqualTo(100);
  }

  private List<Path> matching(String glob) throws IOException {
    return RecordingFiles.expand(directory.resolve(glob));
  }

  @ParameterizedTest
  @CsvSource({
    "*.zst,no file matches",
    "nowhere/*.jfr,no file matches",
    "[a,'no such file, nor a valid glob: Missing '']'",
  })
  void namesAGlobThatNothingMatches(String glob, String message) {
    Path path = directory.resolve(glob);
    assertThatThrownBy(() -> samples(path)).hasMessage(path + ": " + message);
  }

  @Test
  void aDirectoryThatCannotBeReadDoesNotHideTheOthers() throws IOException {
    Path closed = Files.createDirectory(directory.resolve("closed"));
    Files.setPosixFilePermissions(closed, Set.of());
    try {
      // The superuser may read it all the same.
      assumeFalse(Files.isReadable(closed));
      Conversion conversion =
          new Converter(Options.DEFAULT).convert(Recording.matching(List.of(directory)));
      assertThat(conversion.profiles().profiles().get(0).total()).isEqualTo(50);
      assertThat(conversion.damages())
          .singleElement()
          .hasToString(closed + ": cannot be read: permission denied");
    } finally {
      Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void anEntryThatIsNoRecordingDoesNotHideTheOthers() throws IOException {
    Path packed = directory.resolve("recordings.zip");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(packed))) {
      zip.putNextEntry(new ZipEntry("a.jfr"));
      zip.write("these are notes".getBytes(StandardCharsets.UTF_8));
      zip.putNextEntry(new ZipEntry("b.jfr"));
      Files.copy(plain, zip);
    }
    Conversion conversion =
        new Converter(Options.DEFAULT).convert(Recording.matching(List.of(packed)));
    assertThat(conversion.profiles().profiles().get(0).total()).isEqualTo(50);
    assertThat(conversion.damages())
        .singleElement()
        .hasToString(packed + ": not a flight recording");
  }

  @Test
  void namesADirectoryWithoutRecordings() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertThatThrownBy(() -> samples(empty))
        .isInstanceOf(RecordingException.class)
        .hasMessage(empty + ": no recordings in this directory");
  }

  private interface Reader {
    void run() throws IOException;
  }

  private static void throughStandardInput(byte[] bytes, Reader reader) throws IOException {
    InputStream before = System.in;
    try {
      System.setIn(new ByteArrayInputStream(bytes));
      reader.run();
    } finally {
      System.setIn(before);
    }
  }

  @Test
  void readsStandardInput() throws IOException {
    Reader reader = () -> assertThat(samples(Path.of("-"))).isEqualTo(50);
    throughStandardInput(Files.readAllBytes(plain), reader);
    throughStandardInput(Files.readAllBytes(packTwice()), reader);
  }

  /** Packs in several members, as gzip does when it appends. */
  private Path packTwice() throws IOException {
    Path packed = directory.resolve("packed");
    byte[] all = Files.readAllBytes(plain);
    try (OutputStream target = Files.newOutputStream(packed)) {
      for (int half = 0; half < 2; half++) {
        int from = half * all.length / 2;
        GZIPOutputStream member = new GZIPOutputStream(target);
        member.write(all, from, (half + 1) * all.length / 2 - from);
        member.finish();
      }
    }
    return packed;
  }

  @Test
  void readsAllMembersOfGzip() throws IOException {
    assertThat(samples(packTwice())).isEqualTo(50);
  }

  /** A pipe that a file is written to, as shells give with {@code <(cat FILE)}. */
  private void throughPipe(Path source, ThrowingConsumer<Path> reader) throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    // Opening a pipe waits for the other side: the writer must not be this thread.
    String copy = "exec cat \"$0\" > \"$1\"";
    Process writer =
        new ProcessBuilder("sh", "-c", copy, source.toString(), pipe.toString()).start();
    try {
      assertTimeoutPreemptively(Duration.ofMinutes(1), () -> reader.accept(pipe));
    } finally {
      // A writer that still waits for the other side waits no longer.
      new RandomAccessFile(pipe.toFile(), "rw").close();
      writer.destroyForcibly().waitFor();
    }
  }

  @Test
  void readsPipes() throws Exception {
    throughPipe(plain, pipe -> assertThat(samples(pipe)).isEqualTo(50));
  }

  @Test
  void readsPackedPipes() throws Exception {
    throughPipe(packTwice(), pipe -> assertThat(samples(pipe)).isEqualTo(50));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3})
  void namesAPipeWithHardlyAnything(int bytes) throws Exception {
    Path source = Files.write(directory.resolve("short"), new byte[bytes]);
    throughPipe(
        source,
        pipe ->
            assertThatThrownBy(() -> samples(pipe))
                .isInstanceOf(RecordingException.class)
                .hasMessage(pipe + ": not a flight recording"));
  }

  /** What says that it has no bytes is read to its end; what has no end is not read. */
  @ParameterizedTest
  @ValueSource(strings = {"/proc/self/cmdline", "/dev/zero", "/dev/null"})
  void namesWhatIsNoFile(String path) {
    assertThatThrownBy(() -> samples(Path.of(path))).hasMessage(path + ": not a flight recording");
  }

  @Test
  void namesWhatEndsBeforeItBegins() throws IOException {
    Path packed = packTwice();
    Files.write(packed, Arrays.copyOf(Files.readAllBytes(packed), 5));
    assertThatThrownBy(() -> samples(packed))
        .hasMessage(packed + ": cannot be read: it ends early");
  }

  @Test
  void namesWhatCannotBeOpened() {
    Path missing = directory.resolve("missing.jfr");
    assertThatThrownBy(() -> samples(missing)).hasMessage(missing + ": no such file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "zst", "lz4"})
  void salvagesWhatCanBeUnpacked(String format) throws IOException {
    Path unit = Recordings.unpack("jdk11", directory);
    long each = samples(unit);
    Path whole = directory.resolve("whole");
    try (OutputStream target = pack(format, Files.newOutputStream(whole))) {
      for (int i = 0; i < 12; i++) {
        Files.copy(unit, target);
      }
    }
    byte[] packed = Files.readAllBytes(whole);
    Path cut = Files.write(directory.resolve("cut"), Arrays.copyOf(packed, packed.length / 2));
    Conversion conversion =
        new Converter(Options.DEFAULT).convert(Recording.matching(List.of(cut)));
    assertThat(conversion.isPartial()).isTrue();
    assertThat(conversion.profiles().profiles().get(0).total()).isBetween(each, 11 * each);
  }

  @ParameterizedTest
  @ValueSource(strings = {"zst", "lz4"})
  void namesWhatDoesNotMatchItsChecksum(String format) throws IOException {
    Path packed = directory.resolve("packed");
    try (OutputStream target = pack(format, Files.newOutputStream(packed))) {
      Files.copy(plain, target);
      // What follows the recording cannot be packed, so a changed bit changes nothing before.
      byte[] noise = new byte[200_000];
      new Random(1).nextBytes(noise);
      target.write(noise);
    }
    byte[] bytes = Files.readAllBytes(packed);
    bytes[bytes.length - 1000] ^= 1;
    Files.write(packed, bytes);
    Conversion conversion =
        new Converter(Options.DEFAULT).convert(Recording.matching(List.of(packed)));
    assertThat(conversion.profiles().profiles().get(0).total()).isEqualTo(50);
    assertThat(conversion.isPartial()).isTrue();
    assertThat(conversion.damages())
        .anySatisfy(
            damage ->
                assertThat(damage.toString())
                    .contains("cannot be unpacked to its end: ", "does not match its checksum"));
  }

  @Test
  void leavesNoTemporaryFiles() throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    Path packed = directory.resolve("recording.gz");
    try (OutputStream target = pack("gz", Files.newOutputStream(packed))) {
      Files.copy(plain, target);
    }
    long before = temporaryFiles(temporary);
    samples(packed);
    assertThat(temporaryFiles(temporary)).isEqualTo(before);
    // Nor is there one to be left when the process is killed.
    try (Input input = Input.open(packed, Assertions::fail, Long.MAX_VALUE)) {
      assertThat(input.hasNext()).isTrue();
      try (ByteSource recording = input.next()) {
        assertThat(recording.size()).isEqualTo(Files.size(plain));
        assertThat(temporaryFiles(temporary)).isEqualTo(before);
      }
      assertThat(input.hasNext()).isFalse();
    }
  }

  private static long temporaryFiles(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.getFileName().toString().startsWith("buftrail")).count();
    }
  }

  @Test
  void unpacksRepetitionsAndNoise() throws IOException {
    Random random = new Random(1);
    byte[] content = new byte[3 << 20];
    for (int i = 0; i < content.length; i++) {
      boolean noise = (i >> 16 & 1) == 0;
      content[i] = (byte) (noise ? random.nextInt() : i % 3 == 0 ? i >> 9 : 7);
    }
    for (LZ4FrameOutputStream.BLOCKSIZE size : LZ4FrameOutputStream.BLOCKSIZE.values()) {
      Path packed = directory.resolve("noise.lz4");
      try (OutputStream target =
          new LZ4FrameOutputStream(
              Files.newOutputStream(packed),
              size,
              LZ4FrameOutputStream.FLG.Bits.BLOCK_INDEPENDENCE,
              LZ4FrameOutputStream.FLG.Bits.BLOCK_CHECKSUM,
              LZ4FrameOutputStream.FLG.Bits.CONTENT_CHECKSUM)) {
        target.write(content);
      }
      try (InputStream unpacked = new Lz4FrameInputStream(Files.newInputStream(packed))) {
        assertThat(unpacked.readAllBytes()).isEqualTo(content);
      }
    }
  }
}
