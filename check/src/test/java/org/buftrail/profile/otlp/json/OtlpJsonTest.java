package org.buftrail.profile.otlp.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.buftrail.profile.Payload;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.otlp.Flattened;
import org.buftrail.profile.otlp.RandomProfiles;
import org.buftrail.profile.otlp.Violation;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.read.OtlpReader;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.buftrail.profile.protobuf.MalformedMessageException;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OtlpJsonTest {
  private static final ObjectMapper JACKSON = new ObjectMapper();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private static byte[] json(Profiles profiles, boolean pretty) throws IOException {
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    new OtlpJsonWriter(pretty).write(profiles, target);
    return target.toByteArray();
  }

  private static List<Profiles> read(String json) throws IOException {
    return OtlpReader.read(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
  }

  private static Conformance.Result check(String json) throws IOException {
    return Conformance.check(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
  }

  /** OTLP/JSON as the specification has it, from the descriptors of the generated classes. */
  private static ObjectNode expected(Message message) {
    ObjectNode node = NODES.objectNode();
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (field.isRepeated()) {
                ArrayNode list = node.putArray(field.getJsonName());
                ((List<?>) value).forEach(element -> list.add(expected(field, element)));
              } else {
                node.set(field.getJsonName(), expected(field, value));
              }
            });
    return node;
  }

  private static JsonNode expected(FieldDescriptor field, Object value) {
    switch (field.getType()) {
      case INT32:
        return NODES.numberNode((Integer) value);
      case INT64:
        return NODES.textNode(value.toString());
      case UINT64:
      case FIXED64:
        return NODES.textNode(Long.toUnsignedString((Long) value));
      case BOOL:
        return NODES.booleanNode((Boolean) value);
      case DOUBLE:
        return NODES.numberNode((Double) value);
      case STRING:
        return NODES.textNode((String) value);
      case BYTES:
        byte[] bytes = ((ByteString) value).toByteArray();
        boolean id = field.getName().endsWith("_id");
        return NODES.textNode(
            id ? HexFormat.of().formatHex(bytes) : Base64.getEncoder().encodeToString(bytes));
      case MESSAGE:
        return expected((Message) value);
      default:
        throw new IllegalArgumentException(field.getFullName());
    }
  }

  @RepeatedTest(40)
  void theJsonSaysWhatTheProtobufSays(RepetitionInfo seed) throws IOException {
    Profiles profiles = RandomProfiles.of(seed.getCurrentRepetition());
    boolean pretty = seed.getCurrentRepetition() % 2 == 0;
    ProfilesData message = ProfilesData.parseFrom(new OtlpWriter().toByteArray(profiles));
    assertThat(JACKSON.readTree(json(profiles, pretty))).isEqualTo(expected(message));
  }

  @RepeatedTest(40)
  void theJsonIsReadBackAndConformant(RepetitionInfo seed) throws IOException {
    Profiles profiles = RandomProfiles.of(seed.getCurrentRepetition());
    boolean pretty = seed.getCurrentRepetition() % 2 == 0;
    byte[] json = json(profiles, pretty);
    assertThat(Conformance.check(new ByteArrayInputStream(json)).violations()).isEmpty();
    Profiles read = OtlpReader.read(new ByteArrayInputStream(json)).get(0);
    assertThat(Flattened.of(read)).isEqualTo(Flattened.of(profiles));
    assertThat(read.resource().asMap())
        .usingRecursiveComparison()
        .isEqualTo(profiles.resource().asMap());
  }

  private static Profiles small(String name) {
    Dictionary dictionary = new Dictionary();
    int location =
        dictionary
            .locations()
            .intern(dictionary.functions().intern(name), 7, dictionary.frameType("jvm"));
    Samples samples = Samples.summed(1);
    samples.add(
        dictionary.stacks().intern(new int[] {location, location}, 0, 2),
        0,
        dictionary.links().intern(-1, 2, 0xAB),
        -5);
    return new Profiles(dictionary)
        .add(
            new Profile("", ValueType.of("cpu", "ns"), samples, 0)
                .period(ValueType.of("cpu", "ns"), 1)
                .range(1L << 60, 9));
  }

  @Test
  void theLayoutIsCompactOrIndented() throws IOException {
    String compact = new String(json(small("a\"\\\n\u0001ü😀"), false), StandardCharsets.UTF_8);
    assertThat(compact)
        .isEqualTo(
            "{\"resourceProfiles\":[{\"scopeProfiles\":[{\"profiles\":[{\"sampleType\":"
                + "{\"typeStrindex\":3,\"unitStrindex\":4},\"samples\":[{\"stackIndex\":1,"
                + "\"linkIndex\":1,\"values\":[\"-5\"]}],\"timeUnixNano\":\"1152921504606846976\","
                + "\"durationNano\":\"9\",\"periodType\":{\"typeStrindex\":3,\"unitStrindex\":4},"
                + "\"period\":\"1\"}]}]}],\"dictionary\":{\"mappingTable\":[{}],"
                + "\"locationTable\":[{},{\"lines\":[{\"functionIndex\":1,\"line\":\"7\"}],"
                + "\"attributeIndices\":[1]}],\"functionTable\":[{},{\"nameStrindex\":1}],"
                + "\"linkTable\":[{},{\"traceId\":\"ffffffffffffffff0000000000000002\","
                + "\"spanId\":\"00000000000000ab\"}],\"stringTable\":[\"\","
                + "\"a\\\"\\\\\\n\\u0001ü😀\",\"profile.frame.type\",\"cpu\",\"ns\"],"
                + "\"attributeTable\":[{},{\"keyStrindex\":2,\"value\":{\"stringValue\":\"jvm\"}}],"
                + "\"stackTable\":[{},{\"locationIndices\":[1,1]}]}}");
    String pretty = new String(json(small("a"), true), StandardCharsets.UTF_8);
    assertThat(pretty)
        .startsWith("{\n  \"resourceProfiles\": [\n    {\n      \"scopeProfiles\": [\n")
        .contains("\n        \"locationIndices\": [1, 1]\n      }\n    ]\n  }\n}\n")
        .contains("    \"mappingTable\": [\n      {}\n    ],\n")
        .endsWith("}\n");
    assertThat(pretty.lines()).noneMatch(line -> line.endsWith(" "));
  }

  @Test
  void thePayloadIsBase64(@TempDir Path folder) throws IOException {
    for (int size : new int[] {1, 2, 3, 12_288, 40_000}) {
      byte[] content = new byte[size];
      new Random(size).nextBytes(content);
      Path file = Files.write(folder.resolve("r" + size), content);
      Profiles profiles = small("a");
      profiles.profiles().get(0).payload(Payload.ofFiles("jfr", List.of(file)));
      JsonNode profile =
          JACKSON
              .readTree(json(profiles, false))
              .at("/resourceProfiles/0/scopeProfiles/0/profiles/0");
      assertThat(profile.get("originalPayloadFormat").textValue()).isEqualTo("jfr");
      assertThat(profile.get("originalPayload").binaryValue()).isEqualTo(content);
      assertThat(check(new String(json(profiles, true), StandardCharsets.UTF_8)).violations())
          .isEmpty();
    }
  }

  @Test
  void numbersAndTextAreBothTaken() throws IOException {
    String json =
        new String(json(small("a"), false), StandardCharsets.UTF_8)
            .replace("\"-5\"", "-5.0")
            .replace("\"durationNano\":\"9\"", "\"durationNano\":9e0")
            .replace("\"linkIndex\":1", "\"linkIndex\":\"1\",\"attributeIndices\":null")
            .replace("00ab", "00AB");
    Profiles read = read(json).get(0);
    assertThat(Flattened.of(read)).isEqualTo(Flattened.of(small("a")));
  }

  @Test
  void unknownAndRepeatedKeysAreNamed() throws IOException {
    String json =
        new String(json(small("a"), false), StandardCharsets.UTF_8)
            .replace(
                "\"stackIndex\":1",
                "\"stack_index\":[{\"x\":[1,2,{}]},\"\\u0041\"],\"stackIndex\":1")
            .replace("\"period\":\"1\"", "\"period\":\"1\",\"period\":\"2\"");
    assertThat(check(json).violations())
        .extracting(Violation::toString)
        .containsExactly(
            "resourceProfiles[0].scopeProfiles[0].profiles[0]: has the key \"period\" twice",
            "resourceProfiles[0].scopeProfiles[0].profiles[0].samples[0]:"
                + " advice: Sample has no key \"stack_index\"");
    Profiles expected = small("a");
    expected.profiles().get(0).period(ValueType.of("cpu", "ns"), 2);
    assertThat(Flattened.of(read(json).get(0))).isEqualTo(Flattened.of(expected));
  }

  @Test
  void whatIsWrongIsNamedWithItsPlace() {
    assertError(
        "{",
        "JSON line 1, column 2: expected a member name in double quotes, found the end of the text");
    assertError(" \r\n{}x", "JSON line 2, column 3: expected the end of the text, found 'x'");
    assertError("{}\u00FF", "JSON line 1, column 3: expected the end of the text, found U+00FF");
    assertError("{\"a\" 1}", "JSON line 1, column 6: expected ':' after the name \"a\", found '1'");
    assertError("{\"a\":1 \"b\"}", "JSON line 1, column 8: expected ',' or '}', found '\"'");
    assertError("{\n  \"dictionary\": 5}", "JSON line 2, column 17: expected an object, found '5'");
    assertError(
        "{\"dictionary\":{\"stringTable\":[5]}}",
        "JSON line 1, column 31: expected a string, found '5'");
    assertError(
        "{\"dictionary\":{\"stackTable\":[{},{\"locationIndices\":[1,2.5]}]}}",
        "JSON line 1, column 58: dictionary.stackTable[1].locationIndices[1] is \"2.5\","
            + " which is no INT32");
    assertError(
        "{\"dictionary\":{\"linkTable\":[{\"traceId\":\"xy\"}]}}",
        "JSON line 1, column 44: dictionary.linkTable[0].traceId is \"xy\""
            + " instead of hexadecimal digits");
    assertError(
        "{\"x\":" + "[".repeat(300) + "}", "JSON line 1, column 261: nested deeper than 256");
    assertError(
        "{\"x\":\"\\q\"}",
        "JSON line 1, column 8: expected an escape such as \\n or \\u0041, found 'q'");
    assertError(
        "{\"x\":\"abc",
        "JSON line 1, column 10: expected the closing '\"' of a string, found the end of the text");
    assertError(
        "{\"x\":" + "1".repeat(2000) + "}",
        "JSON line 1, column 1030: a number is longer than 1024 digits");
    String deep = "{\"arrayValue\":{\"values\":[".repeat(80);
    assertThatThrownBy(
            () ->
                read(
                    "{\"resourceProfiles\":[{\"resource\":{\"attributes\":[{\"key\":\"a\",\"value\":"
                        + deep))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessageEndingWith("messages are nested more than 100 deep");
  }

  private static void assertError(String json, String message) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(MalformedMessageException.class)
        .hasMessage(message);
  }

  @Test
  void escapesOfUnpairedSurrogatesDoNoHarm() throws IOException {
    String json =
        new String(json(small("NAME"), false), StandardCharsets.UTF_8)
            .replace("NAME", "\\ud83d\\ude00 \\ud83dx \\ud83d\\n \\ude00 \\ud83d\\u0041");
    Profiles read = read(json).get(0);
    assertThat(read.dictionary().strings().get(read.dictionary().functions().name(1)))
        .isEqualTo("😀 ?x ?\n ? ?A");
  }
}
