package org.buftrail.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.otlp.check.Conformance;
import org.buftrail.profile.otlp.write.OtlpWriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmc.common.item.IItemIterable;
import org.openjdk.jmc.flightrecorder.CouldNotLoadRecordingException;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;

/**
 * Metadata is the law: the same in other words gives the same profiles, and where it describes what
 * is not there, conversion ends in what other readers read, in named damage, or in one clear line.
 *
 * <p>{@code -Dmutations=NUMBER} says how many there are, {@code -Dmutations.seed=NUMBER} begins
 * with others.
 */
final class MetadataMutationTest {
  private static final List<String> NAMES =
      List.of("jdk-50-10-100", "dd-50-10-100", "jdk21", "jdk11", "async-profiler");
  private static final int MUTATIONS = Integer.getInteger("mutations", 60);
  private static final long FIRST = Long.getLong("mutations.seed", 0);

  @TempDir private Path directory;
  private Path changed = Path.of("");
  private final List<String> differing = new ArrayList<>();
  private final List<byte[]> seeds = new ArrayList<>();
  private final List<Map<String, Map<String, Long>>> sums = new ArrayList<>();

  @BeforeEach
  void read() throws IOException {
    changed = directory.resolve("changed.jfr");
    for (String name : NAMES) {
      add(Recordings.unpack(name, directory));
    }
    Path byMissionControl = directory.resolve("jmc.jfr");
    JmcWriterTest.write(byMissionControl);
    add(byMissionControl);
  }

  private void add(Path file) throws IOException {
    seeds.add(Files.readAllBytes(file));
    sums.add(sums(new Converter(Options.DEFAULT).convert(List.of(file)).profiles()));
  }

  /** The values of each profile by thread and frames. */
  private static Map<String, Map<String, Long>> sums(Profiles profiles) {
    Map<String, Map<String, Long>> sums = new TreeMap<>();
    for (Profile profile : profiles.profiles()) {
      String type = profile.sampleType().type();
      sums.put(profile.name() + " " + type, Flattened.of(profiles, profile.name(), type));
    }
    return sums;
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void theSameInOtherWordsIsTheSame() throws IOException {
    for (long seed = FIRST; seed < FIRST + MUTATIONS; seed++) {
      int which = Math.floorMod(seed, seeds.size());
      Files.write(changed, new MetadataMutator(seed).reworded(seeds.get(which)));
      Conversion conversion = new Converter(Options.DEFAULT).convert(List.of(changed));
      assertThat(conversion.damages()).as("seed %s", seed).isEmpty();
      assertThat(sums(conversion.profiles())).as("seed %s", seed).isEqualTo(sums.get(which));
    }
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void whatIsDescribedWronglyIsReadSoOrNamed() throws IOException {
    int compared = 0;
    for (long seed = FIRST; seed < FIRST + MUTATIONS; seed++) {
      int which = Math.floorMod(seed, seeds.size());
      Files.write(changed, new MetadataMutator(seed).wrong(seeds.get(which)));
      Conversion conversion;
      try {
        conversion = new Converter(Options.DEFAULT).convert(List.of(changed));
      } catch (RecordingException e) {
        assertThat(e.getMessage()).startsWith(changed + ": ").doesNotContain("\n");
        continue;
      }
      Profiles profiles = conversion.profiles();
      if (!profiles.profiles().isEmpty()) {
        byte[] written = new OtlpWriter().toByteArray(profiles);
        assertThat(Conformance.check(new ByteArrayInputStream(written)).isConformant()).isTrue();
      }
      if (conversion.damages().isEmpty()) {
        compared += compare(seed, profiles) ? 1 : 0;
      }
    }
    assertThat(differing).isEmpty();
    assertThat(compared).isGreaterThan(MUTATIONS / 20);
  }

  /**
   * Compares with the JDK's reader, and only where Mission Control's, if it reads at all, sees as
   * many events.
   */
  private boolean compare(long seed, Profiles profiles) throws IOException {
    List<RecordedEvent> events = byJdk();
    if (events == null) {
      return false;
    }
    Map<String, Long> counts = byMissionControl();
    Map<String, Long> theirs = new TreeMap<>();
    events.forEach(event -> theirs.merge(event.getEventType().getName(), 1L, Long::sum));
    for (String name : JdkSums.names()) {
      boolean agreed =
          counts == null
              || JdkSums.sources(name).stream()
                  .allMatch(s -> Objects.equals(counts.get(s.event()), theirs.get(s.event())));
      if (agreed) {
        compare(seed, name, events, profiles);
      }
    }
    return true;
  }

  private void compare(long seed, String name, List<RecordedEvent> events, Profiles profiles) {
    long expected;
    try {
      expected = JdkSums.of(events, name).values().stream().mapToLong(Long::longValue).sum();
    } catch (RuntimeException notOfThisType) {
      return;
    }
    long found = 0;
    for (Profile profile : profiles.profiles()) {
      if (name.equals(profile.name() + " " + profile.sampleType().type())) {
        for (int i = 0; i < profile.samples().size(); i++) {
          found += profile.value(i);
        }
      }
    }
    if (found != expected) {
      differing.add("seed " + seed + ", " + name + ": " + found + " instead of " + expected);
    }
  }

  private @Nullable List<RecordedEvent> byJdk() throws IOException {
    try {
      return RecordingFile.readAllEvents(changed);
    } catch (IOException | RuntimeException | Error e) {
      return null;
    }
  }

  private @Nullable Map<String, Long> byMissionControl() {
    Map<String, Long> counts = new TreeMap<>();
    try {
      for (IItemIterable items : JfrLoaderToolkit.loadEvents(changed.toFile())) {
        counts.merge(items.getType().getIdentifier(), items.getItemCount(), Long::sum);
      }
      return counts;
    } catch (IOException | CouldNotLoadRecordingException | RuntimeException e) {
      return null;
    }
  }
}
