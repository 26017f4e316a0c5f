package org.buftrail.jfr.events;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What events say of all others of their thread while they last, such as the request that it
 * serves: their contextual fields, each with the times at which it had which value. Values are
 * numbers of the chunk's texts.
 */
public final class Contexts {
  /** More fields than that nobody reads. */
  private static final int MOST = 32;

  private final Map<String, Field> fields = new LinkedHashMap<>();
  private boolean isArranged;

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
  @Nullable Field field(String event, String name) {
    String key = event + "." + name;
    Field known = fields.get(key);
    if (known == null && fields.size() < MOST) {
      known = new Field(key, event, name, new Spans());
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
