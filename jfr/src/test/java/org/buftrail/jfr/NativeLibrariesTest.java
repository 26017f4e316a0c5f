package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FrameNames;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Native frames get a mapping where the recording tells the build id of their library. */
final class NativeLibrariesTest {
  private static final String SAMPLE = "datadog.ExecutionSample";
  private static final String LIBRARY = "jdk.NativeLibrary";
  private static final String[][] FRAMES = {
    {"libc.so.6", "read", "()L;", "Native"},
    {"libplain.so", "call", "()L;", "C++"},
    {"c0ffee", "<remote>", "0x1234", "Native remote"},
    {"deadbeef", "<remote>", "0x20", "Native remote"},
    {"a/B", "c", "()V", "Interpreted"},
  };

  @TempDir private Path directory;

  /** Each frame of the only stack: mapped file, its range and build id; address; name. */
  private static List<String> frames(Profiles profiles) {
    Dictionary dictionary = profiles.dictionary();
    int stack = profiles.profiles().get(0).samples().stack(0);
    FrameNames names = new FrameNames(dictionary);
    List<String> frames = new ArrayList<>();
    for (int i = 0; i < dictionary.stacks().depth(stack); i++) {
      int location = dictionary.stacks().location(stack, i);
      int mapping = dictionary.locations().mapping(location);
      int set = dictionary.mappings().attributeSet(mapping);
      boolean named = dictionary.locations().lineCount(location) > 0;
      frames.add(
          String.format(
              "%s %x-%x %s %s %s",
              dictionary.strings().get(dictionary.mappings().fileName(mapping)),
              dictionary.mappings().start(mapping),
              dictionary.mappings().limit(mapping),
              Flattened.attribute(dictionary, set, "process.executable.build_id.gnu"),
              named ? names.function(location, 0) : names.address(location),
              Flattened.attribute(
                  dictionary,
                  dictionary.locations().attributeSet(location),
                  "native.library.name")));
    }
    return frames;
  }

  private Profiles convert(boolean compressed, String... libraryFields) throws IOException {
    Path made = directory.resolve("made.jfr");
    try (ChunkFile chunk =
        new ChunkFile(made, compressed)
            .type(SAMPLE, "pooled StackTrace stackTrace", "pooled Thread eventThread")
            .type(LIBRARY, libraryFields)
            .thread(7, "seven")
            .stack(-9, FRAMES)) {
      chunk.event(SAMPLE, chunk.at(1).i8(-9).i8(7));
      if (libraryFields.length == 4) {
        chunk
            .event(LIBRARY, library(chunk, "/lib/libc.so.6", 0x7000, 0x9000).chars("abcd"))
            .event(LIBRARY, library(chunk, "/opt/libffee.so", 0xa000, 0xb000).chars("c0ffee"))
            .event(LIBRARY, library(chunk, "/opt/libplain.so", 0xc000, 0xd000).none(1));
      } else {
        chunk.event(LIBRARY, library(chunk, "/lib/libc.so.6", 0x7000, 0x9000));
      }
    }
    Conversion conversion = Recording.of(made).convert(Options.DEFAULT);
    assertThat(conversion.damages()).isEmpty();
    byte[] written = new OtlpWriter().toByteArray(conversion.profiles());
    assertThat(Conformance.check(new ByteArrayInputStream(written)).violations()).isEmpty();
    return conversion.profiles();
  }

  private static ChunkFile.Fields library(ChunkFile chunk, String path, long base, long top) {
    return chunk.at(2).chars(path).i8(base).i8(top);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void mapsFramesOfLibrariesWithABuildId(boolean compressed) throws IOException {
    Profiles profiles =
        convert(compressed, "String name", "long baseAddress", "long topAddress", "String buildId");
    assertThat(frames(profiles))
        .containsExactly(
            "/lib/libc.so.6 7000-9000 abcd read libc.so.6",
            " 0-0 null call libplain.so",
            "/opt/libffee.so a000-b000 c0ffee libffee.so+0x1234 null",
            " 0-0 deadbeef 0x20 null",
            " 0-0 null a.B.c null");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void keepsTheNamesWithoutBuildIds(boolean compressed) throws IOException {
    Profiles profiles = convert(compressed, "String name", "long baseAddress", "long topAddress");
    assertThat(frames(profiles))
        .startsWith(" 0-0 null read libc.so.6", " 0-0 null call libplain.so");
  }
}
