package org.buftrail.suite;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** A line for each test that ended, and for each class: what happened, to what, and why. */
final class ResultFile implements TestExecutionListener {
  /** A class is about to run. */
  static final String BEGUN = "begun";

  /** A class has run. */
  static final String DONE = "done";

  /** A class took too long. */
  static final String CUT = "cut";

  /** JUnit itself failed in a class. */
  static final String DIED = "died";

  /** All classes have run. */
  static final String ALL_DONE = "all done";

  private final PrintWriter out;

  ResultFile(Path file) throws IOException {
    out = new PrintWriter(file.toFile(), StandardCharsets.UTF_8);
  }

  synchronized void write(String what, String name, String why) {
    out.println(what + "\t" + oneLine(name) + "\t" + oneLine(why));
    out.flush();
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    write("SKIPPED", test.getUniqueId(), "");
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
      write(
          result.getStatus().name(),
          test.getUniqueId(),
          result.getThrowable().map(Throwable::toString).orElse(""));
    }
  }

  private static String oneLine(String text) {
    return text.replaceAll("[\\t\\r\\n]+", " ");
  }
}
