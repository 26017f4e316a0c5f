package org.buftrail.agent.weave.classfile;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One value for each class loader, which goes when the loader goes. Loaders are told apart by
 * identity and never asked for anything. Thread-safe.
 *
 * @param <T> must not refer to a loader or to a class of one
 */
public final class PerLoader<T> {
  private final Map<Key, T> values = new ConcurrentHashMap<>();
  private final ReferenceQueue<ClassLoader> gone = new ReferenceQueue<>();
  private final Supplier<T> make;
  private final T ofBootstrap;

  /** Who is asked for is nearly always the one of before. */
  private volatile @Nullable Last<T> last;

  private static final class Last<T> {
    final Key key;
    final T value;

    Last(Key key, T value) {
      this.key = key;
      this.value = value;
    }
  }

  private static final class Key extends WeakReference<ClassLoader> {
    private final int hash;

    Key(ClassLoader loader, @Nullable ReferenceQueue<ClassLoader> gone) {
      super(loader, gone);
      hash = System.identityHashCode(loader);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      ClassLoader loader = get();
      return other == this
          || (loader != null && other instanceof Key && ((Key) other).get() == loader);
    }
  }

  /**
   * @param make makes the value of a loader that is asked for the first time
   */
  public PerLoader(Supplier<T> make) {
    this.make = make;
    this.ofBootstrap = make.get();
  }

  /** The value of a loader, null for that of the bootstrap loader. Made when first asked for. */
  public T get(@Nullable ClassLoader loader) {
    if (loader == null) {
      return ofBootstrap;
    }
    for (Reference<?> r = gone.poll(); r != null; r = gone.poll()) {
      values.remove(r);
    }
    Last<T> same = last;
    if (same != null && same.key.get() == loader) {
      return same.value;
    }
    Key key = new Key(loader, null);
    T known = values.get(key);
    T value =
        known != null ? known : values.computeIfAbsent(new Key(loader, gone), any -> make.get());
    last = new Last<>(key, value);
    return value;
  }

  /** How many loaders there are values of, without the bootstrap loader. */
  int size() {
    return values.size();
  }
}
