package org.buftrail.agent.jmx;

import org.buftrail.model.DirectMemory;

/** A call that allocates direct buffers of the JDK, as JMX carries it. Immutable. */
public final class DirectCallView {
  private final DirectMemory.CallSite call;

  DirectCallView(DirectMemory.CallSite call) {
    this.call = call;
  }

  /** {@code class.method:line}. */
  public String getPlace() {
    return call.site().toString();
  }

  /** Buffers that were not collected yet. */
  public long getLiveCount() {
    return call.live().count();
  }

  public long getLiveBytes() {
    return call.live().bytes();
  }

  /** All buffers since the start. */
  public long getAllocatedCount() {
    return call.allocated().count();
  }

  public long getAllocatedBytes() {
    return call.allocated().bytes();
  }
}
