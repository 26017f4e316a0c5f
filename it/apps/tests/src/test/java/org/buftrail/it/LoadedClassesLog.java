package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How often each class has got new byte code so far, as the JVM logs it. */
record Redefined(Map<String, Integer> times) {
  /** Where the JVM logs it. */
  static final String FILE = "redefined.log";

  private static final Pattern LINE = Pattern.compile("redefined name=([^,]+),");

  static Redefined read(Path directory) throws IOException {
    Map<String, Integer> times = new HashMap<>();
    Matcher matcher = LINE.matcher(Files.readString(directory.resolve(FILE)));
    while (matcher.find()) {
      times.merge(matcher.group(1), 1, Integer::sum);
    }
    return new Redefined(times);
  }

  /** Whether each class that had been given other byte code has been given its own again since. */
  void assertRestored(Redefined later) {
    assertThat(times).isNotEmpty();
    times.forEach(
        (name, before) ->
            assertThat(later.times.getOrDefault(name, 0)).as(name).isGreaterThan(before));
  }
}
