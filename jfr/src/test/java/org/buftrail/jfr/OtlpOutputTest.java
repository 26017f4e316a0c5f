package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.profiles.v1development.Function;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Sample;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the published classes decode is what the JDK's reader finds in the recording. */
final class OtlpOutputTest {
  @ParameterizedTest
  @CsvSource({
    "jdk11, jdk.ExecutionSample, cpu",
    "jdk21, jdk.ExecutionSample, cpu",
    "jdk25, jdk.ExecutionSample, cpu",
    "jdk-500-50-100, jdk.ExecutionSample, cpu",
    "dd-50-10-100, datadog.ExecutionSample, cpu_datadog",
  })
  void samplesOfTheProcessor(String name, String event, String sampler, @TempDir Path directory)
      throws Exception {
    Path file = Recordings.unpack(name, directory);
    Conversion conversion = new Converter(Options.DEFAULT).convert(List.of(file));
    ProfilesData decoded =
        ProfilesData.parseFrom(new OtlpWriter().toByteArray(conversion.profiles()));
    Profile cpu = decoded.getResourceProfiles(0).getScopeProfiles(0).getProfiles(0);
    ProfilesDictionary dictionary = decoded.getDictionary();
    assertThat(dictionary.getStringTable(cpu.getSampleType().getTypeStrindex()))
        .isEqualTo("samples");
    assertThat(dictionary.getStringTable(cpu.getPeriodType().getTypeStrindex())).isEqualTo(sampler);
    assertThat(cpu.getPeriod()).isPositive();

    Map<String, Long> found = new TreeMap<>();
    for (Sample sample : cpu.getSamplesList()) {
      found.merge(key(dictionary, sample), sample.getValues(0), Long::sum);
    }
    Map<String, Long> expected = new TreeMap<>();
    for (RecordedEvent recorded : RecordingFile.readAllEvents(file)) {
      if (recorded.getEventType().getName().equals(event)) {
        expected.merge(Flattened.key(recorded, "sampledThread"), 1L, Long::sum);
      }
    }
    assertThat(expected).isNotEmpty();
    assertThat(found).isEqualTo(expected);
  }

  private static String key(ProfilesDictionary dictionary, Sample sample) {
    List<String> frames = new ArrayList<>();
    for (int index : dictionary.getStackTable(sample.getStackIndex()).getLocationIndicesList()) {
      Location location = dictionary.getLocationTable(index);
      assertThat(location.getMappingIndex()).isZero();
      assertThat(attributes(dictionary, location.getAttributeIndicesList()))
          .containsExactly(Map.entry("profile.frame.type", "jvm"));
      Function function = dictionary.getFunctionTable(location.getLines(0).getFunctionIndex());
      frames.add(
          dictionary.getStringTable(function.getNameStrindex())
              + dictionary.getStringTable(function.getSystemNameStrindex())
              + ":"
              + location.getLines(0).getLine());
    }
    Map<String, String> attributes = attributes(dictionary, sample.getAttributeIndicesList());
    return attributes.get("thread.name") + "#" + attributes.get("thread.id") + " " + frames;
  }

  private static Map<String, String> attributes(
      ProfilesDictionary dictionary, List<Integer> indices) {
    Map<String, String> found = new TreeMap<>();
    for (int index : indices) {
      var attribute = dictionary.getAttributeTable(index);
      var value = attribute.getValue();
      found.put(
          dictionary.getStringTable(attribute.getKeyStrindex()),
          value.hasStringValue() ? value.getStringValue() : String.valueOf(value.getIntValue()));
    }
    return found;
  }
}
