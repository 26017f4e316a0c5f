package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

final class BufferLeakRuleTest {
  @Test
  void testsAreNamedAsThoseOfOtherFrameworks() {
    assertThat(BufferLeakRule.name("com.acme.FooTest", "bar")).isEqualTo("com.acme.FooTest.bar()");
    assertThat(BufferLeakRule.name("com.acme.FooTest", "bar[2: x]"))
        .isEqualTo("com.acme.FooTest.bar() [2: x]");
  }

  /** Switched off, as in the tests of this module. */
  @Test
  void withoutAnAgentATestRunsAsItIs() throws Throwable {
    List<String> done = new ArrayList<>();
    Statement test =
        new Statement() {
          @Override
          public void evaluate() {
            done.add("run");
          }
        };
    new BufferLeakRule()
        .apply(test, Description.createTestDescription(BufferLeakRuleTest.class, "bar"))
        .evaluate();
    assertThat(done).containsExactly("run");
  }
}
