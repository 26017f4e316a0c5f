package org.buftrail.agent.jmx;

import org.buftrail.model.DirectMemory;

/** What the JVM or Netty counts of direct memory, as JMX carries it. Immutable. */
public final class AccountView {
  private final DirectMemory.Account account;

  AccountView(DirectMemory.Account account) {
    this.account = account;
  }

  /** Who counts what. */
  public String getName() {
    return account.name();
  }

  /** How many buffers; -1 where they are not counted. */
  public long getBufferCount() {
    return account.buffers();
  }

  /** Their memory. */
  public long getBytes() {
    return account.bytes();
  }

  /** The most that it may be; -1 where there is no limit. */
  public long getLimitBytes() {
    return account.limit();
  }
}
