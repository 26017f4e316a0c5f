package org.buftrail.profile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Attributes of a resource or a scope, in the order of their first appearance. Values are {@link
 * String}, {@link Long}, {@link Double}, {@link Boolean}, {@code byte[]}, a {@link List} or a
 * {@link Map} with text keys of these. Belongs to one thread.
 */
public final class Attributes {
  private final Map<String, Object> values = new LinkedHashMap<>();

  /** Makes an empty set. */
  public Attributes() {}

  /** Sets a text. */
  public Attributes put(String key, String value) {
    values.put(key, value);
    return this;
  }

  /** Sets an integer. */
  public Attributes put(String key, long value) {
    values.put(key, value);
    return this;
  }

  /** Sets a floating-point number. */
  public Attributes put(String key, double value) {
    values.put(key, value);
    return this;
  }

  /** Sets a truth value. */
  public Attributes put(String key, boolean value) {
    values.put(key, value);
    return this;
  }

  /** Sets a list of texts. */
  public Attributes put(String key, List<String> value) {
    values.put(key, List.copyOf(value));
    return this;
  }

  /**
   * Sets a value of any of the types that attributes may have.
   *
   * @throws IllegalArgumentException if it is of another type
   */
  public Attributes putAny(String key, Object value) {
    check(key, value);
    values.put(key, value);
    return this;
  }

  private static void check(String key, Object value) {
    if (value instanceof List) {
      ((List<?>) value).forEach(element -> check(key, element));
    } else if (value instanceof Map) {
      ((Map<?, ?>) value).values().forEach(element -> check(key, element));
    } else if (!(value instanceof String
        || value instanceof Long
        || value instanceof Double
        || value instanceof Boolean
        || value instanceof byte[])) {
      throw new IllegalArgumentException(
          "attribute " + key + " has a value of type " + value.getClass().getName());
    }
  }

  /** The attributes, unmodifiable. */
  public Map<String, Object> asMap() {
    return Collections.unmodifiableMap(values);
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return values.isEmpty();
  }
}
