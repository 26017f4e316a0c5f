package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.profiles.v1development.Location;
import io.opentelemetry.proto.profiles.v1development.Profile;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.ResourceProfiles;
import io.opentelemetry.proto.profiles.v1development.Sample;
import io.opentelemetry.proto.profiles.v1development.ScopeProfiles;
import io.opentelemetry.proto.profiles.v1development.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.buftrail.profile.Profiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What Pyroscope makes of our profiles, by the rules of its ingester of OTLP (as of August 2026):
 * what it refuses, and what it adds up since it cannot tell it apart.
 */
final class PyroscopeRulesTest {
  private static final Path RECORDINGS = Path.of("../jfr/src/test/resources/recordings");

  @TempDir private Path directory = Path.of("");

  /** The name of a series and the type that it has in it, as Pyroscope derives them. */
  private record Series(String name, String type) {}

  static Stream<Path> recordings() throws IOException {
    try (Stream<Path> files = Files.list(RECORDINGS)) {
      return files.sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void everyProfileIsTakenAndIsASeriesOfItsOwn(Path recording) throws IOException {
    Path file = directory.resolve("x.otlp");
    Run run = Run.of("convert", recording.toString(), "-o", file.toString(), "--lenient");
    assertThat(run.exit()).as(run.err()).isZero();
    ProfilesData data = ProfilesData.parseFrom(Files.readAllBytes(file));
    ResourceProfiles resource = data.getResourceProfiles(0);
    ScopeProfiles scope = resource.getScopeProfiles(0);
    assertThat(scope.getScope().getVersion()).isEqualTo(Profiles.VERSION);
    assertThat(scope.getSchemaUrl())
        .isEqualTo(resource.getSchemaUrl())
        .matches("https://opentelemetry.io/schemas/1\\.[0-9]+\\.0");
    Map<Series, String> kinds = new HashMap<>();
    for (Profile profile : taken(data)) {
      Series series = series(profile, data.getDictionary());
      assertThat(series.name).as("a series has a name").isNotEmpty();
      String kind = kind(profile, data.getDictionary());
      String other = kinds.putIfAbsent(series, kind);
      assertThat(other).as("%s and %s are both %s", kind, other, series).isIn(null, kind);
    }
    assertThat(kinds).isNotEmpty();
  }

  @Test
  void theProcessorsProfileIsTheOneThatPyroscopeKnows() throws IOException {
    Path file = directory.resolve("x.otlp");
    String recording = RECORDINGS.resolve("jdk25.jfr.gz").toString();
    assertThat(Run.of("convert", recording, "-o", file.toString()).exit()).isZero();
    ProfilesData data = ProfilesData.parseFrom(Files.readAllBytes(file));
    Map<String, Series> byKind = new HashMap<>();
    for (Profile profile : taken(data)) {
      byKind.put(
          kind(profile, data.getDictionary()) + " " + type(profile, data.getDictionary()),
          series(profile, data.getDictionary()));
    }
    assertThat(byKind)
        .containsEntry(
            "cpu samples:count", new Series("process_cpu", "cpu:nanoseconds:cpu:nanoseconds"))
        .containsEntry("cpu cpu:nanoseconds", new Series("cpu", "cpu:nanoseconds:cpu:nanoseconds"))
        .containsEntry(
            "cpu_time cpu:nanoseconds",
            new Series("cpu_time", "cpu:nanoseconds:cpu_time:nanoseconds"))
        .containsEntry(
            "lock_enter delay:nanoseconds",
            new Series("lock_enter", "delay:nanoseconds:lock_enter:count"));
  }

  /** The time of samples has one value, where samples have times too. */
  @Test
  void samplesWithTimesAreTakenToo() throws IOException {
    Path file = directory.resolve("x.otlp");
    String recording = RECORDINGS.resolve("jdk25.jfr.gz").toString();
    String[] command = {"convert", recording, "--profile", "cpu", "--timestamps", "-o", ""};
    command[command.length - 1] = file.toString();
    Run run = Run.of(command);
    assertThat(run.exit()).as(run.err()).isZero();
    ProfilesData data = ProfilesData.parseFrom(Files.readAllBytes(file));
    assertThat(taken(data))
        .extracting(profile -> series(profile, data.getDictionary()))
        .containsExactly(
            new Series("process_cpu", "cpu:nanoseconds:cpu:nanoseconds"),
            new Series("cpu", "cpu:nanoseconds:cpu:nanoseconds"));
  }

  /** The profiles of a request, all of which must be such that it is not refused. */
  private static List<Profile> taken(ProfilesData data) {
    assertThat(data.hasDictionary()).isTrue();
    assertThat(data.getResourceProfilesCount()).isPositive();
    List<ScopeProfiles> scopes =
        data.getResourceProfilesList().stream()
            .flatMap(resource -> resource.getScopeProfilesList().stream())
            .toList();
    for (ResourceProfiles resource : data.getResourceProfilesList()) {
      assertThat(resource.getResource().getAttributesList())
          .as("labels of series")
          .extracting(KeyValue::getKey)
          .doesNotHaveDuplicates();
    }
    List<Profile> profiles =
        scopes.stream().flatMap(scope -> scope.getProfilesList().stream()).toList();
    for (Profile profile : profiles) {
      assertThat(profile.hasSampleType()).isTrue();
      for (Sample sample : profile.getSamplesList()) {
        checkValues(profile, sample);
        checkIndices(sample, data.getDictionary());
      }
    }
    return profiles;
  }

  /** With a period, one value; of times alone, Pyroscope makes one. */
  private static void checkValues(Profile profile, Sample sample) {
    boolean timesAlone = sample.getValuesCount() == 0 && sample.getTimestampsUnixNanoCount() > 0;
    if (profile.getPeriod() != 0 && profile.hasPeriodType() && !timesAlone) {
      assertThat(sample.getValuesCount()).isEqualTo(1);
    }
    assertThat(sample.getValuesCount() + sample.getTimestampsUnixNanoCount()).isPositive();
  }

  private static void checkIndices(Sample sample, ProfilesDictionary tables) {
    assertThat(sample.getStackIndex()).isBetween(0, tables.getStackTableCount() - 1);
    assertThat(sample.getLinkIndex()).isBetween(0, Math.max(0, tables.getLinkTableCount() - 1));
    for (int attribute : sample.getAttributeIndicesList()) {
      int key = tables.getAttributeTable(attribute).getKeyStrindex();
      assertThat(tables.getStringTable(key)).isNotEmpty();
    }
    for (int index : tables.getStackTable(sample.getStackIndex()).getLocationIndicesList()) {
      Location location = tables.getLocationTable(index);
      assertThat(location.getMappingIndex()).isBetween(0, tables.getMappingTableCount() - 1);
      location
          .getLinesList()
          .forEach(
              line ->
                  assertThat(line.getFunctionIndex())
                      .isBetween(0, tables.getFunctionTableCount() - 1));
    }
  }

  /**
   * Samples of the processor by a period of time become time under a name of their own; the name of
   * all else is the type of its period, which counts only with a period.
   */
  private static Series series(Profile profile, ProfilesDictionary tables) {
    boolean hasPeriod = profile.getPeriod() != 0 && profile.hasPeriodType();
    String period = hasPeriod ? text(profile.getPeriodType(), tables) : ":";
    String type = type(profile, tables) + ":" + period;
    if (type.equals("samples:count:cpu:nanoseconds")) {
      return new Series("process_cpu", "cpu:nanoseconds:cpu:nanoseconds");
    }
    if (type.equals("off_cpu:nanoseconds::")) {
      return new Series("off_cpu", type);
    }
    return new Series(type.split(":", -1)[2], type);
  }

  private static String type(Profile profile, ProfilesDictionary tables) {
    return text(profile.getSampleType(), tables);
  }

  private static String text(ValueType type, ProfilesDictionary tables) {
    return tables.getStringTable(type.getTypeStrindex())
        + ":"
        + tables.getStringTable(type.getUnitStrindex());
  }

  private static String kind(Profile profile, ProfilesDictionary tables) {
    for (int index : profile.getAttributeIndicesList()) {
      var attribute = tables.getAttributeTable(index);
      if (tables.getStringTable(attribute.getKeyStrindex()).equals("buftrail.profile.kind")) {
        return attribute.getValue().getStringValue();
      }
    }
    return "";
  }
}
