package org.buftrail.profile.pprof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.junit.jupiter.api.Test;

class PprofWriterTest {
  private final Dictionary dictionary = new Dictionary();
  private final Profiles profiles = new Profiles(dictionary);

  private static Message decode(byte[] file) throws Exception {
    byte[] plain = new GZIPInputStream(new ByteArrayInputStream(file)).readAllBytes();
    Message message = DynamicMessage.parseFrom(PprofSchema.profile(), plain);
    assertThat(message.getUnknownFields().asMap()).isEmpty();
    return message;
  }

  private byte[] write(List<Profile> group) throws Exception {
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    PprofWriter.write(group, dictionary, target);
    return target.toByteArray();
  }

  private static Object get(Message message, String field) {
    return message.getField(message.getDescriptorForType().findFieldByName(field));
  }

  private static long number(Message message, String field) {
    return (Long) get(message, field);
  }

  @SuppressWarnings("unchecked")
  private static List<Message> list(Message message, String field) {
    return (List<Message>) get(message, field);
  }

  private static String string(Message file, Message message, String field) {
    List<?> strings = (List<?>) get(file, "string_table");
    return (String) strings.get((int) number(message, field));
  }

  /** A file as text, without any id in it. */
  private static List<String> flattened(Message file) {
    List<String> lines = new ArrayList<>();
    List<String> types = new ArrayList<>();
    for (Message type : list(file, "sample_type")) {
      types.add(string(file, type, "type") + "/" + string(file, type, "unit"));
    }
    Message period = (Message) get(file, "period_type");
    lines.add(
        types
            + " "
            + number(file, "period")
            + " "
            + string(file, period, "type")
            + "/"
            + string(file, period, "unit")
            + " "
            + number(file, "time_nanos")
            + "+"
            + number(file, "duration_nanos"));
    for (Message sample : list(file, "sample")) {
      List<String> frames = new ArrayList<>();
      for (Object id : (List<?>) get(sample, "location_id")) {
        frames.add(location(file, (Long) id));
      }
      List<String> labels = new ArrayList<>();
      for (Message label : list(sample, "label")) {
        labels.add(
            string(file, label, "key")
                + "="
                + string(file, label, "str")
                + number(label, "num")
                + string(file, label, "num_unit"));
      }
      lines.add(frames + " " + get(sample, "value") + " " + labels);
    }
    return lines;
  }

  private static String location(Message file, long id) {
    Message location = list(file, "location").get((int) id - 1);
    assertThat(number(location, "id")).isEqualTo(id);
    StringBuilder text = new StringBuilder();
    for (Message line : list(location, "line")) {
      Message function = list(file, "function").get((int) number(line, "function_id") - 1);
      assertThat(number(function, "id")).isEqualTo(number(line, "function_id"));
      text.append(string(file, function, "name"))
          .append('|')
          .append(string(file, function, "system_name"))
          .append('|')
          .append(string(file, function, "filename"))
          .append(':')
          .append(number(line, "line"))
          .append(' ');
    }
    long mapping = number(location, "mapping_id");
    if (mapping != 0) {
      Message binary = list(file, "mapping").get((int) mapping - 1);
      text.append(string(file, binary, "filename"))
          .append('#')
          .append(string(file, binary, "build_id"))
          .append('+')
          .append(Long.toHexString(number(location, "address")));
    }
    return text.toString();
  }

  private void fill() {
    int jvm = dictionary.frameType("jvm");
    int function =
        dictionary
            .functions()
            .intern(
                dictionary.strings().intern("a.B.c"),
                dictionary.strings().intern("()V"),
                dictionary.strings().intern("B.java"),
                4);
    int leaf = dictionary.locations().intern(function, 70_000, jvm);
    dictionary.locations().intern(function, 99, jvm);
    int build =
        dictionary
            .attributeSets()
            .intern(dictionary.attributes().intern("process.executable.build_id.gnu", "beef"));
    int libc = dictionary.strings().intern("libc.so.6");
    int mapping = dictionary.mappings().intern(0x1000, 0x2000, 0, libc, build);
    int nativeFrame =
        dictionary
            .locations()
            .intern(
                mapping,
                0x1042,
                dictionary.frameType("native"),
                new int[] {function, dictionary.functions().intern("outer")},
                new long[] {1, 2},
                new long[2],
                2);
    int stack = dictionary.stacks().intern(new int[] {leaf, nativeFrame}, 0, 2);
    int thread = dictionary.attributes().intern("thread.name", "main");
    int id = dictionary.attributes().intern("thread.id", 17, "");
    int size = dictionary.attributes().intern("size", 512, "By");
    int set = dictionary.attributeSets().intern(new int[] {thread, id, size}, 0, 3);
    Samples alloc = Samples.summed(2);
    alloc.add(stack, set, dictionary.links().intern(0, 1, -2), 2, 1024);
    alloc.add(0, 0, 0, 1, -5);
    Samples cpu = Samples.observed(1);
    cpu.observe(stack, 0, 0, 1_000, 1);
    cpu.observe(stack, 0, 0, 1_001, 1);
    ValueType space = ValueType.of("allocated_space", "bytes");
    profiles
        .add(
            new Profile("alloc", ValueType.of("allocated_objects", "count"), alloc, 0)
                .period(space, 512)
                .range(5, 6))
        .add(
            new Profile("cpu", ValueType.of("samples", "count"), cpu, 0)
                .period(ValueType.of("cpu", "nanoseconds"), 10))
        .add(new Profile("alloc", space, alloc, 1).period(space, 512).range(5, 6));
  }

  @Test
  void profilesOverTheSameSamplesAreOneFile() throws Exception {
    fill();
    List<List<Profile>> files = PprofWriter.files(profiles);
    assertThat(files).hasSize(2);
    String leaf = "a.B.c|()V|B.java:70000 ";
    String inlined = "a.B.c|()V|B.java:1 outer||:2 libc.so.6#beef+1042";
    assertThat(flattened(decode(write(files.get(0)))))
        .containsExactly(
            "[allocated_objects/count, allocated_space/bytes] 512 allocated_space/bytes 5+6",
            "["
                + leaf
                + ", "
                + inlined
                + "] [2, 1024] [thread=main0, thread id=17, size=512By,"
                + " trace_id=000000000000000000000000000000010,"
                + " span_id=fffffffffffffffe0]",
            "[] [1, -5] []");
    assertThat(flattened(decode(write(files.get(1)))))
        .containsExactly(
            "[samples/count, cpu/nanoseconds] 10 cpu/nanoseconds 0+0",
            "[" + leaf + ", " + inlined + "] [2, 20] []");
  }

  @Test
  void onlyWhatSamplesUseIsWritten() throws Exception {
    fill();
    Message file = decode(write(PprofWriter.files(profiles).get(0)));
    assertThat(list(file, "location")).hasSize(2);
    assertThat(list(file, "function")).hasSize(2);
    List<?> strings = (List<?>) get(file, "string_table");
    assertThat(strings).doesNotHaveDuplicates().hasSize(20);
    assertThat(strings.get(0)).isEqualTo("");
  }

  @Test
  void theSameProfilesGiveTheSameBytes() throws Exception {
    fill();
    List<Profile> group = PprofWriter.files(profiles).get(0);
    assertThat(write(group)).isEqualTo(write(group));
  }

  @Test
  void profilesOfDifferentSamplesAreRefused() {
    fill();
    assertThatThrownBy(() -> write(profiles.profiles()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("profiles of one pprof file share their samples");
    assertThatThrownBy(() -> write(List.of())).hasMessage("a pprof file has at least one profile");
  }
}
