package org.buftrail.profile.pprof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TextFormat;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
            .intern(0, 0, 0, new int[] {inner, outer}, new long[] {7, 8}, new long[] {4, 0}, 2);
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
    int mapping = read.locations().mapping(address);
    assertThat(read.mappings().start(mapping)).isEqualTo(0x1000);
    assertThat(read.mappings().limit(mapping)).isEqualTo(0x2000);
    assertThat(read.mappings().fileOffset(mapping)).isEqualTo(16);
    assertThat(read.locations().column(inlined, 0)).isEqualTo(4);

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

  /** Reads a file of one type of values and these fields, in the text form of protobuf. */
  private static Profiles file(String fields) throws Exception {
    DynamicMessage.Builder file = DynamicMessage.newBuilder(PprofSchema.profile());
    String begin = "sample_type{type:1 unit:2} string_table:['', 'cpu', 'ns']";
    TextFormat.merge(begin + fields, file);
    return read(file.build().toByteArray());
  }

  @ParameterizedTest
  @CsvSource({
    "'sample{location_id:7 value:1}', 'refers to location 7, which is not in it'",
    "'sample{location_id:7 value:1} location{id:7 mapping_id:4}', 'refers to mapping 4, which is"
        + " not in it'",
    "'sample{location_id:7 value:1} location{id:7 line{function_id:3}}', 'refers to function 3,"
        + " which is not in it'",
    "'sample{value:1 label{key:3 num:1}}', 'refers to string 3, which is not in it'",
    "'sample{value:1 label{key:-1 num:1}}', 'refers to string -1, which is not in it'",
    "'sample{value:[1,2]}', 'a sample has 2 values, there are 1 types'",
    "'sample{}', 'a sample has 0 values, there are 1 types'",
  })
  void whatDoesNotFitTogetherIsNamed(String fields, String message) {
    assertThatThrownBy(() -> file(fields))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage(message);
  }

  @Test
  void valuesOfEachTypeAreItsOwn() throws Exception {
    Profiles profiles =
        file(
            "sample_type{type:1 unit:1} sample_type{type:2 unit:2} sample{value:[1,20,300]}"
                + " sample{value:[0,0,0]} sample{value:[4,0,0]} sample{value:[0,50,0]}"
                + " sample{value:[0,0,600] location_id:1} location{id:1 address:16}");
    assertThat(profiles.profiles()).extracting(Profile::total).containsExactly(5L, 70L, 900L);
    Samples pair = profiles.profiles().get(0).samples();
    assertThat(profiles.profiles().get(1).samples()).isSameAs(pair);
    // Those without a stack are one; what counts nothing is none.
    assertThat(pair.size()).isEqualTo(1);
    assertThat(profiles.profiles().get(2).samples().size()).isEqualTo(2);
  }

  @Test
  void whatIsNotSaidIsNothing() throws Exception {
    Profiles profiles = file("sample{value:9 location_id:1} location{id:1 line{line:5}}");
    int stack = profiles.profiles().get(0).samples().stack(0);
    int location = profiles.dictionary().stacks().location(stack, 0);
    assertThat(profiles.dictionary().locations().line(location, 0)).isEqualTo(5);
    assertThat(profiles.dictionary().locations().function(location, 0)).isZero();
    assertThat(profiles.dictionary().locations().mapping(location)).isZero();
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
