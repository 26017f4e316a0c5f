package org.buftrail.it.programs;

import io.netty.buffer.ByteBuf;
import java.lang.management.ManagementFactory;
import java.util.logging.LogManager;
import javax.management.MBeanServerBuilder;
import javax.management.MBeanServerDelegate;

/**
 * Chooses a log manager and an MBean server when the agent has long been running, as launchers of
 * application servers do, and prints what it got.
 */
public final class LateChoices {
  private static volatile boolean built;

  private LateChoices() {}

  /** The application's own. */
  public static final class OwnLogManager extends LogManager {}

  /** The application's own, which makes what the JDK's makes. */
  public static final class OwnBuilder extends MBeanServerBuilder {
    @Override
    public MBeanServerDelegate newMBeanServerDelegate() {
      built = true;
      return super.newMBeanServerDelegate();
    }
  }

  /** Runs the program. */
  public static void main(String[] args) throws InterruptedException {
    if (ByteBuf.class.isInterface()) {
      throw new IllegalStateException("what has the agent begin is not there");
    }
    Threads.await("buftrail-watch");
    Thread.sleep(2_000);
    System.setProperty("java.util.logging.manager", OwnLogManager.class.getName());
    System.setProperty("javax.management.builder.initial", OwnBuilder.class.getName());
    System.out.println(LogManager.getLogManager().getClass().getSimpleName());
    ManagementFactory.getPlatformMBeanServer();
    System.out.println(built ? "own server" : "the JDK's server");
  }
}
