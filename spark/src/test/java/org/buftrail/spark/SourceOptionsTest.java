package org.buftrail.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SourceOptionsTest {
  @TempDir private Path directory;

  @BeforeEach
  void write() throws IOException {
    for (String name : List.of("a1.jfr", "a2.jfr", "b1.jfr", "below/a3.jfr")) {
      Path file = directory.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "");
    }
    time("a1.jfr", "2026-11-20T10:00:00Z");
    time("a2.jfr", "2026-11-20T11:00:00Z");
    time("b1.jfr", "2026-11-20T12:00:00Z");
    time("below/a3.jfr", "2026-11-20T13:00:00Z");
  }

  private void time(String name, String time) throws IOException {
    Files.setLastModifiedTime(directory.resolve(name), FileTime.from(Instant.parse(time)));
  }

  private static SourceOptions options(String... namesAndValues) {
    Map<String, String> all = new TreeMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      all.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return SourceOptions.of(new CaseInsensitiveStringMap(all), "UTC");
  }

  private List<String> found(String... namesAndValues) throws IOException {
    String[] all = new String[namesAndValues.length + 2];
    System.arraycopy(namesAndValues, 0, all, 2, namesAndValues.length);
    all[0] = "path";
    all[1] = directory.toString();
    return new RecordingPaths(new Configuration())
        .of(options(all)).stream().map(found -> found.file().getPath().getName()).toList();
  }

  @Test
  void sparksOwnOptionsSayWhichFilesAreRead() throws IOException {
    assertThat(found()).containsExactly("a1.jfr", "a2.jfr", "b1.jfr", "a3.jfr");
    assertThat(found("pathGlobFilter", "a*")).containsExactly("a1.jfr", "a2.jfr", "a3.jfr");
    assertThat(found("PATHGLOBFILTER", "{a2,b1}.jfr")).containsExactly("a2.jfr", "b1.jfr");
    assertThat(found("recursiveFileLookup", "false")).containsExactly("a1.jfr", "a2.jfr", "b1.jfr");
    assertThat(found("modifiedAfter", "2026-11-20T11:00:00")).containsExactly("b1.jfr", "a3.jfr");
    assertThat(found("modifiedBefore", "2026-11-20T11:00:00")).containsExactly("a1.jfr");
    assertThat(found("modifiedBefore", "2026-11-20T11:00:00", "timeZone", "America/New_York"))
        .containsExactly("a1.jfr", "a2.jfr", "b1.jfr", "a3.jfr");
    assertThat(found("pathGlobFilter", "none*")).isEmpty();
  }

  @Test
  void filesThatAreNamedAreFilteredToo() throws IOException {
    String named = directory.resolve("b1.jfr").toString();
    assertThat(
            new RecordingPaths(new Configuration())
                .of(options("path", named, "pathGlobFilter", "a*")))
        .isEmpty();
  }

  @Test
  void sizesHaveUnits() {
    assertThat(options().splitBytes()).isEqualTo(128 << 20);
    assertThat(options("splitBytes", "8m").splitBytes()).isEqualTo(8 << 20);
    assertThat(options("splitbytes", "1000").splitBytes()).isEqualTo(1000);
  }

  @Test
  void whatIsWrongOrUnknownIsRefusedByName() {
    refused(
        "splitbites", "8m", "option splitbites: format jfr has none of this name; it has table");
    refused("splitBytes", "much", "option splitBytes: \"much\" is no size");
    refused("splitBytes", "0", "option splitBytes: 0 is not above 0");
    refused("modifiedAfter", "yesterday", "option modifiedAfter: \"yesterday\" is no time like");
    refused("recursiveFileLookup", "maybe", "option recursiveFileLookup: \"maybe\" is neither");
    refused("pathGlobFilter", "[a", "option pathGlobFilter: \"[a\" is no glob");
    refused("mode", "STRICT", "option mode: \"STRICT\" is none of");
    assertThat(options("fs.s3a.endpoint", "http://localhost").paths()).isEmpty();
  }

  private static void refused(String name, String value, String message) {
    assertThatThrownBy(() -> options(name, value))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
