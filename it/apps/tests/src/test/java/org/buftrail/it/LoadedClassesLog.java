package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Classes by name, as the JVM logs them.
 *
 * @param redefined how often each has got new byte code so far
 * @param loaded how often each was loaded
 */
record LoadedClassesLog(Map<String, Integer> redefined, Map<String, Integer> loaded) {
  /** Where the JVM logs them. */
  static final String FILE = "classes.log";

  private static final Pattern REDEFINED = Pattern.compile("redefined name=([^,]+),");
  private static final Pattern LOADED = Pattern.compile("\\[class,load *\\] (\\S+) source:");

  static LoadedClassesLog read(Path file) throws IOException {
    String log = Files.readString(file);
    return new LoadedClassesLog(count(REDEFINED, log), count(LOADED, log));
  }

  private static Map<String, Integer> count(Pattern line, String log) {
    Map<String, Integer> times = new HashMap<>();
    Matcher matcher = line.matcher(log);
    while (matcher.find()) {
      times.merge(matcher.group(1), 1, Integer::sum);
    }
    return times;
  }

  /** Whether each class that had been given other byte code has been given its own again since. */
  void assertRestored(LoadedClassesLog later) {
    assertThat(redefined).isNotEmpty();
    redefined.forEach(
        (name, before) ->
            assertThat(later.redefined.getOrDefault(name, 0)).as(name).isGreaterThan(before));
  }

  /**
   * What the agent brings must not come again with each attach. Classes of the applications are
   * logged again when they are redefined.
   */
  void assertNoneOfOursTwice() {
    assertThat(loaded).containsKey("org.buftrail.agent.Agent");
    loaded.forEach(
        (name, times) -> {
          if (name.startsWith("org.buftrail.") && !name.startsWith("org.buftrail.apps.")) {
            assertThat(times).as(name).isEqualTo(1);
          }
        });
  }
}
