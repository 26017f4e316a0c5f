package org.buftrail.jfr;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.jfr.process.CommandLine;
import org.buftrail.jfr.samples.NameRules;
import org.buftrail.profile.Kind;
import org.buftrail.profile.Observations;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Options select and change what is converted as they say. */
final class OptionsTest {
  private Path directory;

  @BeforeEach
  void prepare(@TempDir Path temporary) {
    directory = temporary;
  }

  private Profiles convert(String name, Options options) throws IOException {
    Path file = Recordings.unpack(name, directory);
    Conversion conversion = new Converter(options).convert(List.of(file));
    assertThat(conversion.damages()).isEmpty();
    return conversion.profiles();
  }

  private List<RecordedEvent> events(String name, String type) throws IOException {
    return RecordingFile.readAllEvents(Recordings.unpack(name, directory)).stream()
        .filter(event -> event.getEventType().getName().equals(type))
        .toList();
  }

  private static Set<String> names(Profiles profiles) {
    return profiles.profiles().stream()
        .map(Profile::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Profile profile(Profiles profiles, String name) {
    return profiles.profiles().stream()
        .filter(profile -> profile.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void selectsKinds() throws IOException {
    Options options = Options.DEFAULT.kinds(EnumSet.of(Kind.WALL, Kind.NATIVEMEM));
    assertThat(names(convert("async-profiler", options)))
        .containsExactly("nativemem", "nativemem_unfreed", "wall");
    assertThat(names(convert("async-profiler", Options.DEFAULT)))
        .contains("cpu", "alloc", "lock_enter", "wall", "nativemem");
  }

  @Test
  void keepsTheTimeOfEveryEvent() throws IOException {
    Profiles profiles = convert("jdk25", Options.DEFAULT.timestamps(true));
    Map<Long, Long> expected = new TreeMap<>();
    for (RecordedEvent event : events("jdk25", "jdk.ExecutionSample")) {
      expected.merge(nanos(event.getStartTime()), 1L, Long::sum);
    }
    Profile cpu = profile(profiles, "cpu");
    Observations observations = cpu.samples().observations();
    Map<Long, Long> found = new TreeMap<>();
    for (int i = 0; i < cpu.samples().size(); i++) {
      for (int k = 0; k < observations.count(i); k++) {
        long time = observations.time(i, k);
        assertThat(time).isBetween(cpu.time(), cpu.time() + cpu.duration() - 1);
        found.merge(time, observations.value(i, k, 0), Long::sum);
      }
    }
    assertThat(found).isEqualTo(expected);
  }

  private static long nanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000L + time.getNano();
  }

  @Test
  void selectsAPartOfTheTime() throws IOException {
    List<Long> times =
        events("jdk25", "jdk.JavaMonitorEnter").stream()
            .map(event -> nanos(event.getStartTime()))
            .sorted()
            .toList();
    long first = times.get(times.size() / 4);
    long last = times.get(times.size() / 2);
    Profiles profiles = convert("jdk25", Options.DEFAULT.between(first, last));
    assertThat(profile(profiles, "lock_enter").total())
        .isEqualTo(times.stream().filter(time -> time >= first && time <= last).count());
  }

  @Test
  void selectsTimeRelativeToStartAndEnd() throws IOException {
    Path file = Recordings.unpack("jdk25", directory);
    Profile all = convert("jdk25", Options.DEFAULT).profiles().get(0);
    long half = all.duration() / 2_000_000;
    long inFirst = convert("jdk25", Options.DEFAULT.window(0, half)).profiles().get(0).total();
    long inSecond = convert("jdk25", Options.DEFAULT.window(half + 1, 0)).profiles().get(0).total();
    long beforeEnd = convert("jdk25", Options.DEFAULT.window(-half, 0)).profiles().get(0).total();
    assertThat(file).exists();
    assertThat(inFirst).isBetween(1L, all.total() - 1);
    assertThat(inFirst + inSecond).isBetween(all.total() - 1, all.total());
    assertThat(beforeEnd).isBetween(1L, all.total() - 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Load/locked", "Load.locked", ".*\\.locked"})
  void includesAndExcludesStacksByFrame(String pattern) throws IOException {
    Pattern frame = Pattern.compile(pattern.replace("Load/locked", "Load.locked"));
    long all = profile(convert("jdk25", Options.DEFAULT), "lock_enter").total();
    long with =
        events("jdk25", "jdk.JavaMonitorEnter").stream()
            .filter(
                event ->
                    event.getStackTrace().getFrames().stream()
                        .anyMatch(f -> f.getMethod().getName().equals("locked")))
            .count();
    Profiles included = convert("jdk25", Options.DEFAULT.include(frame));
    assertThat(with).isPositive();
    assertThat(profile(included, "lock_enter").total()).isEqualTo(with);
    Profiles excluded = convert("jdk25", Options.DEFAULT.exclude(frame));
    assertThat(
            excluded.profiles().stream()
                .filter(profile -> profile.name().equals("lock_enter") && profile.column() == 0)
                .mapToLong(Profile::total)
                .sum())
        .isEqualTo(all - with);
  }

  @Test
  void makesThreadsRootFrames() throws IOException {
    Profiles profiles = convert("jdk21", Options.DEFAULT.threads(true));
    Map<String, Long> cpu = Flattened.of(profiles, "cpu", "samples");
    assertThat(cpu).isNotEmpty();
    assertThat(cpu.keySet())
        .allSatisfy(key -> assertThat(key).matches("(.*)#\\d+ .*\\[\\1 tid=\\d+\\]:0\\]"));
  }

  @Test
  void addsUpEventsThatAreAskedForByName() throws IOException {
    Options options =
        Options.DEFAULT.events(
            List.of(
                Options.Event.parse("jdk.JavaMonitorEnter:duration"),
                Options.Event.parse("jdk.GCPhasePause"),
                Options.Event.parse("jdk.ActiveSetting:id:tons")));
    Profiles profiles = convert("jdk21", options);
    long waited =
        events("jdk21", "jdk.JavaMonitorEnter").stream()
            .mapToLong(event -> event.getDuration().toNanos())
            .sum();
    assertThat(profile(profiles, "jdk.JavaMonitorEnter:duration").total())
        .isBetween(waited, waited + 100_000);
    assertThat(profile(profiles, "jdk.JavaMonitorEnter:duration").sampleType().unit())
        .isEqualTo("nanoseconds");
    assertThat(profile(profiles, "lock_enter").total())
        .isEqualTo(events("jdk21", "jdk.JavaMonitorEnter").size());
    assertThat(profile(profiles, "jdk.GCPhasePause").total())
        .isEqualTo(events("jdk21", "jdk.GCPhasePause").size());
    Profile settings = profile(profiles, "jdk.ActiveSetting:id");
    assertThat(settings.sampleType()).hasToString("id/tons");
    assertThat(settings.total())
        .isEqualTo(
            events("jdk21", "jdk.ActiveSetting").stream().mapToLong(e -> e.getLong("id")).sum());
    assertThatThrownBy(() -> Options.Event.parse(":duration"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("event \":duration\": NAME[:field[:unit]] expected");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"jdk11", "jdk21", "jdk25", "async-profiler", "dd-500-50-100", "killed-25"})
  void outputConforms(String name) throws IOException {
    Path file = Recordings.unpack(name, directory);
    for (boolean timestamps : new boolean[] {false, true}) {
      Options options = Options.DEFAULT.timestamps(timestamps).bytecodeIndex(timestamps);
      Profiles profiles = new Converter(options).convert(List.of(file)).profiles();
      byte[] written = new OtlpWriter().toByteArray(profiles);
      assertThat(Conformance.check(new ByteArrayInputStream(written)).violations()).isEmpty();
    }
  }

  @Test
  void describesTheProcess() throws IOException {
    assertThat(convert("jdk25", Options.DEFAULT).resource().asMap())
        .containsEntry("service.name", "Load")
        .containsEntry("process.runtime.name", "OpenJDK 64-Bit Server VM")
        .containsEntry("process.runtime.version", "25.0.3+9-LTS")
        .containsEntry("os.type", "linux")
        .containsEntry("host.arch", "amd64")
        .containsKeys("process.pid", "process.command_line", "os.description");
    assertThat(convert("async-profiler", Options.DEFAULT).resource().asMap())
        .containsEntry("process.runtime.version", "17.0.15+6-Debian-1deb12u1");
  }

  @Test
  void hidesWhatMayBeSecretInACommandLine() {
    assertThat(
            CommandLine.of(
                "-Xmx1g -Ddb.password=hunter2 -Dname=a -javaagent:/opt/a.jar=token=1 b",
                "/opt/app/service.jar --api-key abc"))
        .isEqualTo("java -Xmx1g -Ddb.password=*** -Dname=a -javaagent:/opt/a.jar=*** service.jar");
  }

  /** Each with what it is shown as; nothing else is hidden. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "-Djdbc=postgres://bob:P4x@db/x -Djdbc=postgres://bob:***@db/x",
        "-Da=http://a:P@b,http://c:P@x@d:80/e -Da=http://a:***@b,http://c:***@d:80/e",
        "-Dconn=Server=x;Password=P9x;User=y -Dconn=Server=x;Password=***;User=y",
        "-Dconn=Server=x;Password=P9,x;User=y -Dconn=Server=x;Password=***,;User=y",
        "-Durl2=https://h/p?token=P10x&x=1 -Durl2=https://h/p?token=***&x=1",
        "-Durl=jdbc:mysql://h/d?user=u&password=P -Durl=jdbc:mysql://h/d?user=u&password=***",
        "-Dblob=https://h/c?sv=1&sig=P -Dblob=https://h/c?sv=1&sig=***",
        "-Djwt=P -Djwt=***",
        "-Dpat=P -Dpat=***",
        "-Dgithub.pat=P -Dgithub.pat=***",
        "-Dpath=/a:/b -Dpath=/a:/b",
        "-Durl=https://author.example:8443/a?mail=x@y -Durl=https://author.example:8443/a?mail=x@y",
        "-Dhosts=a:1,b:2;c=3 -Dhosts=a:1,b:2;c=3",
        "-Dproxy=http://bob@proxy:3128/ -Dproxy=http://***@proxy:3128/",
        "-XX:StartFlightRecording=filename=a.jfr,settings=profile"
            + " -XX:StartFlightRecording=filename=a.jfr,settings=profile",
        "-Xlog:gc*:file=gc.log:time,uptime -Xlog:gc*:file=gc.log:time,uptime",
      })
  void hidesWhatMayBeSecretInAValue(String argument, String shown) {
    assertThat(CommandLine.of(argument, "")).isEqualTo("java " + shown);
  }

  @Test
  void normalizesNamesOfHiddenClasses() {
    Map<String, String> names =
        Map.of(
            "a.X$$Lambda$14+0x00007f12.1234567.run", "a.X$$Lambda.run",
            "a.X$$Lambda$.run", "a.X$$Lambda$.run",
            "a.X$$Lambda.0x00007f00.run", "a.X$$Lambda.run",
            "a.LambdaForm$DMH+0x0abc.invoke", "a.LambdaForm$DMH.invoke",
            "a.Outer$1.run", "a.Outer$1.run",
            "plain", "plain");
    NameRules rules = new NameRules();
    names.forEach(
        (name, expected) -> {
          byte[] bytes = name.getBytes(UTF_8);
          int length = rules.apply(bytes, bytes.length);
          assertThat(new String(bytes, 0, length, UTF_8)).isEqualTo(expected);
        });
  }
}
