package org.buftrail.it.leaktests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/**
 * Runs tests by JUnit 4 alone.
 *
 * <p>Arguments: the file for what failed or was skipped, whose lines are as those of {@link
 * RunTests}, and the classes.
 */
public final class RunJunit4 {
  private RunJunit4() {}

  /** See the class. */
  public static void main(String[] args) throws IOException, ClassNotFoundException {
    List<String> lines = Collections.synchronizedList(new ArrayList<>());
    JUnitCore junit = new JUnitCore();
    junit.addListener(
        new RunListener() {
          @Override
          public void testFailure(Failure failure) {
            add(failure.getDescription(), failure.getException().getClass().getSimpleName());
          }

          @Override
          public void testAssumptionFailure(Failure failure) {
            add(failure.getDescription(), "skipped");
          }

          private void add(Description description, String outcome) {
            String method = description.getMethodName();
            String name = method == null ? description.getTestClass().getSimpleName() : method;
            lines.add(name + "\t" + outcome + "\t");
          }
        });
    for (int i = 1; i < args.length; i++) {
      junit.run(Class.forName(args[i]));
    }
    Files.write(Path.of(args[0]), lines);
  }
}
