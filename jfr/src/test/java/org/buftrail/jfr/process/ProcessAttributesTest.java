package org.buftrail.jfr.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.buftrail.jfr.events.ProcessEventTypes;
import org.buftrail.profile.Attributes;
import org.buftrail.profile.dictionary.Dictionary;
import org.junit.jupiter.api.Test;

/** What resources say of command lines. */
final class ProcessAttributesTest {
  private static final String LINE = "process.command_line";
  private static final String ARGS = "process.command_args";

  /** The resource of processes with these options of the JVM. */
  private static Map<String, Object> resource(String... options) {
    ProcessAttributes attributes = new ProcessAttributes(new NativeLibraries(new Dictionary()));
    for (String option : options) {
      List<ProcessEvents.Event> events = new ArrayList<>();
      List<String> texts = List.of("OpenJDK", "25", option, "Main");
      events.add(new ProcessEvents.Event(ProcessEventTypes.JVM, "", texts, List.of(7L)));
      attributes.add(events);
    }
    Attributes resource = new Attributes();
    attributes.describe(resource);
    return resource.asMap();
  }

  private static String option(int bytesOfLine) {
    String rest = "java  Main";
    return "-Da=" + "x".repeat(bytesOfLine - rest.length() - "-Da=".length());
  }

  @Test
  void aLineOfMostBytesIsOneText() {
    assertThat(resource(option(2048)))
        .containsEntry(LINE, "java " + option(2048) + " Main")
        .doesNotContainKey(ARGS);
  }

  @Test
  void aLongerLineIsAList() {
    assertThat(resource(option(2049) + " -Dpassword=hunter2"))
        .containsEntry(ARGS, List.of("java", option(2049), "-Dpassword=***", "Main"))
        .doesNotContainKey(LINE);
  }

  @Test
  void bytesCountAndNotCharacters() {
    assertThat(resource("-Da=" + "ü".repeat(1100))).containsKey(ARGS).doesNotContainKey(LINE);
  }

  @Test
  void differentLinesSayNothingHoweverLongTheyAre() {
    assertThat(resource(option(2049), "-Xmx1g")).doesNotContainKeys(LINE, ARGS);
    assertThat(resource(option(2049), option(2049))).containsKey(ARGS);
  }
}
