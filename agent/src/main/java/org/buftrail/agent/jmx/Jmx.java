package org.buftrail.agent.jmx;

import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.watch.Watcher;

/** Puts the bean into the platform's server. Thread-safe. */
public final class Jmx {
  /** The bean's name. */
  static final ObjectName NAME = name("org.buftrail:type=FlowTracker");

  private final LeakNotifications notifications = new LeakNotifications();

  private Jmx() {}

  /**
   * Registers the bean.
   *
   * @param log takes a line when that is not possible
   */
  public static Jmx start(FlowSource source, Consumer<String> log) {
    return start(source, ManagementFactory.getPlatformMBeanServer(), log);
  }

  static Jmx start(FlowSource source, MBeanServer server, Consumer<String> log) {
    Jmx jmx = new Jmx();
    try {
      server.registerMBean(new FlowTrackerBean(source, jmx.notifications), NAME);
    } catch (JMException e) {
      log.accept("no management bean " + NAME + ": " + e);
    }
    return jmx;
  }

  /** What finds new leak paths for the bean's listeners. */
  public Watcher watcher() {
    return notifications;
  }

  /** Tells the bean's listeners that a threshold was passed. */
  public void alert(String message) {
    notifications.alert(message, System.currentTimeMillis());
  }

  private static ObjectName name(String name) {
    try {
      return new ObjectName(name);
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }
}
