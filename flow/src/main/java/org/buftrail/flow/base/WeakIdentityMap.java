package org.buftrail.flow.base;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A map by identity that keeps no key alive. Keys are never asked for anything: {@code
 * System.identityHashCode} spreads them. Thread-safe.
 *
 * @param <V> must not refer to a key
 */
public final class WeakIdentityMap<V> {
  private final Map<Object, V> values = new ConcurrentHashMap<>();
  private final ReferenceQueue<Object> collected = new ReferenceQueue<>();

  /** A key that lasts: equal to itself, and to any key of the same live object. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object object, ReferenceQueue<Object> collected) {
      super(object, collected);
      hash = System.identityHashCode(object);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object o) {
      if (o == this) {
        return true;
      }
      Object mine = get();
      return mine != null
          && (o instanceof Key ? ((Key) o).get() == mine : ((Probe) o).object == mine);
    }
  }

  /** A key to look up with: no reference that the collector has to visit. */
  private static final class Probe {
    private final Object object;

    Probe(Object object) {
      this.object = object;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(object);
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Key && ((Key) o).get() == object;
    }
  }

  /**
   * A weak reference to an object, for {@link #putIfAbsent} and for other users of such a
   * reference.
   */
  public WeakReference<Object> key(Object object) {
    return new Key(object, collected);
  }

  public @Nullable V get(Object object) {
    return values.get(new Probe(object));
  }

  public void put(Object object, V value) {
    values.put(key(object), value);
  }

  /**
   * @param key of {@link #key}
   * @return the value that was there, or null
   */
  public @Nullable V putIfAbsent(WeakReference<Object> key, V value) {
    return values.putIfAbsent(key, value);
  }

  /** Removes an object if this is its value. Whether this call did. */
  public boolean remove(Object object, V value) {
    return values.remove(new Probe(object), value);
  }

  /** The keys that were not collected yet. */
  public List<Object> keys() {
    List<Object> keys = new ArrayList<>();
    for (Object key : values.keySet()) {
      Object object = ((Key) key).get();
      if (object != null) {
        keys.add(object);
      }
    }
    return keys;
  }

  public int size() {
    return values.size();
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  /**
   * Removes all that is there now.
   *
   * @return how many this call removed
   */
  public int clear() {
    int removed = 0;
    Iterator<Map.Entry<Object, V>> all = values.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<Object, V> entry = all.next();
      if (values.remove(entry.getKey(), entry.getValue())) {
        removed++;
      }
    }
    return removed;
  }

  /**
   * Removes what was collected. Never call it where a hop, an allocation or a release runs: a
   * thread whose stack ends in {@code poll} would leave the lock of the queue locked for ever, on
   * JDK 21 at least.
   *
   * @return how many this call removed
   */
  public int expunge() {
    int removed = 0;
    for (Reference<?> r = collected.poll(); r != null; r = collected.poll()) {
      if (values.remove(r) != null) {
        removed++;
      }
    }
    return removed;
  }
}
