package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same profiles come of a recording wherever its bytes are. */
final class SourcesTest {
  @TempDir private Path directory;
  private Path plain;
  private Path packed;
  private byte[] expected;

  @BeforeEach
  void convertTheFile() throws IOException {
    plain = Recordings.unpack("jdk25", directory);
    packed = Path.of("src/test/resources/recordings/jdk25.jfr.gz");
    expected = otlp(Recording.of(plain));
    assertThat(expected).hasSizeGreaterThan(1_000);
  }

  private static byte[] otlp(Recording recording) throws IOException {
    Profiles profiles = recording.profiles();
    return new OtlpWriter().toByteArray(profiles);
  }

  private Path file(boolean isPacked) {
    return isPacked ? packed : plain;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void bytesAreTakenFromMemory(boolean isPacked) throws IOException {
    byte[] bytes = Files.readAllBytes(file(isPacked));
    Recording recording = Recording.of("made", bytes);
    assertThat(otlp(recording)).isEqualTo(expected);
    assertThat(otlp(recording)).as("again").isEqualTo(expected);
    assertThat(recording.files()).containsExactly(Path.of("made"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aBufferIsReadFromItsPositionToItsLimit(boolean isPacked) throws IOException {
    byte[] bytes = Files.readAllBytes(file(isPacked));
    for (ByteBuffer room :
        List.of(
            ByteBuffer.allocate(bytes.length + 9), ByteBuffer.allocateDirect(bytes.length + 9))) {
      room.position(4).put(4, bytes).limit(4 + bytes.length);
      assertThat(otlp(Recording.of("made", room))).isEqualTo(expected);
      assertThat(otlp(Recording.of("made", room.asReadOnlyBuffer()))).isEqualTo(expected);
      assertThat(room.position()).isEqualTo(4);
      assertThat(room.limit()).isEqualTo(4 + bytes.length);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aFilesChannelKeepsItsPositionAndStaysOpen(boolean isPacked) throws IOException {
    try (FileChannel channel = FileChannel.open(file(isPacked))) {
      channel.position(7);
      Recording recording = Recording.of("made", channel);
      assertThat(otlp(recording)).isEqualTo(expected);
      assertThat(otlp(recording)).as("again").isEqualTo(expected);
      assertThat(channel.position()).isEqualTo(7);
      assertThat(channel.isOpen()).isTrue();
    }
  }

  /** The channels of archives have one position, which the threads that decode move in turn. */
  @Test
  void anotherChannelIsSharedByTheWorkers() throws IOException {
    Path archive = directory.resolve("made.zip");
    ExecutorService pool = Executors.newFixedThreadPool(3);
    try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      Path joined = zip.getPath("made.jfr");
      byte[] chunk = Files.readAllBytes(plain);
      Files.write(joined, chunk);
      for (int i = 0; i < 3; i++) {
        Files.write(joined, chunk, java.nio.file.StandardOpenOption.APPEND);
      }
      byte[] alone = otlp(Recording.of("made", Files.readAllBytes(joined)));
      try (SeekableByteChannel channel = Files.newByteChannel(joined)) {
        assertThat(channel).isNotInstanceOf(FileChannel.class);
        Conversion conversion =
            new Converter(Options.DEFAULT).workers(pool, 3).convert(Recording.of("made", channel));
        assertThat(conversion.stats().chunks()).isGreaterThan(3);
        assertThat(new OtlpWriter().toByteArray(conversion.profiles())).isEqualTo(alone);
        assertThat(channel.isOpen()).isTrue();
      }
    } finally {
      pool.shutdownNow();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStreamIsReadOnceAndStaysOpen(boolean isPacked) throws IOException {
    boolean[] isClosed = {false};
    byte[] bytes = Files.readAllBytes(file(isPacked));
    InputStream in =
        new ByteArrayInputStream(bytes) {
          @Override
          public void close() {
            isClosed[0] = true;
          }
        };
    Recording recording = Recording.of("made", in);
    assertThat(otlp(recording)).isEqualTo(expected);
    assertThat(isClosed[0]).isFalse();
    assertThatThrownBy(recording::profiles)
        .isInstanceOf(RecordingException.class)
        .hasMessage("made: the stream has been read before");
  }

  @Test
  void archivesComeFromMemoryToo() throws IOException {
    Path archive = directory.resolve("made.zip");
    try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      Files.copy(plain, zip.getPath("a.jfr"));
    }
    assertThat(otlp(Recording.of("made", Files.readAllBytes(archive)))).isEqualTo(expected);
  }

  @Test
  void aNameIsTakenAsItIs() throws IOException {
    List<Path> odd = new ArrayList<>();
    for (String name : List.of("*.jfr", "[a]", "{a,b}")) {
      odd.add(Files.copy(plain, directory.resolve(name)));
    }
    Files.copy(plain, directory.resolve("other.jfr"));
    long samples = Recording.of(plain).profiles().profiles().get(0).total();
    for (Path file : odd) {
      assertThat(Recording.of(file).profiles().profiles().get(0).total()).isEqualTo(samples);
      assertThat(Recording.of(file).files()).containsExactly(file);
    }
    Path glob = directory.resolve("o*.jfr");
    assertThat(Recording.matching(List.of(glob)).files())
        .containsExactly(directory.resolve("other.jfr"));
    assertThatThrownBy(() -> Recording.of(glob).profiles())
        .isInstanceOf(RecordingException.class)
        .hasMessage(glob + ": no such file");
    assertThatThrownBy(() -> Recording.of(Path.of("-")).profiles())
        .isInstanceOf(RecordingException.class)
        .hasMessage("-: no such file");
    assertThatThrownBy(() -> Recording.of(directory).profiles())
        .isInstanceOf(RecordingException.class)
        .hasMessageStartingWith(directory + ": ");
  }

  @Test
  void severalBecomeOneSetOfProfiles() throws IOException {
    Recording both = Recording.of("a", Files.readAllBytes(plain)).and(Recording.of(plain));
    assertThat(otlp(both)).isEqualTo(otlp(Recording.of(plain, plain)));
    Recording broken = Recording.of("b", new byte[10]).and(both);
    assertThat(broken.convert(Options.DEFAULT).damages())
        .extracting(Damage::toString)
        .containsExactly("b: not a flight recording");
  }
}
