package org.buftrail.agent.jmx;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.management.ListenerNotFoundException;
import javax.management.MBeanNotificationInfo;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.NotificationFilter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import org.buftrail.agent.watch.LeakFinder;
import org.buftrail.agent.watch.Watcher;
import org.buftrail.model.Snapshot;
import org.buftrail.report.ShownHops;
import org.jspecify.annotations.Nullable;

/**
 * Tells listeners of each path that leaks for the first time. Looks at nothing while there is no
 * listener.
 */
final class LeakNotifications extends NotificationBroadcasterSupport implements Watcher {
  /** The type of the notifications. */
  static final String NEW_LEAK_PATH = "org.buftrail.leak.path";

  /** The type of notifications about thresholds. */
  static final String ALERT = "org.buftrail.alert";

  private final AtomicLong sequence = new AtomicLong();
  private final List<NotificationListener> listeners = new ArrayList<>();
  private volatile boolean hasListener;

  /** Null while nobody listens. Used by the thread that looks. */
  private @Nullable LeakFinder finder;

  LeakNotifications() {
    super(
        new MBeanNotificationInfo(
            new String[] {NEW_LEAK_PATH, ALERT},
            Notification.class.getName(),
            "A path leaked for the first time, or a threshold was passed; the user data says"
                + " more"));
  }

  @Override
  public void addNotificationListener(
      NotificationListener listener,
      @Nullable NotificationFilter filter,
      @Nullable Object handback) {
    super.addNotificationListener(listener, filter, handback);
    synchronized (listeners) {
      listeners.add(listener);
      hasListener = true;
    }
  }

  @Override
  public void removeNotificationListener(NotificationListener listener)
      throws ListenerNotFoundException {
    super.removeNotificationListener(listener);
    synchronized (listeners) {
      listeners.removeIf(each -> each == listener);
      hasListener = !listeners.isEmpty();
    }
  }

  @Override
  public void removeNotificationListener(
      NotificationListener listener, @Nullable NotificationFilter filter, @Nullable Object handback)
      throws ListenerNotFoundException {
    super.removeNotificationListener(listener, filter, handback);
    synchronized (listeners) {
      listeners.remove(listener);
      hasListener = !listeners.isEmpty();
    }
  }

  @Override
  public boolean isWanted() {
    boolean wanted = hasListener;
    if (!wanted) {
      finder = null;
    }
    return wanted;
  }

  @Override
  public void look(Snapshot now) throws OpenDataException {
    LeakFinder leaks = finder;
    if (leaks == null) {
      leaks = new LeakFinder();
      finder = leaks;
    }
    for (LeakFinder.Growth growth : leaks.look(now)) {
      if (growth.isNew()) {
        send(growth, now.takenAtMillis());
      }
    }
  }

  private void send(LeakFinder.Growth growth, long millis) throws OpenDataException {
    PathView view = new PathView(growth.path());
    String place = ShownHops.lastPlace(growth.path());
    String message = what(growth) + " leaked on a new path, last seen in " + place;
    Notification notification =
        new Notification(
            NEW_LEAK_PATH, Jmx.Names.BEAN, sequence.incrementAndGet(), millis, message);
    notification.setUserData(userData(growth, view));
    sendNotification(notification);
  }

  /** {@code 1 buffer, 256 bytes outside the heap,} or {@code 2 of java.sql.Connection}. */
  private static String what(LeakFinder.Growth growth) {
    String resource = growth.path().resource();
    if (resource != null) {
      return growth.count() + " of " + resource;
    }
    return growth.count()
        + (growth.count() == 1 ? " buffer, " : " buffers, ")
        + growth.bytes()
        + (growth.path().isDirect() ? " bytes outside the heap," : " bytes in the heap,");
  }

  private static CompositeDataSupport userData(LeakFinder.Growth growth, PathView view)
      throws OpenDataException {
    String[] names = {"path", "direct", "count", "bytes"};
    OpenType<?>[] types = {SimpleType.STRING, SimpleType.BOOLEAN, SimpleType.LONG, SimpleType.LONG};
    CompositeType type = new CompositeType("Leak", "A path that leaks", names, names, types);
    Object[] values = {
      String.join(" > ", view.getHops()), view.isDirect(), growth.count(), growth.bytes()
    };
    return new CompositeDataSupport(type, names, values);
  }

  /** Tells listeners that a threshold was passed. */
  void alert(String message, long millis) {
    if (hasListener) {
      sendNotification(
          new Notification(ALERT, Jmx.Names.BEAN, sequence.incrementAndGet(), millis, message));
    }
  }
}
