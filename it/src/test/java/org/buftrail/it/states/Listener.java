package org.buftrail.it.states;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.management.Notification;
import javax.management.openmbean.CompositeData;

/** A console that listens to the notifications of the management bean. */
final class Listener {
  private final Queue<Notification> heard = new ConcurrentLinkedQueue<>();

  /** Listens from now on; what had leaked before is no news. */
  Listener(Scene scene) throws Exception {
    scene
        .server()
        .addNotificationListener(
            Scene.bean(), (notification, handback) -> heard.add(notification), null, null);
  }

  /** The paths that leaked for the first time, and how many alerts there were. */
  Told told() {
    Told told = new Told();
    for (Notification notification : heard) {
      if (notification.getType().equals("org.buftrail.alert")) {
        told.add("alerts", 1);
      } else {
        CompositeData leak = (CompositeData) notification.getUserData();
        String path = (String) leak.get("path");
        String place = Words.place(path.substring(path.lastIndexOf(" > ") + " > ".length()));
        told.row(place, "leaked", (Long) leak.get("count"), (Long) leak.get("bytes"));
        told.add("leaking paths", 1);
      }
    }
    return told;
  }
}
