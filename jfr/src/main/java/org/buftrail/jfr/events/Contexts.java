package org.buftrail.jfr.events;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What events say of all others of their thread while they last, such as the request that it
 * serves: their contextual fields, each with the times at which it had which value. Values are
 * numbers of the chunk's texts.
 */
public final class Contexts {
  /** More fields than that nobody reads. */
  private static final int MOST = 32;

  private final Map<String, Field> fields = new TreeMap<>();
  private boolean isArranged;
  private boolean others;
  private long before = Long.MAX_VALUE;
  private int most = Integer.MAX_VALUE;

  /**
   * A contextual field.
   *
   * @param key of the attribute that it becomes
   * @param event name of the event type
   * @param name its name
   * @param values by thread and time
   */
  public record Field(String key, String event, String name, Spans values) {}

  /** The field of an event type; null if there are too many. */
  public @Nullable Field field(String event, String name) {
    String key = event + "." + name;
    Field known = fields.get(key);
    if (known == null && fields.size() < MOST) {
      known = new Field(key, event, name, new Spans());
      known.values.limit(before, most);
      fields.put(key, known);
    }
    return known;
  }

  /** All fields that have been met. */
  public List<Field> fields() {
    return new ArrayList<>(fields.values());
  }

  /** Forgets the values of the last chunk. */
  public void clear() {
    for (Field field : fields.values()) {
      field.values.clear();
    }
    isArranged = false;
    others = false;
    before = Long.MAX_VALUE;
    most = Integer.MAX_VALUE;
  }

  /** Collects only values that begin before a time from now on; more than some are counted. */
  public void limit(long latest, int count) {
    before = latest;
    most = count;
    for (Field field : fields.values()) {
      field.values.limit(latest, count);
    }
  }

  /** Asks others too from now on, which have been arranged. */
  public void beside(@Nullable Contexts arranged) {
    if (arranged == null) {
      return;
    }
    others = true;
    for (Field other : arranged.fields.values()) {
      Field field = field(other.event, other.name);
      if (field != null) {
        field.values.beside(other.values);
      }
    }
  }

  /** Whether others are asked too. */
  public boolean hasOthers() {
    return others;
  }

  /** Whether {@link #arrange} has been called for the chunk, so that no more are collected. */
  public boolean isArranged() {
    return isArranged;
  }

  /** Makes the values ready to be asked for; answers whether there are any. */
  public boolean arrange() {
    boolean any = false;
    for (Field field : fields.values()) {
      any |= field.values.arrange();
    }
    isArranged = true;
    return any;
  }
}
