package org.buftrail.it.states;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;

/** The attributes of the management bean, as a console shows them. */
final class BeanReader {
  private static final Map<String, String> NUMBERS =
      Map.ofEntries(
          Map.entry("AllocatedCount", "allocated"),
          Map.entry("ReleasedCount", "released"),
          Map.entry("LeakedCount", "leaked"),
          Map.entry("LeakedBytes", "leakedBytes"),
          Map.entry("DirectLeakedBytes", "direct.leakedBytes"),
          Map.entry("HeldCount", "held"),
          Map.entry("DroppedCount", "dropped"),
          Map.entry("DroppedBytes", "droppedBytes"),
          Map.entry("ActiveFlowCount", "live"),
          Map.entry("LiveBytes", "liveBytes"),
          Map.entry("DirectLiveBytes", "direct.liveBytes"),
          Map.entry("Sampling", "sampling"),
          Map.entry("OverflowedCount", "overflowed"),
          Map.entry("MisuseCount", "misuses"),
          Map.entry("SuppressedErrorCount", "errors"));

  private final MBeanServerConnection server;
  private final ObjectName bean;
  private final Told told = new Told();

  private BeanReader(MBeanServerConnection server, ObjectName bean) {
    this.server = server;
    this.bean = bean;
  }

  static Told read(Scene scene) throws Exception {
    return new BeanReader(scene.server(), Scene.bean()).told();
  }

  private Told told() throws Exception {
    for (Map.Entry<String, String> number : NUMBERS.entrySet()) {
      Number value = (Number) server.getAttribute(bean, number.getKey());
      told.put(number.getValue(), value.longValue());
    }
    for (CompositeData path : paths("LeakPaths")) {
      path(path, "leaked", "Leaked");
      told.row(place(path), "held", (Long) path.get("heldCount"));
    }
    for (CompositeData path : paths("LivePaths")) {
      path(path, "live", "Live");
      told.add(place(path) + ".rows", 1);
    }
    for (CompositeData suspect : paths("SuspectPaths")) {
      CompositeData path = (CompositeData) suspect.get("path");
      told.row(place(path), "suspect", (Long) path.get("liveCount"));
      told.add("suspects", 1);
    }
    for (CompositeData misuse : paths("Misuses")) {
      String kind = ((String) misuse.get("kind")).startsWith("double") ? "releases" : "uses";
      told.row(Words.place((String) misuse.get("place")), kind, (Long) misuse.get("count"));
    }
    String reason = (String) server.getAttribute(bean, "StopReason");
    if (!reason.isEmpty()) {
      told.put("stopped", (Boolean) server.getAttribute(bean, "Tracking") ? 0 : 1);
      told.put("stopped: " + reason, 1);
    }
    return told;
  }

  private List<CompositeData> paths(String attribute) throws Exception {
    return Arrays.asList((CompositeData[]) server.getAttribute(bean, attribute));
  }

  private void path(CompositeData path, String end, String name) {
    String prefix = name.toLowerCase(Locale.ROOT);
    long count = (Long) path.get(prefix + "Count");
    told.row(place(path), end, count, (Long) path.get(prefix + "Bytes"));
  }

  private static String place(CompositeData path) {
    return Words.place((String) path.get("lastHop"));
  }
}
