package org.buftrail.jfr.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.buftrail.profile.ValueType;
import org.junit.jupiter.api.Test;

/**
 * The table of event kinds in docs/converting.md is what the code does. After a change, {@code
 * -Dbuftrail.docs=update} writes it anew.
 */
final class EventKindTableTest {
  private static final Path PAGE = Path.of("../docs/converting.md");
  private static final String BEGIN =
      "<!-- event kinds: made from the code by EventKindTableTest -->\n";
  private static final String END = "<!-- end of event kinds -->\n";

  private static String table() {
    Map<ProfileType, List<String>> events = new LinkedHashMap<>();
    for (EventKind kind : Kinds.all()) {
      for (EventKind.Target target : kind.targets()) {
        add(events, target.profile(), kind.event());
      }
      ProfileType offCpu = kind.offCpu();
      if (offCpu != null) {
        add(events, offCpu, kind.event() + "` of async-profiler, by state");
      }
      ProfileType live = kind.live();
      if (live != null) {
        add(events, live, kind.event());
      }
    }
    StringBuilder text = new StringBuilder();
    text.append("| option | profile | values | period | events |\n|---|---|---|---|---|\n");
    events.forEach((type, names) -> text.append(row(type, names)));
    return text.toString();
  }

  private static void add(Map<ProfileType, List<String>> events, ProfileType type, String event) {
    events
        .computeIfAbsent(type, t -> new ArrayList<>())
        .add("`" + event + (event.contains("`") ? "" : "`"));
  }

  private static String row(ProfileType type, List<String> names) {
    ValueType second = type.second();
    return "| `--"
        + type.kind().option()
        + "` | "
        + type.name()
        + " | "
        + type.first()
        + (second == null ? "" : ", " + second)
        + " | "
        + type.periodType()
        + " "
        + type.period()
        + " | "
        + String.join(", ", names)
        + " |\n";
  }

  private static Set<ProfileType> types() {
    Set<ProfileType> types = new LinkedHashSet<>();
    for (EventKind kind : Kinds.all()) {
      kind.targets().forEach(target -> types.add(target.profile()));
      Stream.of(kind.offCpu(), kind.live()).filter(Objects::nonNull).forEach(types::add);
    }
    return types;
  }

  /** Pyroscope names a series by these four, and adds up what has the same name. */
  @Test
  void noTwoProfilesLookTheSameToAReceiver() {
    List<String> seen = new ArrayList<>();
    for (ProfileType type : types()) {
      if (type.first().unit().equals("count") && type.periodType().unit().equals("nanoseconds")) {
        // The time of its samples, which OTLP and pprof have beside them.
        seen.add(type.periodType() + " per " + type.periodType());
      }
      seen.add(type.first() + " per " + type.periodType());
      ValueType second = type.second();
      if (second != null) {
        seen.add(second + " per " + type.periodType());
      }
    }
    assertThat(seen).hasSizeGreaterThan(40).doesNotHaveDuplicates();
  }

  @Test
  void thePageIsWhatTheCodeDoes() throws IOException {
    String page = Files.readString(PAGE);
    int begin = page.indexOf(BEGIN) + BEGIN.length();
    int end = page.indexOf(END);
    assertThat(end).as("markers in " + PAGE).isGreaterThanOrEqualTo(begin);
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      Files.writeString(PAGE, page.substring(0, begin) + table() + page.substring(end));
      return;
    }
    assertThat(page.substring(begin, end)).as("-Dbuftrail.docs=update mends it").isEqualTo(table());
  }
}
