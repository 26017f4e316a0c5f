package org.buftrail.profile.output;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProfileFormatTest {
  @ParameterizedTest
  @CsvSource({
    "a.otlp, otlp",
    "a.OTLP, otlp",
    "a.json, json",
    "a.otlp.json, otlp-json",
    "a.speedscope.json, speedscope",
    "a.pb.gz, pprof",
    "a.pprof, pprof",
    "a.folded, collapsed",
    "a.htm, html",
    "a.txt, text",
    "a.mmd, mermaid",
  })
  void theLongestEndingSaysTheFormat(String name, String format) {
    assertThat(ProfileFormat.ofFile(name)).get().hasToString(format);
    assertThat(ProfileFormat.ofFile(name).orElseThrow().split(name)[0]).isEqualTo("a");
  }

  @Test
  void otherEndingsSayNothing() {
    assertThat(ProfileFormat.ofFile("a.tiff")).isEmpty();
    assertThat(ProfileFormat.ofFile("otlp")).isEmpty();
    assertThat(ProfileFormat.ofFile("a.gz")).isEmpty();
  }
}
