package org.buftrail.agent.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.buftrail.options.Option;
import org.junit.jupiter.api.Test;

final class MistakenNamesTest {
  private static List<String> lines(Map<String, String> properties, Map<String, String> variables) {
    Properties all = new Properties();
    all.putAll(properties);
    return MistakenNames.lines(all, variables);
  }

  @Test
  void aSlipIsNamedWithTheNearestOption() {
    assertThat(
            lines(
                Map.of("buftrail.incldue", "com.example", "buftrail.tracKDirectOnly", "true"),
                Map.of("BUFTRAIL_SAMPEL", "100", "BUFTRAIL_trackDirectOnly", "true")))
        .containsExactly(
            "system property 'buftrail.incldue' is no option and has no effect (did you mean"
                + " 'buftrail.include'?)",
            "system property 'buftrail.tracKDirectOnly' is no option and has no effect (did you"
                + " mean 'buftrail.trackDirectOnly'?)",
            "environment variable 'BUFTRAIL_SAMPEL' is no option and has no effect (did you mean"
                + " 'BUFTRAIL_SAMPLE'?)",
            "environment variable 'BUFTRAIL_trackDirectOnly' is no option and has no effect (did"
                + " you mean 'BUFTRAIL_TRACK_DIRECT_ONLY'?)");
  }

  @Test
  void optionsAndWhatOthersReadAreNoSlips() {
    Map<String, String> properties =
        Arrays.stream(Option.keys()).collect(Collectors.toMap(key -> "buftrail." + key, key -> ""));
    Map<String, String> variables =
        Arrays.stream(Option.values()).collect(Collectors.toMap(Option::variable, option -> ""));
    assertThat(lines(properties, variables)).isEmpty();
    assertThat(
            lines(
                Map.of(
                    "buftrail.test",
                    "on",
                    "buftrail.test.grace",
                    "1",
                    "buftrail.reply",
                    "x 0 y",
                    "org.buftrail.x",
                    "1"),
                Map.of("BUFTRAIL_TEST_REPORT", "target", "MY_BUFTRAIL_SAMPEL", "1")))
        .isEmpty();
  }

  @Test
  void manyAreCounted() {
    Map<String, String> variables =
        IntStream.range(0, 7)
            .boxed()
            .collect(Collectors.toMap(i -> "BUFTRAIL_PORT_" + i, i -> "tcp://"));
    assertThat(lines(Map.of(), variables))
        .hasSize(6)
        .last()
        .isEqualTo("2 more names of properties or variables are no options");
  }
}
