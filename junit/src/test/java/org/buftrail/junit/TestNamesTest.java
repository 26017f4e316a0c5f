package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;

final class TestNamesTest {
  private static final String OWN = TestNamesTest.class.getName();

  @Test
  void testsAreCalledAsBuildsCallThem() throws Exception {
    ExtensionContext type = new FakeContext(TestNamesTest.class, null).get();
    assertThat(TestNames.of(type)).isEqualTo(OWN);
    ExtensionContext test = new FakeContext(TestNamesTest.class, "several").in(type).get();
    assertThat(TestNames.of(test)).isEqualTo(OWN + ".several()");
    ExtensionContext second =
        new FakeContext(TestNamesTest.class, "several").in(test).called("[2] two").get();
    assertThat(TestNames.of(second)).isEqualTo(OWN + ".several() [[2] two]");
  }

  @Test
  void aDynamicTestHasTheNameOfItsFactory() throws Exception {
    ExtensionContext factory = new FakeContext(TestNamesTest.class, "several").get();
    ExtensionContext container = new FakeContext(null, null).in(factory).called("all").get();
    ExtensionContext test = new FakeContext(null, null).in(container).called("first").get();
    assertThat(TestNames.of(test)).isEqualTo(OWN + ".several() [all] [first]");
    assertThat(TestNames.of(new FakeContext(null, null).called("alone").get()))
        .isEqualTo(" [alone]");
  }

  /** Stands for a test that is run several times. */
  void several() {}
}
