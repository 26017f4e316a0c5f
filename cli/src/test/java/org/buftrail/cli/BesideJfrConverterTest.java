package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.InputStream;
import java.lang.constant.ClassDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import one.convert.Arguments;
import one.convert.JfrToFlame;
import org.buftrail.jfr.Conversion;
import org.buftrail.jfr.Converter;
import org.buftrail.jfr.Options;
import org.buftrail.jfr.RecordingException;
import org.buftrail.profile.Profile;
import org.buftrail.profile.Profiles;
import org.buftrail.profile.Samples;
import org.buftrail.profile.dictionary.Dictionary;
import org.buftrail.profile.dictionary.FrameNames;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Beside jfr-converter: the same sums by kind, stack and class, in the repository's recordings and
 * in those below {@code -Drecordings=FOLDER}. {@code target/jfr-converter.txt} has a line for each
 * that was compared. These differences are known, and no other passes:
 *
 * <table>
 * <caption>Why sums differ</caption>
 * <tr><th>here<th>there<th>which is right by the JDK's reader
 * <tr><td>An event without a stack counts.<td>It does not.<td>Here.
 * <tr><td>A stack, method or name that its chunk lacks is missing, which a note says.<td>It is
 *     looked for in the chunks before.<td>Here. What is found there may be true all the same.
 * <tr><td>Each delay is rounded to a nanosecond.<td>Their sum is.<td>Here.
 * <tr><td>A recording is read.<td>Some end it with an error.<td>Here; ForeignRecordingsTest compares
 *     these too.
 * </table>
 */
final class BesideJfrConverterTest {
  private static final Path OWN = Path.of("../jfr/src/test/resources/recordings");
  private static final String MISSING = "not in the recording";
  private static final List<String> REPORT = new ArrayList<>();

  /** What is the same: options there, profiles here. */
  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private enum Same {
    TIME("--cpu --wall", "cpu samples", "wall samples", "native samples"),
    CPU_TIME("--cpu-time", "cpu_time cpu"),
    ALLOCATIONS("--alloc", "alloc allocated_space", "alloc_sampled allocated_space"),
    LOCKS("--lock", "lock_enter delay", "lock_park delay"),
    LIVE("--live", "live inuse_space"),
    NATIVE_MEMORY("--nativemem", "nativemem malloc_space"),
    NATIVE_LOCKS("--nativelock", "lock_native delay");

    private final List<String> passes;
    private final List<String> profiles;

    Same(String passes, String... profiles) {
      this.passes = List.of(passes.split(" ", -1));
      this.profiles = List.of(profiles);
    }
  }

  @TempDir private Path directory;

  static List<Path> recordings() throws IOException {
    List<Path> found = new ArrayList<>();
    for (String folder : List.of(OWN.toString(), System.getProperty("recordings", ""))) {
      if (!folder.isEmpty()) {
        try (Stream<Path> files = Files.walk(Path.of(folder))) {
          files.filter(f -> f.toString().matches(".*\\.jfr(\\.gz)?")).sorted().forEach(found::add);
        }
      }
    }
    return found;
  }

  @AfterAll
  static void report() throws IOException {
    Files.write(Path.of("target/jfr-converter.txt"), REPORT);
  }

  /** Sums by stack, root first, and class. */
  private Map<String, Long> theirs(Path recording, Same same) throws IOException {
    Map<String, Long> sums = new TreeMap<>();
    for (String pass : same.passes) {
      Path out = directory.resolve("theirs.collapsed");
      String[] arguments = {"--total", "-o", "collapsed", pass};
      JfrToFlame.convert(recording.toString(), out.toString(), new Arguments(arguments));
      for (String line : Files.readAllLines(out)) {
        int blank = line.lastIndexOf(' ');
        String stack = line.substring(0, blank).replaceAll("_\\[[0-9a-z]]", "");
        sums.merge(alike(stack), Long.parseLong(line.substring(blank + 1)), Long::sum);
      }
    }
    return sums;
  }

  /** What separates frames, and packages, is no difference. */
  private static String alike(String stack) {
    return stack.replace('/', '.').replace(':', ';');
  }

  /** Like the above, for our converter. */
  private static final class Ours {
    final Map<String, Long> sums = new TreeMap<>();

    /** How many events each sum is of, for those that are rounded. */
    final Map<String, Long> waits = new TreeMap<>();

    /** Stacks without frames, or with frames of which no name is known. */
    final Set<String> incomplete = new HashSet<>();

