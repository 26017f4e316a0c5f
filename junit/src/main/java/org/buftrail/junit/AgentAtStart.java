package org.buftrail.junit;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/** Has the agent there before the first class of a test, and the report written after the last. */
public final class AgentAtStart implements LauncherSessionListener {
  /** For the service loader. */
  public AgentAtStart() {}

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    TestAgent.run();
  }

  @Override
  public void launcherSessionClosed(LauncherSession session) {
    TestAgent.report();
  }
}
