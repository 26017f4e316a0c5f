package org.buftrail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SourceOptionTest {
  @TempDir private Path directory = Path.of("");

  private String flows() throws IOException {
    String text =
        """
        {"format":"buftrail.flows","version":1,"takenAt":"2026-01-31T12:00:00Z","sampling":1,
         "totals":{"allocated":1,"overflowed":0,"suppressedErrors":0},
         "paths":[{"hops":["A.a"],"refs":["1"],"sites":[{"class":"com.example.A","method":"a"}],
           "direct":true,"released":0,"leaked":1,"live":0,
           "releasedBytes":0,"leakedBytes":9,"liveBytes":0}]}
        """;
    return Files.writeString(directory.resolve("flows.json"), text).toString();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://git.example/orders/blob/main/src/main/java/{path}#L{line}",
        "http://localhost:8080/{path}",
        "idea://open?file=/home/me/orders/{path}&line={line}",
        "vscode://file/home/me/orders/{path}:{line}"
      })
  void bothPagesHaveTheAddress(String address) throws Exception {
    Path page = directory.resolve("page.html");
    String recording = Recordings.make(directory).toString();
    for (String command : new String[] {"report", "convert"}) {
      for (String input : new String[] {flows(), recording}) {
        Run run = Run.of(command, input, "-o", page.toString(), "--source", address);
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(Files.readString(page)).contains("\"source\":\"" + address);
        // Flows stay a page of flows.
        String kind = input.endsWith(".json") ? "flows" : "profiles";
        assertThat(Files.readString(page)).contains("\"kind\":\"" + kind + "\"");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "javascript:alert(1)//{path} | is no address that begins with http://",
        "data:text/html,{path} | is no address",
        "file:///{path} | is no address",
        "https://git.example/{path}\"onclick= | is no address",
        "https://git.example/<script>{path} | is no address",
        "https://git.example/main | has no {path}",
        "https://git.example/{path}#{column} | has braces beside those of {path} and {line}",
        "https://{path} | has no host before {path}",
        "https://{path}/x | has no host before {path}",
        "HTTPS://git.example/{path} | is no address"
      })
  void whatIsNoAddressIsRefusedInOneLine(String address, String why) throws IOException {
    Path page = directory.resolve("page.html");
    Run run = Run.of("report", flows(), "-o", page.toString(), "--source", address.trim());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errLines().get(0))
        .startsWith("buftrail: --source: \"" + address.trim())
        .contains(why);
    assertThat(page).doesNotExist();
  }

  @Test
  void onlyPagesHaveLinks() throws IOException {
    Path text = directory.resolve("flows.txt");
    Run run =
        Run.of("report", flows(), "-o", text.toString(), "--source", "https://git.example/{path}");
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errLines().get(0)).contains("--source is for pages, not for text");
  }
}
