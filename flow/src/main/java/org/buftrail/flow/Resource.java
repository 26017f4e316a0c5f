package org.buftrail.flow;

import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.TrackedResource;
import org.jspecify.annotations.Nullable;

/**
 * One type of resource, as the runtime knows it. Thread-safe.
 *
 * <p>Its objects have no place for a flow's state, so they are followed through {@link Fosters}.
 */
final class Resource extends Foreign {
  final Node root;
  final boolean closedOnce;
  private final String name;
  private final String type;

  /**
   * What the application says of its objects. Null when it says nothing, and once it is removed.
   */
  private volatile @Nullable TrackedResource spi;

  /** Asks an object how often it is held, or null where one close is the end. */
  private final @Nullable NumberMethod count;

  /** Asks an object for its size, if anything does. */
  private final @Nullable NumberMethod bytes;

  /** Whether one of them was ever opened. */
  private volatile boolean opened;

  /** Set when the application's code threw: it is not called again. */
  private volatile boolean off;

  private final ClassValue<Boolean> isSubtype =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> c) {
          return isSubtype(c);
        }
      };

  /**
   * @param name what paths call it
   * @param type binary name of a class or interface
   * @param spi what the application says of its objects, if anything
   */
  Resource(String name, String type, boolean closedOnce, @Nullable TrackedResource spi) {
    this(name, type, closedOnce, spi, null, null);
  }

  /**
   * The same of a type whose objects are asked by methods without parameters.
   *
   * @param count how often an object is held; null where one close is the end
   * @param bytes how large it is; null for 0
   */
  Resource(
      String name,
      String type,
      boolean closedOnce,
      @Nullable TrackedResource spi,
      @Nullable String count,
      @Nullable String bytes) {
    this.name = name;
    this.type = type;
    this.closedOnce = closedOnce;
    this.spi = spi;
    this.count = count == null ? null : new NumberMethod(count);
    this.bytes = bytes == null ? null : new NumberMethod(bytes);
    Sites.intern(Sites.ofClose(name));
    int open = Sites.intern(new Site(name, Path.RESOURCE_OPEN, "", 0, ""));
    root = Trie.INSTANCE.root(open, Node.RESOURCE);
  }

  @Override
  boolean isResource() {
    return true;
  }

  /** Whether an object is to be followed. */
  boolean isMine(Object opened) {
    if (off || !isSubtype.get(opened.getClass())) {
      return false;
    }
    TrackedResource asked = spi;
    try {
      return asked == null || asked.isMine(opened);
    } catch (Throwable e) {
      switchOff(e);
      return false;
    }
  }

  /** Whether an object that one holder has let go of has others. */
  boolean isHeld(Object object) {
    return count != null && refCnt(object) > 0 && !off;
  }

  void noteOpened() {
    if (!opened) {
      opened = true;
    }
  }

  boolean isOpened() {
    return opened;
  }

  /** By name, because the type may be in any number of class loaders. */
  private boolean isSubtype(@Nullable Class<?> c) {
    if (c == null) {
      return false;
    }
    if (c.getName().equals(type) || isSubtype(c.getSuperclass())) {
      return true;
    }
    for (Class<?> parent : c.getInterfaces()) {
      if (isSubtype(parent)) {
        return true;
      }
    }
    return false;
  }

  /** Follows no more objects, and lets go of {@code removed} if that is what it asks. */
  void remove(TrackedResource removed) {
    if (spi == removed) {
      off = true;
      spi = null;
    }
  }

  private void switchOff(Throwable thrown) {
    if (!off) {
      off = true;
      TrackerLog.add("resources of type " + name + " are followed no more: " + thrown);
      Suppressed.addLogged();
    }
  }

  @Override
  public Class<?> type() {
    return Object.class;
  }

  @Override
  public boolean covers(Class<?> c) {
    return isSubtype.get(c);
  }

  @Override
  public Object owner(Object object) {
    return object;
  }

  @Override
  public @Nullable Object content(Object object) {
    return null;
  }

  @Override
  public int refCnt(Object owner) {
    NumberMethod asked = count;
    if (asked == null || off) {
      return 1;
    }
    try {
      return number(asked, owner);
    } catch (Throwable e) {
      switchOff(e);
      return 1;
    }
  }

  private static int number(NumberMethod method, Object object)
      throws ReflectiveOperationException {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(0, method.of(object)));
  }

  /** What nobody holds any more may be unable to say; -1 then. */
  private int size(NumberMethod method, Object object) {
    if (off) {
      return 0;
    }
    try {
      return number(method, object);
    } catch (Throwable e) {
      if (count != null && refCnt(object) == 0) {
        return -1;
      }
      switchOff(e);
      return 0;
    }
  }

  @Override
  public int capacity(Object owner) {
    NumberMethod method = bytes;
    if (method != null) {
      return size(method, owner);
    }
    TrackedResource asked = spi;
    if (asked == null || off) {
      return 0;
    }
    try {
      return (int) Math.min(Integer.MAX_VALUE, Math.max(0, asked.bytes(owner)));
    } catch (Throwable e) {
      switchOff(e);
      return 0;
    }
  }

  @Override
  public boolean isDirect(Object owner) {
    return false;
  }
}
