package org.buftrail.profile.pprof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import com.google.protobuf.UnknownFieldSet;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FrameNames;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files as nobody writes them today, and samples deeper and wider than most. */
final class PprofEdgesTest {
  private static final String WHOLE =
      "sample_type{type:1 unit:2} string_table:['', 'cpu', 'ns', 'f', 'key', 'file', 'id']"
          + " sample{location_id:[1,2] value:5 label{key:4 num:7 num_unit:2}}"
          + " location{id:1 mapping_id:1 address:16 line{function_id:1 line:8}}"
          + " location{id:2 mapping_id:2 address:32} function{id:1 name:3 start_line:6}"
          + " mapping{id:1 memory_start:1 memory_limit:64 filename:5 build_id:6} mapping{id:2}"
          + " period_type{type:1 unit:2} period:9 time_nanos:10 duration_nanos:11";

  private static Message message(String fields) throws Exception {
    DynamicMessage.Builder file = DynamicMessage.newBuilder(PprofSchema.profile());
    TextFormat.merge(fields, file);
    return file.build();
  }

  private static Profiles read(byte[] file) throws Exception {
    return PprofReader.read(new ByteArrayInputStream(file));
  }

  /** All of a file that has one sample of two frames. */
  private static List<Object> text(Profiles read) {
    Profile profile = read.profiles().get(0);
    Dictionary dictionary = read.dictionary();
    Samples samples = profile.samples();
    List<Object> text = new ArrayList<>();
    text.add(profile.sampleType() + " " + profile.periodType() + " " + profile.period());
    text.add(profile.time() + "+" + profile.duration() + " " + profile.total());
    FrameNames names = new FrameNames(dictionary);
    for (int i = 0; i < 2; i++) {
      int location = dictionary.stacks().location(samples.stack(0), i);
      int mapping = dictionary.locations().mapping(location);
      int set = dictionary.mappings().attributeSet(mapping);
      text.add(names.address(location));
      text.add(dictionary.locations().lineCount(location));
      text.add(dictionary.mappings().limit(mapping));
      text.add(dictionary.attributeSets().length(set));
      if (dictionary.attributeSets().length(set) > 0) {
        text.add(dictionary.attributes().text(dictionary.attributeSets().attribute(set, 0)));
      }
    }
    int leaf = dictionary.stacks().location(samples.stack(0), 0);
    text.add(names.function(leaf, 0) + ":" + dictionary.locations().line(leaf, 0));
    int set = samples.attributeSet(0);
    assertThat(dictionary.attributeSets().length(set)).isEqualTo(1);
    int label = dictionary.attributeSets().attribute(set, 0);
    text.add(dictionary.strings().get(dictionary.attributes().key(label)));
    text.add(dictionary.attributes().longValue(label));
    return text;
  }

