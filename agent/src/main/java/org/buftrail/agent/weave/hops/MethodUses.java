package org.buftrail.agent.weave.hops;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.buftrail.agent.weave.classfile.FirstLines;
import org.buftrail.model.Site;

/** What the methods of one class do with the buffers that they get, as its class file says. */
public final class MethodUses {
  /** Where nobody asked. */
  public static final MethodUses UNKNOWN = new MethodUses(Set.of(), Set.of(), List.of());

  /** So many methods that release are kept: reports name fewer. */
  private static final int MOST_RELEASING = 10;

  private final Set<String> readers;
  private final Set<String> collectors;
  private final List<String> releasing;

  /**
   * @param readers those that only read, by name and descriptor
   * @param collectors those that put a buffer into a collection
   * @param releasing those that release one, if any collects
   */
  MethodUses(Set<String> readers, Set<String> collectors, List<String> releasing) {
    this.readers = readers;
    this.collectors = collectors;
    this.releasing = releasing;
  }

  /** Those that only read, by name and descriptor. */
  Set<String> readers() {
    return readers;
  }

  /** Those that put a buffer into a collection, by name and descriptor. */
  Set<String> collectors() {
    return collectors;
  }

  /** The entry of a method with what is known of it. */
  Site marked(Site entry, String method, FirstLines lines) {
    if (readers.contains(method)) {
      return entry.ofReader();
    }
    if (!collectors.contains(method)) {
      return entry;
    }
    List<String> places = new ArrayList<>();
    for (String each : releasing.subList(0, Math.min(MOST_RELEASING, releasing.size()))) {
      places.add(place(each, lines));
    }
    return entry.ofCollector(places);
  }

  private static String place(String method, FirstLines lines) {
    int at = method.indexOf('(');
    String name = method.substring(0, at);
    int line = lines.line(name, method.substring(at));
    return line > 0 ? name + ':' + line : name;
  }
}
