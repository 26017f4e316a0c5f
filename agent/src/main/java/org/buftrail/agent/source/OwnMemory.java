package org.buftrail.agent.source;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.file.Path;
import org.buftrail.model.PoolMemory;
import org.buftrail.model.ProcessMemory;
import org.buftrail.report.memory.JvmFigures;
import org.buftrail.report.memory.ResidentSet;
import org.jspecify.annotations.Nullable;

/**
 * Divides the resident set of this process among its owners. Remembers what the JVM said before,
 * since one of its answers stops all threads. Used by one thread at a time.
 */
public final class OwnMemory implements ProcessLook.Look {
  private static final String OWN_PROCESS = "/proc/self";

  private final Instrumentation instrumentation;
  private @Nullable JvmFigures latest;

  /**
   * Nothing is known yet.
   *
   * @param instrumentation opens a package of the JDK to the agent
   */
  public OwnMemory(Instrumentation instrumentation) {
    this.instrumentation = instrumentation;
  }

  @Override
  public ProcessMemory at(@Nullable PoolMemory pools) throws IOException {
    ResidentSet set = ResidentSet.read(Path.of(OWN_PROCESS));
    JvmFigures figures = JvmFigures.ofThisJvm(instrumentation, latest);
    latest = figures;
    return set.divide(figures, pools, true);
  }
}
