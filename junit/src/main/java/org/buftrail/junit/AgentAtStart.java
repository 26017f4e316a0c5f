package org.buftrail.junit;

import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Has the agent there before the first class of a test, and the report written after the last.
 *
 * <p>No test stands for the run of JUnit 4, so to fail it the end of the session throws. JUnit then
 * calls no further listener of the session and closes nothing of what that has stored; so this is
 * done last, and where it was asked for only.
 */
public final class AgentAtStart implements LauncherSessionListener {
  /** For the service loader. */
  public AgentAtStart() {}

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    if (!isOnlyLookingForTests()) {
      TestAgent.beginSession();
    }
  }

  /** Surefire does so in Maven's own JVM, where no test runs, when each class has a fork. */
  private static boolean isOnlyLookingForTests() {
    for (StackTraceElement frame : new Throwable().getStackTrace()) {
      if (frame.getClassName().startsWith("org.apache.maven.surefire.")
          && frame.getMethodName().equals("getSuites")) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void launcherSessionClosed(LauncherSession session) {
    TestAgent.report();
    TestAgent.failRun();
  }
}
