package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TestSettingsTest {
  @Test
  void aSlipIsNamedWithWhatThereIs() {
    Set<String> properties =
        Set.of("buftrail.test", "buftrail.test.agent", "buftrail.test.grase", "buftrail.sampel");
    Set<String> variables = Set.of("BUFTRAIL_TEST_REPORT", "BUFTRAIL_TESTS", "BUFTRAIL_SAMPEL");
    assertThat(TestSettings.mistaken(properties, variables))
        .containsExactly(
            "system property 'buftrail.test.grase' has no effect; there are buftrail.test,"
                + " buftrail.test.grace, buftrail.test.misuses, buftrail.test.strict,"
                + " buftrail.test.allowedUntil, buftrail.test.run, buftrail.test.knownLeaks,"
                + " buftrail.test.writeKnownLeaks, buftrail.test.report, buftrail.test.agent",
            "environment variable 'BUFTRAIL_TESTS' has no effect; there are BUFTRAIL_TEST,"
                + " BUFTRAIL_TEST_GRACE, BUFTRAIL_TEST_MISUSES, BUFTRAIL_TEST_STRICT,"
                + " BUFTRAIL_TEST_ALLOWEDUNTIL, BUFTRAIL_TEST_RUN, BUFTRAIL_TEST_KNOWNLEAKS,"
                + " BUFTRAIL_TEST_WRITEKNOWNLEAKS, BUFTRAIL_TEST_REPORT, BUFTRAIL_TEST_AGENT");
  }

  @Test
  void aRunMaySetEachRule() {
    Map<String, String> parameters =
        Map.of(
            "buftrail.test.misuses", "false",
            "buftrail.test.strict", "true",
            "buftrail.test.allowedUntil", "class",
            "buftrail.test.grace", "7");
    Rules rules = TestSettings.rules(parameters::get);
    assertThat(rules.misuses).isFalse();
    assertThat(rules.strict).isTrue();
    assertThat(rules.allowedUntil).isEqualTo(Until.CLASS);
    assertThat(rules.grace).isEqualTo(7);
    Rules without = TestSettings.rules(name -> null);
    assertThat(without.misuses).isTrue();
    assertThat(without.strict).isFalse();
    assertThat(without.allowedUntil).isEqualTo(Until.TEST);
    assertThat(without.grace).isEqualTo(1_000);
  }

  @Test
  void nobodyWaitsForLessThanNoTime() {
    assertThat(TestSettings.rules(Map.of("buftrail.test.grace", "0")::get).grace).isZero();
    assertThat(TestSettings.rules(Map.of("buftrail.test.grace", "-3")::get).grace).isZero();
  }

  @Test
  void whatARuleCannotBeIsRefused() {
    for (String wrong : List.of("misuses=yes", "strict=1", "allowedUntil=never", "grace=long")) {
      String name = "buftrail.test." + wrong.substring(0, wrong.indexOf('='));
      String value = wrong.substring(wrong.indexOf('=') + 1);
      assertThatThrownBy(() -> TestSettings.rules(asked -> asked.equals(name) ? value : null))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith(name + "=" + value + ": it is ");
    }
  }
}