    Ours(Profiles profiles, Same same) {
      Dictionary dictionary = profiles.dictionary();
      for (Profile profile : profiles.profiles()) {
        if (same.profiles.contains(profile.name() + " " + profile.sampleType().type())) {
          Samples samples = profile.samples();
          for (int i = 0; i < samples.size(); i++) {
            String key = key(dictionary, samples, i);
            boolean isCounted = same == Same.CPU_TIME;
            sums.merge(
                key, isCounted ? samples.observations().count(i) : profile.value(i), Long::sum);
            if (profile.sampleType().type().equals("delay")) {
              waits.merge(key, samples.sum(i, 0), Long::sum);
            }
            if (dictionary.stacks().depth(samples.stack(i)) == 0 || key.contains("[unknown]")) {
              incomplete.add(key);
            }
          }
        }
      }
      sums.values().removeIf(sum -> sum == 0);
    }

    private static String key(Dictionary dictionary, Samples samples, int sample) {
      List<String> parts = new ArrayList<>();
      FrameNames names = new FrameNames(dictionary);
      int stack = samples.stack(sample);
      for (int k = dictionary.stacks().depth(stack) - 1; k >= 0; k--) {
        parts.add(names.function(dictionary.stacks().location(stack, k), 0));
      }
      int set = samples.attributeSet(sample);
      for (int k = 0; k < dictionary.attributeSets().length(set); k++) {
        int attribute = dictionary.attributeSets().attribute(set, k);
        String name = dictionary.strings().get(dictionary.attributes().key(attribute));
        if (name.equals("jvm.class.name") || name.equals("jvm.lock.class.name")) {
          parts.add(inWords(dictionary.attributes().text(attribute)));
        }
      }
      return alike(String.join(";", parts));
    }

    /** {@code byte[]} for {@code [B}. */
    private static String inWords(String type) {
      int depth = type.lastIndexOf('[') + 1;
      if (depth == 0) {
        return type;
      }
      String element = type.substring(depth).replace('.', '/');
      return (element.length() == 1
              ? ClassDesc.ofDescriptor(element).displayName()
              : element.substring(1, element.length() - 1))
          + "[]".repeat(depth);
    }
  }

  @ParameterizedTest
  @MethodSource("recordings")
  void sumsAreThoseOfJfrConverter(Path packed) throws IOException {
    boolean isOwn = packed.startsWith(OWN);
    Conversion conversion;
    try {
      conversion = new Converter(Options.DEFAULT.timestamps(true)).convert(List.of(packed));
    } catch (RecordingException e) {
      assertThat(isOwn).as(e.getMessage()).isFalse();
      abort("no recording to compare: " + e.getMessage());
      return;
    }
    Path recording = directory.resolve("plain.jfr");
    try (InputStream in = Files.newInputStream(packed)) {
      Files.copy(packed.toString().endsWith(".gz") ? new GZIPInputStream(in) : in, recording);
    }
    // The repository's need nothing of a chunk before.
    boolean isMissing =
        !isOwn && conversion.notes().stream().anyMatch(note -> note.contains(MISSING));
    for (Same same : Same.values()) {
      String what = packed.getFileName() + " " + same + ": ";
      Map<String, Long> theirs;
      try {
        theirs = theirs(recording, same);
      } catch (IOException | RuntimeException e) {
        assertThat(isOwn).as(what + e).isFalse();
        REPORT.add(what + "jfr-converter gives up: " + e.getMessage());
        continue;
      }
      Ours ours = new Ours(conversion.profiles(), same);
      if (!theirs.isEmpty() || !ours.sums.isEmpty()) {
        REPORT.add(what + compare(what, theirs, ours, isMissing));
      }
    }
  }

  private static String compare(
      String what, Map<String, Long> theirs, Ours ours, boolean isMissing) {
    long incomplete = 0;
    long fromEarlierChunks = 0;
    long rounded = 0;
    Set<String> stacks = new HashSet<>(theirs.keySet());
    stacks.addAll(ours.sums.keySet());
    for (String stack : stacks) {
      long more = ours.sums.getOrDefault(stack, 0L) - theirs.getOrDefault(stack, 0L);
      if (ours.incomplete.contains(stack) && more >= 0) {
        incomplete += more;
      } else if (Math.abs(more) <= ours.waits.getOrDefault(stack, 0L)) {
        rounded += Math.abs(more);
      } else {
        assertThat(more).as(what + stack).isNotPositive();
        fromEarlierChunks -= more;
      }
    }
    if (fromEarlierChunks > 0) {
      assertThat(isMissing).as(what + fromEarlierChunks + " more there").isTrue();
      assertThat(incomplete).as(what).isGreaterThanOrEqualTo(fromEarlierChunks);
    }
    long alone = incomplete - fromEarlierChunks;
    return theirs.size()
        + " stacks"
        + (alone == 0 ? "" : ", here alone " + alone + " without a stack")
        + (fromEarlierChunks == 0 ? "" : ", there " + fromEarlierChunks + " by chunks before")
        + (rounded == 0 ? "" : ", " + rounded + " ns rounded");
  }
}
