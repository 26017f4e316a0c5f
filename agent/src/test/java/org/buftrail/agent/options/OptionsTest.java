package org.buftrail.agent.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.buftrail.agent.weave.selection.ClassPattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OptionsTest {
  @TempDir private Path directory;

  private String config(String text) throws IOException {
    Path file = directory.resolve("app.conf");
    Files.writeString(file, text);
    return "config=" + file;
  }

  private static Options parse(String argument) {
    return Options.parse(argument, new Properties(), Map.of());
  }

  @Test
  void aFileHoldsOptionsCommentsAndEmptyLines() throws IOException {
    Options options =
        parse(
            config("# ours\n\n include = com.example.app \nsample=10\n  # a remark\nevery=10m\n"));
    assertThat(options.include).hasToString("com.example.app");
    assertThat(options.sample).isEqualTo(10);
    assertThat(options.services.everyMillis).isEqualTo(600_000);
  }

  @Test
  void aCommaBeforeAnOptionSeparatesAsASemicolonDoes() {
    Options options =
        parse(
            "include=com.example,org.example,sample=10,"
                + "resource=java.io.File:open=new,close=close, every=10m;maxDepth=20");
    assertThat(options.include).hasToString("com.example,org.example");
    assertThat(options.sample).isEqualTo(10);
    assertThat(options.resources).extracting(ResourceOption::name).containsExactly("java.io.File");
    assertThat(options.services.everyMillis).isEqualTo(600_000);
    assertThat(options.maxDepth).isEqualTo(20);
    assertThat(options.written(options.services))
        .isEqualTo(
            "include=com.example,org.example;sample=10;"
                + "resource=java.io.File:open=new,close=close;maxDepth=20;every=10m");
  }

  @Test
  void whatOthersCouldGetInWithIsNotShown() {
    Properties properties = new Properties();
    properties.setProperty("buftrail.httpToken", "0123456789abcdef;ghijkl");
    properties.setProperty("buftrail.otlp", "http://c:4318/in?sig=a;b");
    Options options = Options.parse("http=9090;sample=8", properties, Map.of());
    assertThat(options.written(options.services))
        .isEqualTo("sample=8;http=9090;httpToken=…;otlp=http://c:4318/in?…");
  }

  @Test
  void whatIsShownNamesTheServicesThatRun() {
    Options first = parse("sample=8;http=9090");
    Options later = parse("jmx=false;include=com.example;http=9091");
    assertThat(later.written(first.services)).isEqualTo("include=com.example;http=9090");
  }

  @Test
  void withoutIncludeTheApplicationIsMeantAndNoneIsNothing() {
    assertThat(parse("sample=10").include).isNull();
    assertThat(parse("include=").include).isNull();
    assertThat(parse("include=none").include).isEqualTo(ClassPattern.NONE);
  }

  @Test
  void theArgumentComesFirstThenPropertiesThenTheEnvironmentThenTheFile() throws IOException {
    Properties properties = new Properties();
    properties.setProperty("buftrail.sample", "2");
    properties.setProperty("buftrail.maxDepth", "22");
    Map<String, String> environment =
        Map.of(
            "BUFTRAIL_SAMPLE", "3",
            "BUFTRAIL_MAX_DEPTH", "33",
            "BUFTRAIL_MAX_NODES", "333",
            "BUFTRAIL_CONFIG",
                config("sample=4\nmaxDepth=44\nmaxNodes=444\nmaxChildren=4444").substring(7));
    Options options = Options.parse("sample=1", properties, environment);
    assertThat(options.sample).isEqualTo(1);
    assertThat(options.maxDepth).isEqualTo(22);
    assertThat(options.maxNodes).isEqualTo(333);
    assertThat(options.maxChildren).isEqualTo(4444);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "inclde=a|app.conf:3: unknown option 'inclde' (did you mean 'include'?)",
        "include=a b|app.conf:3: option 'include': 'a b' is not a package or class name",
        "sample=some|app.conf:3: option 'sample' is 'some': it must be a number from 1 to",
        "include|app.conf:3: option 'include' has no value: write include=...",
        "jmx=true|app.conf:3: option 'jmx' is given twice",
        "every=5ms|app.conf:3: option 'every' is '5ms': it must be 1s or more",
        "http=eighty|app.conf:3: option 'http' is 'eighty': it must be PORT or HOST:PORT",
        "otlp=collector|app.conf:3: option 'otlp' is 'collector': it must be a URL",
        "config=more.conf|app.conf:3: option 'config' cannot name a further file",
      })
  void whatIsWrongInTheFileIsOneLineWithItsPlace(String line, String message) throws IOException {
    String argument = config("# first\njmx=false\n" + line + "\n");
    assertThatThrownBy(() -> parse(argument))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message)
        .hasMessageNotContaining("\n");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    Path file = directory.resolve("none.conf");
    assertThatThrownBy(() -> parse("config=" + file))
        .hasMessage("option 'config': there is no file " + file);
  }

  @Test
  void aMarkBeforeTheFirstOptionIsPassedOver() throws IOException {
    assertThat(parse(config("\uFEFFsample=7\n")).sample).isEqualTo(7);
  }

  @Test
  void aFileInAnotherEncodingIsOneLine() throws IOException {
    Path file = directory.resolve("latin.conf");
    for (Charset other : List.of(StandardCharsets.ISO_8859_1, StandardCharsets.UTF_16)) {
      Files.write(file, "# caf\u00E9\nsample=7\n".getBytes(other));
      assertThatThrownBy(() -> parse("config=" + file))
          .hasMessage(
              ("option 'config': " + file + " cannot be read: it is not in UTF-8;")
                  + " save it with this encoding");
    }
  }

  @Test
  void carriersAreAClassAndAField() {
    assertThat(parse("carrier=com.example.Crate.body,com.example.Out$In.buf,sample=3").carriers)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("com/example/Crate", "body", "com/example/Out$In", "buf"));
    assertThatThrownBy(() -> parse("carrier=body"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'body' is not of the form com.example.Message.body");
  }

  @Test
  void aLibraryThatIsNotKnownIsNamed() {
    assertThat(parse("libraries=arrow").libraries).containsExactly("arrow");
    assertThatThrownBy(() -> parse("libraries=arrow,hazelcast"))
        .hasMessageContaining("libraries")
        .hasMessageContaining("'hazelcast' is no library that is known but Netty; write arrow");
  }
}
