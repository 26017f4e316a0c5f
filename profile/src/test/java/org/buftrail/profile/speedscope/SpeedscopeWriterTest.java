package org.buftrail.profile.speedscope;

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
import org.junit.jupiter.api.Test;

final class SpeedscopeWriterTest {
  private final Dictionary dictionary = new Dictionary();

  private int stack(int line) {
    int function = dictionary.functions().intern("shop.Cart.add");
    int location = dictionary.locations().intern(function, line, 0);
    return dictionary.stacks().intern(new int[] {location}, 0, 1);
  }

  private String written(boolean lines) throws IOException {
    Samples samples = Samples.summed(1);
    samples.add(stack(3), 0, 0, 7);
    samples.add(stack(9), 0, 0, 2);
    Profile profile =
        new Profile("wall", ValueType.of("samples", "count"), samples, 0)
            .period(ValueType.of("wall", "nanoseconds"), 50);
    StringBuilder out = new StringBuilder();
    SpeedscopeWriter.write(new Profiles(dictionary).add(profile), lines, false, out);
    return out.toString().replaceAll("\\s", "");
  }

  @Test
  void samplesOfATimeAreTime() throws IOException {
    assertThat(written(false))
        .contains("\"unit\":\"nanoseconds\"", "\"endValue\":450", "\"weights\":[350,100]");
  }

  @Test
  void linesTellFramesApartWhereTheyAreAskedFor() throws IOException {
    assertThat(written(false)).contains("\"frames\":[{\"name\":\"shop.Cart.add\"}]");
    assertThat(written(true))
        .contains(
            "{\"name\":\"shop.Cart.add\",\"line\":3}", "{\"name\":\"shop.Cart.add\",\"line\":9}");
  }

  @Test
  void aProfileOfEachThreadFollowsThatOfAll() throws IOException {
    Samples samples = Samples.summed(1);
    samples.add(stack(3), thread("idle", 7), 0, 1);
    samples.add(stack(3), thread("busy", 8), 0, 4);
    samples.add(stack(9), thread("busy", 8), 0, 2);
    samples.add(stack(9), thread("busy", 9), 0, 5);
    samples.add(stack(9), thread("nothing", 10), 0, 0);
    samples.add(stack(9), 0, 0, 10);
    Profile profile = new Profile("lock", ValueType.of("delay", "bytes"), samples, 0);
    Samples alone = Samples.summed(1);
    alone.add(stack(3), thread("idle", 7), 0, 1);
    Profile ofOne = new Profile("gc", ValueType.of("pause", "bytes"), alone, 0);
    StringBuilder out = new StringBuilder();
    SpeedscopeWriter.write(new Profiles(dictionary).add(profile).add(ofOne), true, true, out);

    List<String> found = new ArrayList<>();
    for (JsonNode each : new ObjectMapper().readTree(out.toString()).get("profiles")) {
      found.add(each.get("name").asText() + " " + each.get("endValue") + each.get("weights"));
    }
    assertThat(found)
        .containsExactly(
            "lock: delay 22[5,17]",
            "lock: delay, busy #8 6[4,2]",
            "lock: delay, busy #9 5[5]",
            "lock: delay, idle #7 1[1]",
            "gc: pause 1[1]");
  }

  private int thread(String name, long id) {
    int[] attributes = {
      dictionary.attributes().intern("thread.name", name),
      dictionary.attributes().intern("thread.id", id, "")
    };
    return dictionary.attributeSets().intern(attributes, 0, 2);
  }
}