  /**
   * The message with more in it and in all messages below: fields that nobody knows, and those that
   * are known in a form that they cannot have.
   */
  private static Message padded(Message message) {
    Message.Builder padded = message.toBuilder();
    UnknownFieldSet.Builder more = UnknownFieldSet.newBuilder();
    UnknownFieldSet.Field strange =
        UnknownFieldSet.Field.newBuilder()
            .addVarint(3)
            .addFixed32(4)
            .addFixed64(5)
            .addLengthDelimited(ByteString.copyFromUtf8("what"))
            .build();
    more.addField(99, strange).addField(1_000, strange);
    for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
      boolean isMessage = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
      UnknownFieldSet.Field.Builder wrong =
          UnknownFieldSet.Field.newBuilder().addFixed32(77).addFixed64(78);
      if (isMessage || field.getJavaType() == FieldDescriptor.JavaType.STRING) {
        wrong.addVarint(79);
      } else if (!field.isRepeated()) {
        wrong.addLengthDelimited(ByteString.copyFromUtf8("text"));
      }
      if (!field.isRepeated() || isMessage || field.getName().equals("string_table")) {
        more.addField(field.getNumber(), wrong.build());
      }
      if (isMessage && field.isRepeated()) {
        for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
          padded.setRepeatedField(field, i, padded((Message) message.getRepeatedField(field, i)));
        }
      } else if (isMessage && message.hasField(field)) {
        padded.setField(field, padded((Message) message.getField(field)));
      }
    }
    return padded.setUnknownFields(more.build()).build();
  }

  @Test
  void whatIsUnknownOrInAnotherFormIsPassedOver() throws Exception {
    Message plain = message(WHOLE);
    List<Object> expected = text(read(plain.toByteArray()));
    assertThat(expected)
        .containsExactly(
            "cpu/ns cpu/ns 9",
            "10+11 5",
            "file+0x10",
            1,
            64L,
            1,
            "id",
            "0x20",
            0,
            0L,
            0,
            "f:8",
            "key",
            7L);
    assertThat(text(read(padded(plain).toByteArray()))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"location_id", "value"})
  void numbersOfASampleAreNumbers(String field) throws Exception {
    Message whole = message(WHOLE);
    FieldDescriptor samples = field(whole, "sample");
    Message sample = (Message) whole.getRepeatedField(samples, 0);
    int number = field(sample, field).getNumber();
    UnknownFieldSet fixed =
        UnknownFieldSet.newBuilder()
            .addField(number, UnknownFieldSet.Field.newBuilder().addFixed64(1).build())
            .build();
    Message file =
        whole.toBuilder()
            .setRepeatedField(samples, 0, sample.toBuilder().setUnknownFields(fixed).build())
            .build();
    assertThatThrownBy(() -> read(file.toByteArray()))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageStartingWith("a sample has numbers of wire type 1, byte ");
  }

  private static FieldDescriptor field(Message message, String name) {
    return message.getDescriptorForType().findFieldByName(name);
  }

  /** In one piece, in pieces, and one by one. */
  @Test
  void deepStacksAreReadHoweverTheirNumbersArePacked() throws Exception {
    List<Integer> ids = IntStream.rangeClosed(1, 40).boxed().toList();
    String locations =
        ids.stream()
            .map(id -> "location{id:" + id + " address:" + 100 * id + "}")
            .collect(Collectors.joining());
    String begin = "sample_type{type:1 unit:1} string_table:['', 'n']" + locations;
    Message empty = message(begin + "sample{value:1}");
    Message sample = (Message) empty.getRepeatedField(field(empty, "sample"), 0);
    UnknownFieldSet.Field.Builder single = UnknownFieldSet.Field.newBuilder();
    UnknownFieldSet.Field.Builder pieces = UnknownFieldSet.Field.newBuilder();
    for (int id : ids) {
      single.addVarint(id);
      pieces.addLengthDelimited(ByteString.copyFrom(new byte[] {(byte) id}));
    }
    int number = field(sample, "location_id").getNumber();
    List<Message> files =
        List.of(
            message(begin + "sample{value:1 location_id:" + ids + "}"),
            with(empty, sample, number, single.build()),
            with(empty, sample, number, pieces.build()));
    for (Message file : files) {
      Profiles read = read(file.toByteArray());
      int stack = read.profiles().get(0).samples().stack(0);
      List<Long> addresses = new ArrayList<>();
      for (int i = 0; i < read.dictionary().stacks().depth(stack); i++) {
        int location = read.dictionary().stacks().location(stack, i);
        addresses.add(read.dictionary().locations().address(location));
      }
      assertThat(addresses).isEqualTo(ids.stream().map(id -> 100L * id).toList());
    }
  }

  private static Message with(
      Message file, Message sample, int number, UnknownFieldSet.Field locations) {
    UnknownFieldSet more = UnknownFieldSet.newBuilder().addField(number, locations).build();
    return file.toBuilder()
        .setRepeatedField(
            field(file, "sample"), 0, sample.toBuilder().setUnknownFields(more).build())
        .build();
  }

  @Test
  void aSampleOfNothingIsNone() throws Exception {
    Profiles read =
        read(
            message("sample_type{type:1 unit:1} string_table:['', 'n'] sample{value:0}")
                .toByteArray());
    assertThat(read.profiles().get(0).samples().size()).isZero();
  }

  /** The first string is empty, whether it is there or not. */
  @Test
  void aFileWithoutStringsHasEmptyNames() throws Exception {
    Profiles read = read(message("sample_type{} sample{value:3}").toByteArray());
    assertThat(read.profiles().get(0).sampleType().type()).isEmpty();
    assertThat(read.profiles().get(0).total()).isEqualTo(3);
  }

  /** More frames, inlined functions and labels than any buffer was made for at first. */
  @ParameterizedTest
  @ValueSource(ints = {127, 128, 129, 5_000})
  void whatIsWrittenIsReadHoweverDeepAndWide(int depth) throws Exception {
    Dictionary dictionary = new Dictionary();
    int[] stack = new int[depth];
    int[] functions = new int[depth];
    long[] lines = new long[depth];
    for (int i = 0; i < depth; i++) {
      functions[i] = dictionary.functions().intern("app.Main.method" + i);
      lines[i] = Long.MAX_VALUE - i;
      stack[i] = dictionary.locations().intern(functions[i], 1_000_000_000L + i, 0);
    }
    stack[0] = dictionary.locations().intern(0, -1, 0, functions, lines, lines, depth);
    int[] labels = new int[Math.min(1_000, depth)];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = dictionary.attributes().intern("key" + i, Long.MIN_VALUE + i, "unit" + i);
    }
    Samples samples = Samples.summed(1);
    samples.add(
        dictionary.stacks().intern(stack, 0, depth),
        dictionary.attributeSets().intern(labels, 0, labels.length),
        0,
        Long.MAX_VALUE);
    List<Profile> group = List.of(new Profile("x", ValueType.of("objects", "count"), samples, 0));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PprofWriter.write(group, dictionary, out);
    Message decoded =
        DynamicMessage.parseFrom(
            PprofSchema.profile(),
            new GZIPInputStream(new ByteArrayInputStream(out.toByteArray())).readAllBytes());
    assertThat(decoded.getUnknownFields().asMap()).isEmpty();

    Profiles read = read(out.toByteArray());

    assertThat(read.profiles().get(0).total()).isEqualTo(Long.MAX_VALUE);
    Dictionary found = read.dictionary();
    int index = read.profiles().get(0).samples().stack(0);
    assertThat(found.stacks().depth(index)).isEqualTo(depth);
    FrameNames names = new FrameNames(found);
    int inlined = found.stacks().location(index, 0);
    assertThat(found.locations().lineCount(inlined)).isEqualTo(depth);
    for (int i = 0; i < depth; i++) {
      assertThat(names.function(inlined, i)).isEqualTo("app.Main.method" + i);
      assertThat(found.locations().line(inlined, i)).isEqualTo(lines[i]);
      if (i > 0) {
        int location = found.stacks().location(index, i);
        assertThat(names.function(location, 0)).isEqualTo("app.Main.method" + i);
        assertThat(found.locations().line(location, 0)).isEqualTo(1_000_000_000L + i);
      }
    }
    assertThat(found.attributeSets().length(read.profiles().get(0).samples().attributeSet(0)))
        .isEqualTo(labels.length);
  }

  /** Wherever a sample begins in the memory that it is written to, there is room for all of it. */
  @Test
  void samplesOfEverySizeAreWhole() throws Exception {
    Dictionary dictionary = new Dictionary();
    Samples samples = Samples.summed(1);
    List<String> expected = new ArrayList<>();
    for (int i = 1; i <= 4_000; i++) {
      int[] stack = new int[1 + i % 47];
      int[] labels = new int[i % 31];
      for (int k = 0; k < stack.length; k++) {
        int function = dictionary.functions().intern("f" + k);
        stack[k] = dictionary.locations().intern(function, k == 0 ? i : 1, 0);
      }
      for (int k = 0; k < labels.length; k++) {
        labels[k] = dictionary.attributes().intern("key" + k, Long.MIN_VALUE + k, "unit");
      }
      int index = dictionary.stacks().intern(stack, 0, stack.length);
      int set = dictionary.attributeSets().intern(labels, 0, labels.length);
      samples.add(index, set, 0, Long.MAX_VALUE - i);
      expected.add(stack.length + " frames " + labels.length + " labels " + (Long.MAX_VALUE - i));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PprofWriter.write(
        List.of(new Profile("x", ValueType.of("n", "count"), samples, 0)), dictionary, out);
    Message file =
        DynamicMessage.parseFrom(
            PprofSchema.profile(),
            new GZIPInputStream(new ByteArrayInputStream(out.toByteArray())).readAllBytes());
    FieldDescriptor field = field(file, "sample");
    List<String> found = new ArrayList<>();
    for (int i = 0; i < file.getRepeatedFieldCount(field); i++) {
      Message sample = (Message) file.getRepeatedField(field, i);
      found.add(
          sample.getRepeatedFieldCount(field(sample, "location_id"))
              + " frames "
              + sample.getRepeatedFieldCount(field(sample, "label"))
              + " labels "
              + sample.getRepeatedField(field(sample, "value"), 0));
    }
    assertThat(found).isEqualTo(expected);
  }

  /** pprof looks for binaries that do not say that functions are known. */
  @Test
  void aBinarySaysItsBuildIdWhateverElseIsSaidOfIt() throws Exception {
    Dictionary dictionary = new Dictionary();
    int[] said = {
      dictionary.attributes().intern("alpha", "wrong"),
      dictionary.attributes().intern("process.executable.build_id.gnu", "beef"),
      dictionary.attributes().intern("zulu", "wrong")
    };
    int set = dictionary.attributeSets().intern(said, 0, said.length);
    int none = dictionary.attributeSets().intern(said, 0, 1);
    int name = dictionary.strings().intern("libc.so.6");
    int[] stack = {
      dictionary
          .locations()
          .intern(dictionary.mappings().intern(1, 2, 0, name, set), 7, 0, 0, 0, 0),
      dictionary
          .locations()
          .intern(dictionary.mappings().intern(3, 4, 0, name, none), 8, 0, 0, 0, 0)
    };
    Samples samples = Samples.summed(1);
    samples.add(dictionary.stacks().intern(stack, 0, 2), 0, 0, 1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PprofWriter.write(
        List.of(new Profile("x", ValueType.of("n", "count"), samples, 0)), dictionary, out);
    Message file =
        DynamicMessage.parseFrom(
            PprofSchema.profile(),
            new GZIPInputStream(new ByteArrayInputStream(out.toByteArray())).readAllBytes());
    List<String> builds = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Message mapping = (Message) file.getRepeatedField(field(file, "mapping"), i);
      assertThat(mapping.getField(field(mapping, "has_functions"))).isEqualTo(true);
      int text = ((Number) mapping.getField(field(mapping, "build_id"))).intValue();
      builds.add((String) file.getRepeatedField(field(file, "string_table"), text));
    }
    assertThat(builds).containsExactly("beef", "");
  }
}
