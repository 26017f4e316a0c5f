package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.dictionary.Dictionary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames say whether they were compiled, inlined or interpreted, where that is asked for. */
final class CompilationTest {
  private static final Map<String, String> JDK =
      Map.of(
          "Interpreted", "interpreted",
          "JIT compiled", "compiled",
          "Inlined", "inlined",
          "Native", "native method");

  @TempDir private Path directory;

  private Profiles convert(Path file, boolean wanted) throws IOException {
    return new Converter(Options.DEFAULT.compilation(wanted)).convert(List.of(file)).profiles();
  }

  /** Samples of processor time by method and how it ran, of every frame of their stacks. */
  private static Map<String, Long> frames(Profiles profiles) {
    Dictionary dictionary = profiles.dictionary();
    Map<String, Long> sums = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      for (int i = 0; profile.name().equals("cpu") && i < profile.samples().size(); i++) {
        int stack = profile.samples().stack(i);
        for (int at = 0; at < dictionary.stacks().depth(stack); at++) {
          int location = dictionary.stacks().location(stack, at);
          int function = dictionary.locations().function(location);
          String name = dictionary.strings().get(dictionary.functions().name(function));
          int set = dictionary.locations().attributeSet(location);
          String how = Flattened.attribute(dictionary, set, "jvm.frame.compilation");
          sums.merge(name + " " + how, profile.value(i), Long::sum);
        }
      }
    }
    return sums;
  }

  private static Map<String, Long> framesByJdk(Path file) throws IOException {
    Map<String, Long> sums = new TreeMap<>();
    for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
      if (event.getEventType().getName().equals("jdk.ExecutionSample")) {
        for (RecordedFrame frame : event.getStackTrace().getFrames()) {
          String name = frame.getMethod().getType().getName() + "." + frame.getMethod().getName();
          sums.merge(name + " " + JDK.get(frame.getType()), 1L, Long::sum);
        }
      }
    }
    return sums;
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdk21", "jdk25"})
  void framesOfTheJdkAreAsTheJdkReadsThem(String name) throws IOException {
    Path file = Recordings.unpack(name, directory);
    Map<String, Long> expected = framesByJdk(file);
    assertThat(expected.keySet().toString()).contains(" compiled", " inlined", " interpreted");
    assertThat(frames(convert(file, true))).isEqualTo(expected);
  }

  @Test
  void asyncProfilersNativeFramesAreNoMethods() throws IOException {
    Set<String> seen = new HashSet<>();
    Dictionary dictionary =
        convert(Recordings.unpack("async-profiler", directory), true).dictionary();
    for (int location = 1; location < dictionary.locations().size(); location++) {
      int set = dictionary.locations().attributeSet(location);
      seen.add(
          Flattened.attribute(dictionary, set, "profile.frame.type")
              + " "
              + Flattened.attribute(dictionary, set, "jvm.frame.compilation"));
    }
    assertThat(seen)
        .containsExactlyInAnyOrder(
            "jvm compiled",
            "jvm compiled by C1",
            "jvm inlined",
            "jvm interpreted",
            "native null",
            "native C++");
  }

  @Test
  void unaskedTheyStayTogether() throws IOException {
    assertThat(frames(convert(Recordings.unpack("jdk21", directory), false)).keySet())
        .allMatch(key -> key.endsWith(" null"));
  }
}
