package org.buftrail.junit;

import java.lang.instrument.Instrumentation;
import org.buftrail.boot.AgentBoot;
import org.jspecify.annotations.Nullable;

/** What {@code -javaagent} starts of this jar: the agent, with options that fit a run of tests. */
public final class AgentForTests {
  private AgentForTests() {}

  /** Called by the JVM. */
  public static void premain(@Nullable String options, Instrumentation instrumentation) {
    if (TestSettings.mode() == TestSettings.Mode.OFF) {
      return;
    }
    String given = options == null || options.isEmpty() ? TestSettings.agentOptions() : options;
    AgentBoot.start(given, instrumentation);
  }
}
