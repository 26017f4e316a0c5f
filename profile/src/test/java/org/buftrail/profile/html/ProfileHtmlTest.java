package org.buftrail.profile.html;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.html.ProfileHtml.View;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProfileHtmlTest {
  private final Dictionary dictionary = new Dictionary();
  private final Profiles profiles = new Profiles(dictionary);

  @Test
  void stacksAreMergedAndValuesKept() throws IOException {
    Samples samples = Samples.summed(2);
    samples.add(stack("main", "read", "parse"), 0, 0, 3, 300);
    samples.add(stack("main", "read"), 0, 0, 1, 100);
    samples.add(stack("main", "write"), 0, 0, 2, 50);
    samples.add(stack("main", "write"), dictionary.frameType("jvm"), 0, 5, 7);
    profiles.add(new Profile("alloc", ValueType.of("objects", "count"), samples, 0));
    profiles.add(new Profile("alloc", ValueType.of("space", "bytes"), samples, 1));
    profiles.resource().put("service.name", "shop");

    JsonNode model = model(ProfileHtml.MAX_NODES);

    assertThat(model.get("title").asText()).isEqualTo("shop");
    assertThat(model.get("folded").asInt()).isZero();
    assertThat(model.get("nodes").get("up")).hasSize(4);
    assertThat(selves(model, 0))
        .isEqualTo(Map.of("main;read;parse", 3L, "main;read", 1L, "main;write", 7L));
    assertThat(selves(model, 1))
        .isEqualTo(Map.of("main;read;parse", 300L, "main;read", 100L, "main;write", 57L));
    assertThat(model.get("profiles").get(1).get("unit").asText()).isEqualTo("bytes");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1970-01-01T00:00:00Z",
    "1764255600000000000, 2025-11-27T15:00:00Z",
    "1764255607000000000, 2025-11-27T15:00:07Z",
    "1764255660000000001, 2025-11-27T15:01:00.000000001Z",
    "-1500000000, 1969-12-31T23:59:58.500Z"
  })
  void theStartIsInUniversalTime(long nanos, String text) throws IOException {
    Samples samples = Samples.summed(1);
    samples.add(stack("main"), 0, 0, 3);
    ValueType counts = ValueType.of("samples", "count");
    profiles.add(new Profile("cpu", counts, samples, 0).range(nanos, 1));
    JsonNode fact = model(ProfileHtml.MAX_NODES).get("facts").get(0);
    assertThat(fact.get(0).asText()).isEqualTo("From");
    assertThat(fact.get(1).asText()).isEqualTo(text);
  }

  @Test
  void inlinedCallsAreFramesOfTheirOwn() throws IOException {
    int outer = dictionary.functions().intern("outer");
    int inner = dictionary.functions().intern("inner");
    int location =
        dictionary
            .locations()
            .intern(
                0,
                0x10,
                dictionary.frameType("native"),
                new int[] {inner, outer},
                new long[] {7, 8},
                new long[2],
                2);
    add(dictionary.stacks().intern(new int[] {location}, 0, 1), 4);

    JsonNode model = model(ProfileHtml.MAX_NODES);
    assertThat(selves(model, 0)).isEqualTo(Map.of("outer;inner", 4L));
    assertThat(model.get("frames").get("line").toString()).isEqualTo("[7,8]");
    assertThat(model.get("names").toString()).isEqualTo("[\"inner\",\"outer\"]");
    assertThat(model.get("types").toString()).isEqualTo("[\"native\"]");
  }

  @Test
  void framesWithoutAFunctionShowWhatIsKnown() throws IOException {
    int file = dictionary.strings().intern("libx.so");
    int mapping = dictionary.mappings().intern(0, 0, 0, file, 0);
    add(location(dictionary.locations().intern(mapping, 0xBEEF, 0, 0, 0, 0)), 1);
    add(location(dictionary.locations().intern(0, 0xCAFE, 0, 0, 0, 0)), 2);
    add(0, 4);

    JsonNode model = model(ProfileHtml.MAX_NODES);
    assertThat(selves(model, 0)).isEqualTo(Map.of("libx.so+0xbeef", 1L));
    assertThat(selves(model, 1)).isEqualTo(Map.of("0xcafe", 2L));
    assertThat(selves(model, 2)).isEqualTo(Map.of("[no stack]", 4L));
  }

  @Test
  void smallFramesFoldIntoTheirCallers() throws IOException {
    Samples samples = Samples.summed(1);
    samples.add(stack("main", "big"), 0, 0, 1_000);
    for (int i = 0; i < 100; i++) {
      samples.add(stack("main", "small" + i, "leaf"), 0, 0, 1);
    }
    profiles.add(new Profile("cpu", ValueType.of("samples", "count"), samples, 0));

    JsonNode model = model(20);

    assertThat(model.get("folded").asInt()).isEqualTo(200);
    assertThat(selves(model, 0)).isEqualTo(Map.of("main;big", 1_000L, "main", 100L));
  }

  @Test
  void framesBelowTheLeastShareFoldToo() throws IOException {
    Samples samples = Samples.summed(1);
    samples.add(stack("main", "large"), 0, 0, 90);
    samples.add(stack("main", "small"), 0, 0, 9);
    samples.add(stack("main", "large", "tenth"), 0, 0, 11);
    profiles.add(new Profile("cpu", ValueType.of("samples", "count"), samples, 0));
    StringBuilder out = new StringBuilder();
    ProfileHtml.write(profiles, View.FLAMES, new PageLook("Mine", "large", 0.1), out);
    JsonNode model = new ObjectMapper().readTree(HtmlPageTest.model(out.toString()));
    assertThat(model.get("folded").asInt()).isEqualTo(1);
    assertThat(model.get("title").asText()).isEqualTo("Mine");
    assertThat(model.get("search").asText()).isEqualTo("large");
    assertThat(selves(model, 0))
        .containsOnly(
            Map.entry("main", 9L),
            Map.entry("main;large", 90L),
            Map.entry("main;large;tenth", 11L));
  }

  /** Script and style of all pages; what a page shows comes on top. */
  @Test
  void aPageIsSmall() throws IOException {
    StringBuilder out = new StringBuilder();
    ProfileHtml.write(profiles, out);
    assertThat(out.length()).isLessThan(160 << 10);
  }

  private void add(int stack, long value) {
    Samples samples = Samples.summed(1);
    samples.add(stack, 0, 0, value);
    profiles.add(new Profile("cpu", ValueType.of("samples", "count"), samples, 0));
  }

  private int stack(String... rootFirst) {
    int[] locations = new int[rootFirst.length];
    for (int i = 0; i < locations.length; i++) {
      int function = dictionary.functions().intern(rootFirst[locations.length - 1 - i]);
      locations[i] = dictionary.locations().intern(function, 0, dictionary.frameType("jvm"));
    }
    return dictionary.stacks().intern(locations, 0, locations.length);
  }

  private int location(int location) {
    return dictionary.stacks().intern(new int[] {location}, 0, 1);
  }

  private JsonNode model(int maxNodes) throws IOException {
    StringBuilder out = new StringBuilder();
    ProfileHtml.write(profiles, View.FLAMES, out, maxNodes, PageSamples.MAX_ROWS);
    return new ObjectMapper().readTree(HtmlPageTest.model(out.toString()));
  }

  /** What the page's own reader does: the values of a profile by stack, root first. */
  private static Map<String, Long> selves(JsonNode model, int profile) {
    Map<String, Long> found = new TreeMap<>();
    JsonNode nodes = model.get("profiles").get(profile).get("nodes");
    for (int i = 0; i < nodes.size(); i++) {
      long value = model.get("profiles").get(profile).get("values").get(i).asLong();
      found.merge(stackOf(model, nodes.get(i).asInt()), value, Long::sum);
    }
    return found;
  }

  private static String stackOf(JsonNode model, int node) {
    int frame = model.get("nodes").get("frame").get(node).asInt();
    int name = model.get("frames").get("name").get(frame).asInt();
    int up = model.get("nodes").get("up").get(node).asInt();
    String own = model.get("names").get(name).asText();
    return up == 0 ? own : stackOf(model, node - up) + ";" + own;
  }
}
