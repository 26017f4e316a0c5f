package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

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
                + " buftrail.test.grace, buftrail.test.report, buftrail.test.agent",
            "environment variable 'BUFTRAIL_TESTS' has no effect; there are BUFTRAIL_TEST,"
                + " BUFTRAIL_TEST_GRACE, BUFTRAIL_TEST_REPORT, BUFTRAIL_TEST_AGENT");
  }
}
