package org.buftrail.it;

import java.io.IOException;
import java.nio.file.Path;

/** Runs a program under the agent with the programs' package included, and reads what was seen. */
final class FlowCases {
  static final String INCLUDE = "include=org.buftrail.it.programs";

  private FlowCases() {}

  static FlowsFile flows(Setting setting, Path directory, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    return flows(setting, INCLUDE, directory, program, arguments);
  }

  static FlowsFile flows(
      Setting setting, String options, Path directory, Class<?> program, String... arguments)
      throws IOException, InterruptedException {
    ForkedJvm.Result result =
        new ForkedJvm(directory)
            .on(setting)
            .agent(options + ";report=flows.json")
            .run(program, arguments);
    if (result.exit() != 0) {
      throw new AssertionError(program + " ended with " + result.exit() + ": " + result.err());
    }
    return FlowsFile.read(directory.resolve("flows.json"));
  }
}
