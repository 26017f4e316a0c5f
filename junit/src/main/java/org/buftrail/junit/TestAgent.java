package org.buftrail.junit;

import java.util.ArrayList;
import java.util.List;
import org.buftrail.boot.SelfAttach;
import org.jspecify.annotations.Nullable;

/**
 * The agent of a JVM that runs tests: there already, or attached now.
 *
 * <p>No class of the flow runtime may be loaded before, since it would be another than the agent's.
 * So they are named by {@link LeakRun} and what lies behind it alone.
 */
final class TestAgent {
  private static volatile @Nullable LeakRun run;
  private static @Nullable String failure;
  private static boolean hasSession;
  private static boolean isReportedAtExit;

  /** The settings are asked once. */
  private static volatile boolean off;

  private TestAgent() {}

  /**
   * The run of this JVM, with an agent at work.
   *
   * @return null if there is to be none, or there is none and the tests may run without
   * @throws IllegalStateException if there is none and the tests must not run without
   */
  static @Nullable LeakRun run() {
    LeakRun known = run;
    return known != null || off ? known : startOnce();
  }

  private static synchronized @Nullable LeakRun startOnce() {
    TestSettings.Mode mode = TestSettings.mode();
    if (mode == TestSettings.Mode.OFF) {
      off = true;
      return null;
    }
    if (run == null && failure == null) {
      TestSettings.mistaken(System.getProperties().stringPropertyNames(), System.getenv().keySet())
          .forEach(TestAgent::say);
      try {
        run = start();
      } catch (RuntimeException | LinkageError e) {
        failure = String.valueOf(e.getMessage());
        say("tests are not looked at for leaks: " + failure);
      }
    }
    if (run == null && mode == TestSettings.Mode.REQUIRED) {
      throw new IllegalStateException("buftrail.test=required, but " + failure);
    }
    return run;
  }

  private static LeakRun start() {
    String answer = SelfAttach.start(TestSettings.agentOptions());
    if (!answer.startsWith("0 ")) {
      throw new IllegalStateException(answer.substring(answer.indexOf(' ') + 1));
    }
    List<String> warnings = new ArrayList<>();
    LeakRun started = LeakRun.ofAgent(warnings);
    warnings.forEach(TestAgent::say);
    return started;
  }

  /** Whether there is to be no agent. */
  static boolean isOff() {
    return off;
  }

  /** Why there is no run. */
  static synchronized String whyNot() {
    return off ? "buftrail.test=off" : String.valueOf(failure);
  }

  /** Tells of the tests so far, if there were any. */
  static void report() {
    LeakRun known = run;
    if (known != null) {
      known.report();
    }
  }

  /** Has the report written as the JVM ends, where nobody says that the tests have ended. */
  static synchronized void reportAtExit() {
    if (!isReportedAtExit && !hasSession) {
      isReportedAtExit = true;
      Runtime.getRuntime().addShutdownHook(new Thread(TestAgent::report, "buftrail-report"));
    }
  }

  /** JUnit's platform runs the tests, and says when they have ended. */
  static void beginSession() {
    synchronized (TestAgent.class) {
      hasSession = true;
    }
    LeakRun started = run();
    if (started != null && areOfJunit4() && TestSettings.failsRun(name -> null)) {
      started.claim();
    }
  }

  /** Whether there may be tests that no extension is asked for. */
  private static boolean areOfJunit4() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return loader != null
        && loader.getResource("org/junit/vintage/engine/VintageTestEngine.class") != null;
  }

  /**
   * Fails by what the run has left open, if that was asked for and no engine did so: those of JUnit
   * 4 ask no extension.
   */
  static void failRun() {
    LeakRun known = run;
    Verdict failing =
        known == null || !TestSettings.failsRun(name -> null) ? null : known.failingOnce();
    if (failing != null) {
      throw failing.error();
    }
  }

  /** Prints a line to the tests' output. */
  static void say(String line) {
    System.err.println("buftrail: " + line);
  }

  /** Prints a line for a program that reads the output. */
  static void print(String line) {
    System.err.println(line);
  }
}
