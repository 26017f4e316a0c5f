package org.buftrail.agent.weave.classfile;

import java.lang.ref.WeakReference;
import java.util.function.Supplier;
import org.buftrail.flow.base.WeakIdentityMap;
import org.jspecify.annotations.Nullable;

/**
 * One value for each class loader, which goes when the loader goes. Loaders are distinguished by
 * identity and never asked for anything. The value may be made twice, and one of the two is kept.
 * Thread-safe.
 *
 * @param <T> must not refer to a loader or to a class of one
 */
public final class PerLoader<T> {
  private final WeakIdentityMap<T> values = new WeakIdentityMap<>();
  private final Supplier<T> make;
  private final T ofBootstrap;

  /** The last answer: nearly always the next one asked for too. */
  private volatile @Nullable Last<T> last;

  private static final class Last<T> {
    final WeakReference<Object> loader;
    final T value;

    Last(WeakReference<Object> loader, T value) {
      this.loader = loader;
      this.value = value;
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
    values.expunge();
    Last<T> same = last;
    if (same != null && same.loader.get() == loader) {
      return same.value;
    }
    WeakReference<Object> key = values.key(loader);
    T value = values.get(loader);
    if (value == null) {
      T made = make.get();
      T other = values.putIfAbsent(key, made);
      value = other == null ? made : other;
    }
    last = new Last<>(key, value);
    return value;
  }

  /** How many loaders there are values of, without the bootstrap loader. */
  int size() {
    return values.size();
  }
}
