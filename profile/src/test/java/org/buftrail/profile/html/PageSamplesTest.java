package org.buftrail.profile.html;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.ValueType;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.html.ProfileHtml.View;
import org.junit.jupiter.api.Test;

class PageSamplesTest {
  private static final long START = 1_700_000_000_123_000_000L;
  private static final long MILLI = 1_000_000;

  private final Dictionary dictionary = new Dictionary();
  private final Profiles profiles = new Profiles(dictionary);
  private final int read = stack("read");
  private final int write = stack("write");
  private final int one = thread("one");
  private final int two = thread("two");

  @Test
  void aRowIsAStackOfAThreadInAGrainOfTime() throws IOException {
    Samples samples = Samples.observed(2);
    samples.observe(write, two, 0, START + 2_000 * MILLI, 1, 5_000_000_000L);
    samples.observe(read, one, 0, START + 9 * MILLI, 2, 30);
    samples.observe(read, one, 0, START + 7, 1, 20);
    samples.observe(read, one, 0, START + 10 * MILLI, 4, 40);
    add("alloc", samples, 0);
    add("alloc", samples, 1);

    JsonNode model = model(1_000);

    assertThat(model.get("start").asLong()).isEqualTo(1_700_000_000_123L);
    assertThat(model.get("samples").get(0).get("grain").asInt()).isEqualTo(10);
    // The stack of most rows is number 0.
    assertThat(model.get("samples").get(0).get("stack").asText()).isEqualTo("AAB");
    assertThat(rows(model, 0))
        .containsExactly("0 read one 3 50", "10 read one 4 40", "2000 write two 1 5000000000");
    assertThat(model.get("profiles").get(1).get("samples").asInt()).isZero();
    assertThat(model.get("profiles").get(1).get("column").asInt()).isEqualTo(1);
  }

  @Test
  void theGrainIsTheFinestForWhichThereIsRoom() throws IOException {
    Samples samples = Samples.observed(1);
    for (int i = 0; i < 100; i++) {
      samples.observe(read, one, 0, START + 10 * MILLI * i, 1);
    }
    add("cpu", samples, 0);

    assertThat(model(100).get("samples").get(0).get("grain").asInt()).isEqualTo(10);
    JsonNode model = model(20);
    assertThat(model.get("samples").get(0).get("grain").asInt()).isEqualTo(50);
    assertThat(rows(model, 0))
        .hasSize(20)
        .startsWith("0 read one 5", "50 read one 5")
        .endsWith("950 read one 5");
  }

  @Test
  void samplesWithoutTimesHaveTheirThreads() throws IOException {
    Samples samples = Samples.summed(1);
    samples.add(read, one, 0, 7);
    samples.add(read, two, 0, 8);
    samples.add(write, 0, 0, 9);
    add("cpu", samples, 0);

    JsonNode model = model(1_000);

    assertThat(model.get("samples").get(0).has("grain")).isFalse();
    assertThat(model.has("start")).isFalse();
    assertThat(rows(model, 0)).containsExactly("0 read one 7", "0 read two 8", "0 write  9");
  }

  @Test
  void whatHasNoRoomOrIsNegativeIsLeftOut() throws IOException {
    Samples many = Samples.summed(1);
    many.add(read, one, 0, 1);
    many.add(read, two, 0, 1);
    many.add(write, two, 0, 1);
    Samples negative = Samples.summed(1);
    negative.add(read, one, 0, -1);
    Samples few = Samples.summed(1);
    few.add(write, one, 0, 1);
    add("many", many, 0);
    add("negative", negative, 0);
    add("few", few, 0);

    JsonNode model = model(6);

    assertThat(model.get("samples")).hasSize(1);
    assertThat(model.get("profiles").get(0).has("samples")).isFalse();
    assertThat(model.get("profiles").get(1).has("samples")).isFalse();
    assertThat(model.get("profiles").get(2).get("samples").asInt()).isZero();
    assertThat(rows(model, 0)).containsExactly("0 write one 1");
  }

