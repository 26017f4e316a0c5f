package org.buftrail.it.leaktests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.testng.ITestListener;
import org.testng.ITestResult;
import org.testng.TestNG;

/**
 * Runs {@link NgTests} by TestNG.
 *
 * <p>Argument: the file for the results, whose lines are as those of {@link RunTests}.
 */
public final class RunTestNg {
  private RunTestNg() {}

  /** See the class. */
  public static void main(String[] args) throws IOException {
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    TestNG testNg = new TestNG(false);
    testNg.setTestClasses(new Class<?>[] {NgTests.class});
    testNg.addListener(
        new ITestListener() {
          @Override
          public void onTestSuccess(ITestResult result) {
            lines.add(result.getName() + "\tpassed\t");
          }

          @Override
          public void onTestFailure(ITestResult result) {
            lines.add(
                result.getName() + "\t" + result.getThrowable().getClass().getSimpleName() + "\t");
          }
        });
    testNg.run();
    Files.write(Path.of(args[0]), lines);
  }
}
