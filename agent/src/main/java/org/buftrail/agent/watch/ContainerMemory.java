package org.buftrail.agent.watch;

import java.nio.file.Path;
import java.util.List;
import org.buftrail.report.memory.ControlGroup;

/**
 * How much of the memory of this process' control group is used, or of one around it, whichever is
 * fuller. When all is, the kernel kills a process. What files in its cache take, the kernel gives
 * back first, and is left out.
 */
public final class ContainerMemory {
  /** Hundredths of the limit from which on memory is nearly used up. */
  public static final int HIGH_PERCENT = 90;

  private static final long WHOLE = 100;

  private final List<ControlGroup> groups;

  private ContainerMemory(List<ControlGroup> groups) {
    this.groups = groups;
  }

  /** Returns the memory of this process's container. */
  public static ContainerMemory ofThisProcess() {
    return in(Path.of("/sys/fs/cgroup"), Path.of("/proc/self/cgroup"));
  }

  /**
   * @param mounted where control groups are
   * @param membership says in which the process is
   */
  static ContainerMemory in(Path mounted, Path membership) {
    return new ContainerMemory(ControlGroup.of(mounted, membership));
  }

  /** Hundredths of the limit that are used; 0 where there is no limit. */
  public int percent() {
    int most = 0;
    for (ControlGroup group : groups) {
      most = Math.max(most, percent(group));
    }
    return most;
  }

  private static int percent(ControlGroup group) {
    long limit = group.limit();
    if (limit == ControlGroup.NONE) {
      return 0;
    }
    long used = Math.max(0, group.used());
    long percent = used / (limit / WHOLE);
    return (int)
        (percent < HIGH_PERCENT ? percent : Math.max(0, used - group.cached()) / (limit / WHOLE));
  }
}
