package org.buftrail.it.leaktests;

import java.io.IOException;

/** As {@link RunTests}, where Netty is loaded before JUnit starts. */
public final class RunTestsLate {
  private RunTestsLate() {}

  /** See {@link RunTests#main}. */
  public static void main(String[] args) throws IOException {
    Buffers.written(Buffers.direct()).release();
    RunTests.main(args);
  }
}