  @Test
  void samplesAreOfTheirTraces() throws IOException {
    int first = dictionary.links().intern(1, 0xab, 7);
    int alsoFirst = dictionary.links().intern(1, 0xab, 8);
    int second = dictionary.links().intern(0, 0xcd, 7);
    Samples cpu = Samples.summed(1);
    cpu.add(read, one, first, 1);
    cpu.add(write, one, alsoFirst, 2);
    cpu.add(read, one, second, 4);
    cpu.add(read, one, 0, 8);
    Samples wall = Samples.summed(1);
    wall.add(read, one, 0, 16);
    add("cpu", cpu, 0);
    add("wall", wall, 0);

    JsonNode model = model(1_000);

    assertThat(texts(model.get("traces")))
        .containsExactly(
            "(no trace)", "000000000000000100000000000000ab", "000000000000000000000000000000cd");
    assertThat(unpacked(model.get("samples").get(0).get("trace"))).containsExactly(1L, 1L, 2L, 0L);
    assertThat(model.get("samples").get(1).has("trace")).isFalse();
  }

  @Test
  void ofManyTracesThoseWithMostSamplesAreToldApart() {
    int busy = dictionary.links().intern(0, 1, 1);
    int idle = dictionary.links().intern(0, 2, 1);
    int alsoIdle = dictionary.links().intern(0, 3, 1);
    int unused = dictionary.links().intern(0, 4, 1);
    Samples samples = Samples.observed(1);
    for (int time = 0; time < 5; time++) {
      samples.observe(read, one, busy, START + time, 1);
    }
    samples.observe(read, one, idle, START, 1);
    samples.observe(read, one, alsoIdle, START, 1);

    PageTraces traces = new PageTraces(dictionary, List.of(samples), 1);

    assertThat(traces.names())
        .containsExactly("(no trace)", "00000000000000000000000000000001", "(2 other traces)");
    assertThat(List.of(busy, idle, alsoIdle, unused).stream().map(traces::number))
        .containsExactly(1, 2, 2, 2);
    assertThat(new PageTraces(dictionary, List.of(), 1).names()).isEmpty();
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(each -> texts.add(each.asText()));
    return texts;
  }

  private void add(String name, Samples samples, int column) {
    profiles.add(new Profile(name, ValueType.of("samples", "count"), samples, column));
  }

  private int stack(String name) {
    int location = dictionary.locations().intern(dictionary.functions().intern(name), 0, 0);
    return dictionary.stacks().intern(new int[] {location}, 0, 1);
  }

  private int thread(String name) {
    return dictionary.attributeSets().intern(dictionary.attributes().intern("thread.name", name));
  }

  private JsonNode model(int maxRows) throws IOException {
    StringBuilder out = new StringBuilder();
    ProfileHtml.write(profiles, View.FLAMES, out, ProfileHtml.MAX_NODES, maxRows);
    return new ObjectMapper().readTree(HtmlPageTest.model(out.toString()));
  }

  /** Milliseconds, function, thread and values of each row. */
  private static List<String> rows(JsonNode model, int index) {
    JsonNode samples = model.get("samples").get(index);
    List<Long> stacks = unpacked(samples.get("stack"));
    List<Long> threads = unpacked(samples.get("thread"));
    List<Long> times = samples.has("time") ? unpacked(samples.get("time")) : List.of();
    List<String> rows = new ArrayList<>();
    long at = 0;
    for (int row = 0; row < stacks.size(); row++) {
      at += times.isEmpty() ? 0 : times.get(row) * samples.get("grain").asInt();
      int node = samples.get("stacks").get(stacks.get(row).intValue()).asInt();
      int frame = model.get("nodes").get("frame").get(node).asInt();
      int name = model.get("frames").get("name").get(frame).asInt();
      StringBuilder text = new StringBuilder();
      text.append(at).append(' ').append(model.get("names").get(name).asText()).append(' ');
      text.append(model.get("threads").get(threads.get(row).intValue()).asText());
      for (JsonNode column : samples.get("values")) {
        text.append(' ').append(unpacked(column).get(row));
      }
      rows.add(text.toString());
    }
    return rows;
  }

  private static List<Long> unpacked(JsonNode text) {
    List<Long> numbers = new ArrayList<>();
    long number = 0;
    int shift = 0;
    for (char c : text.asText().toCharArray()) {
      int digit =
          c >= 'a'
              ? c - 'a' + 26
              : c >= 'A' ? c - 'A' : c == '+' ? 62 : c == '/' ? 63 : c - '0' + 52;
      number |= (digit & 31L) << shift;
      shift += 5;
      if (digit < 32) {
        numbers.add(number);
        number = 0;
        shift = 0;
      }
    }
    return numbers;
  }
}
