package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.buftrail.jfr.PackedInputs.damages;
import static org.buftrail.jfr.PackedInputs.pack;
import static org.buftrail.jfr.PackedInputs.samples;
import static org.buftrail.jfr.PackedInputs.throughStandardInput;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowingConsumer;
import org.buftrail.jfr.file.ByteSource;
import org.buftrail.jfr.input.Input;
import org.buftrail.jfr.input.Source;
import org.buftrail.jfr.packing.Lz4FrameInputStream;
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
    assertThat(Recording.matching(List.of(link)).files())
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
    return Recording.matching(List.of(directory.resolve(glob))).files();
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
  void namesADirectoryWithoutRecordings() throws IOException {
    Path empty = Files.createDirectory(directory.resolve("empty"));
    assertThatThrownBy(() -> samples(empty))
        .isInstanceOf(RecordingException.class)
        .hasMessage(empty + ": no recordings in this directory");
  }

  @Test
  void readsStandardInput() throws IOException {
    PackedInputs.Reader reader = () -> assertThat(samples(Path.of("-"))).isEqualTo(50);
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
    try (Input input = Source.file(packed).open(Assertions::fail, Long.MAX_VALUE)) {
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
