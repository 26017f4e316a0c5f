package org.buftrail.profile.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.buftrail.profile.MethodCost;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.output.ProfileFormat;
import org.buftrail.profile.output.ProfileWriters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is written is read again, whatever its form and from wherever it comes. */
final class ProfileReadersTest {
  @TempDir private Path directory;

  private static byte[] written(ProfileFormat format) throws IOException {
    Dictionary dictionary = new Dictionary();
    Samples samples = Samples.summed(1);
    int[] frames = {dictionary.locations().intern(dictionary.functions().intern("work"), 0, 0)};
    samples.add(dictionary.stacks().intern(frames, 0, 1), 0, 0, 7);
    Profile profile = new Profile("cpu", ValueType.of("samples", "count"), samples, 0);
    Profiles profiles = new Profiles(dictionary).add(profile);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ProfileWriters.of(format).write(List.of(profiles), out);
    return out.toByteArray();
  }

  private static String found(List<Profiles> read) {
    Profiles profiles = read.get(0);
    List<MethodCost> costs = profiles.hottest(profiles.profiles().get(0), 10);
    return costs.toString();
  }

  @ParameterizedTest
  @EnumSource(
      value = ProfileFormat.class,
      names = {"OTLP", "OTLP_JSON", "PPROF", "COLLAPSED"})
  void everyFormIsReadFromAFileAndAStream(ProfileFormat format) throws IOException {
    byte[] plain = written(format);
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    // pprof is packed as it is written.
    byte[] other = format == ProfileFormat.PPROF ? plain : packed.toByteArray();
    for (byte[] bytes : List.of(plain, other)) {
      Path file = Files.write(directory.resolve("a"), bytes);
      assertThat(found(ProfileReaders.read(file))).isEqualTo("[7 7 work]");
      ByteArrayInputStream in = new ByteArrayInputStream(bytes);
      assertThat(found(ProfileReaders.read("a", in))).isEqualTo("[7 7 work]");
    }
  }

  @Test
  void whatHoldsNoProfilesIsNamed() throws IOException {
    byte[] notes = "these are notes".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> ProfileReaders.read("upload", new ByteArrayInputStream(notes)))
        .isInstanceOf(IOException.class)
        .hasMessage("upload: holds no profiles that are known");
    Path file = Files.write(directory.resolve("notes"), notes);
    assertThatThrownBy(() -> ProfileReaders.read(file))
        .hasMessage(file + ": holds no profiles that are known");
    byte[] broken = "{\"resourceProfiles\": 1".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> ProfileReaders.read("upload", new ByteArrayInputStream(broken)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("upload: ");
  }
}
