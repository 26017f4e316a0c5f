package org.buftrail.agent.jmx;

import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.buftrail.agent.source.FlowSource;
import org.buftrail.agent.watch.Watcher;
import org.buftrail.model.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * Puts the bean into the platform's server once that is there.
 *
 * <p>It never makes the server: that reads the application's choice of a server and of a log
 * manager, which may not be made yet. The application makes it when it needs it, and so does the
 * JVM when somebody attaches to its local connector, as the command line does. Thread-safe.
 */
public final class Jmx {
  /** Of registering the bean with a server of the application's that refuses it. */
  private static final int MOST_ATTEMPTS = 3;

  private final FlowSource source;
  private final Consumer<String> log;

  /** Made with the bean: its superclass has the JDK look for the application's logging. */
  private volatile @Nullable LeakNotifications notifications;

  private int attempts;

  /** Not initialised before there is a server. */
  static final class Names {
    static final ObjectName BEAN = name("org.buftrail:type=FlowTracker");

    /** A bean that the platform's server has from the beginning. */
    static final ObjectName RUNTIME = name(ManagementFactory.RUNTIME_MXBEAN_NAME);

    private Names() {}

    private static ObjectName name(String name) {
      try {
        return new ObjectName(name);
      } catch (JMException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /**
   * Nothing is registered yet.
   *
   * @param log takes a line when that is not possible
   */
  public Jmx(FlowSource source, Consumer<String> log) {
    this.source = source;
    this.log = log;
  }

  /** Registers the bean when the server has come; to be called again and again. */
  public void follow() {
    if (notifications == null && attempts < MOST_ATTEMPTS) {
      MBeanServer server = platformServer();
      if (server != null) {
        register(server);
      }
    }
  }

  /** Null while nobody has made it. */
  private static @Nullable MBeanServer platformServer() {
    for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
      if (server.isRegistered(Names.RUNTIME)) {
        return ManagementFactory.getPlatformMBeanServer();
      }
    }
    return null;
  }

  void register(MBeanServer server) {
    LeakNotifications made = new LeakNotifications();
    try {
      server.registerMBean(new FlowTrackerBean(source, made), Names.BEAN);
      notifications = made;
    } catch (JMException | RuntimeException e) {
      attempts++;
      log.accept("no management bean " + Names.BEAN + ": " + e);
    }
  }

  /** What finds new leak paths for the bean's listeners. */
  public Watcher watcher() {
    return new Watcher() {
      @Override
      public boolean isWanted() {
        LeakNotifications made = notifications;
        return made != null && made.isWanted();
      }

      @Override
      public void look(Snapshot now) throws Exception {
        LeakNotifications made = notifications;
        if (made != null) {
          made.look(now);
        }
      }
    };
  }

  /** Tells the bean's listeners that a threshold was passed. */
  public void alert(String message) {
    LeakNotifications made = notifications;
    if (made != null) {
      made.alert(message, System.currentTimeMillis());
    }
  }
}
