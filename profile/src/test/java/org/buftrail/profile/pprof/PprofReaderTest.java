package org.buftrail.profile.pprof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FrameNames;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.buftrail.profile.protobuf.ProtobufEncoder;
import org.junit.jupiter.api.Test;

class PprofReaderTest {
  private final Dictionary dictionary = new Dictionary();

  private byte[] written() throws IOException {
    int file = dictionary.strings().intern("/lib/libx.so");
    int build =
        dictionary
            .attributeSets()
            .intern(dictionary.attributes().intern("process.executable.build_id.gnu", "abc"));
    int mapping = dictionary.mappings().intern(0x1000, 0x2000, 16, file, build);
    int inner =
        dictionary
            .functions()
            .intern(
                dictionary.strings().intern("inner"),
                dictionary.strings().intern("_inner"),
                dictionary.strings().intern("inner.c"),
                3);
    int outer = dictionary.functions().intern("outer");
    int inlined =
        dictionary
            .locations()
            .intern(0, 0, 0, new int[] {inner, outer}, new long[] {7, 8}, new long[2], 2);
    int address = dictionary.locations().intern(mapping, 0x1234, 0, 0, 0, 0);
    int stack = dictionary.stacks().intern(new int[] {inlined, address}, 0, 2);
    int[] labels = {
      dictionary.attributes().intern("state", "leaked"),
      dictionary.attributes().intern("size", 64, "bytes")
    };
    Samples samples = Samples.summed(2);
    samples.add(stack, dictionary.attributeSets().intern(labels, 0, 2), 0, 3, 300);
    samples.add(dictionary.stacks().intern(new int[] {inlined}, 0, 1), 0, 0, 0, 5);
    List<Profile> group =
        List.of(
            new Profile("x", ValueType.of("objects", "count"), samples, 0)
                .period(ValueType.of("space", "bytes"), 512)
                .range(1_000, 2_000),
            new Profile("x", ValueType.of("space", "bytes"), samples, 1));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PprofWriter.write(group, dictionary, out);
    return out.toByteArray();
  }

  private static Profiles read(byte[] file) throws IOException {
    return PprofReader.read(new ByteArrayInputStream(file));
  }

  @Test
  void whatWasWrittenIsRead() throws IOException {
    Profiles profiles = read(written());
    assertThat(profiles.profiles())
        .extracting(p -> p.sampleType().toString())
        .containsExactly("objects/count", "space/bytes");
    Profile objects = profiles.profiles().get(0);
    assertThat(objects.period()).isEqualTo(512);
    assertThat(objects.periodType()).hasToString("space/bytes");
    assertThat(objects.time()).isEqualTo(1_000);
    assertThat(objects.duration()).isEqualTo(2_000);
    assertThat(objects.samples().size()).isEqualTo(2);
    assertThat(profiles.profiles().get(1).samples()).isSameAs(objects.samples());
    assertThat(objects.total()).isEqualTo(3);
    assertThat(profiles.profiles().get(1).total()).isEqualTo(305);

    Dictionary read = profiles.dictionary();
    int stack = objects.samples().stack(0);
    assertThat(read.stacks().depth(stack)).isEqualTo(2);
    int inlined = read.stacks().location(stack, 0);
    FrameNames names = new FrameNames(read);
    assertThat(names.function(inlined, 0)).isEqualTo("inner");
    assertThat(read.locations().line(inlined, 1)).isEqualTo(8);
    int function = read.locations().function(inlined, 0);
    assertThat(read.strings().get(read.functions().systemName(function))).isEqualTo("_inner");
    assertThat(read.strings().get(read.functions().fileName(function))).isEqualTo("inner.c");
    assertThat(read.functions().startLine(function)).isEqualTo(3);
    int address = read.stacks().location(stack, 1);
    assertThat(names.address(address)).isEqualTo("libx.so+0x1234");
    assertThat(read.mappings().limit(read.locations().mapping(address))).isEqualTo(0x2000);

    int set = objects.samples().attributeSet(0);
    assertThat(read.attributeSets().length(set)).isEqualTo(2);
    assertThat(read.attributes().text(read.attributeSets().attribute(set, 0))).isEqualTo("leaked");
    assertThat(read.attributes().longValue(read.attributeSets().attribute(set, 1))).isEqualTo(64);
  }

  @Test
  void plainFilesAreReadToo() throws IOException {
    byte[] plain = new GZIPInputStream(new ByteArrayInputStream(written())).readAllBytes();
    assertThat(read(plain).profiles().get(1).total()).isEqualTo(305);
  }

  @Test
  void everyCutIsMalformedOrShorter() throws IOException {
    byte[] plain = new GZIPInputStream(new ByteArrayInputStream(written())).readAllBytes();
    for (int length = 1; length < plain.length; length++) {
      try {
        read(Arrays.copyOf(plain, length));
      } catch (MalformedMessageException e) {
        assertThat(e).hasMessageNotContaining("\n");
      }
    }
  }

  @Test
  void referencesToNothingAreNamed() throws IOException {
    ProtobufEncoder encoder = new ProtobufEncoder();
    int type = encoder.open(PprofFields.Profile.SAMPLE_TYPE, 8);
    encoder.writeVarint(PprofFields.ValueType.TYPE, 9);
    encoder.close(type);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    encoder.writeTo(out);
    assertThatThrownBy(() -> read(out.toByteArray()))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage("refers to string 9, which is not in it");
    assertThatThrownBy(() -> read(new byte[0]))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageStartingWith("has no sample type");
  }
}
