package org.buftrail.flow.state;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.buftrail.flow.base.Suppressed;
import org.buftrail.flow.base.TrackerLog;
import org.buftrail.flow.tree.Node;
import org.buftrail.flow.tree.PathTree;
import org.buftrail.flow.tree.Sites;
import org.buftrail.model.ErrorText;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.model.TrackedResource;
import org.jspecify.annotations.Nullable;

/**
 * One type of resource, as the runtime knows it. Thread-safe.
 *
 * <p>Its objects have no place for a flow's state, so they are followed through {@link SideTable}.
 */
public final class Resource extends BufferAccess {
  /** The number of failures in a row after which the application's class is asked no more. */
  public static final int MAX_FAILURES = 100;

  public final Node root;
  public final boolean closedOnce;
  private final String name;
  private final String type;

  /** Binary name of a class below the type that closes itself, if there is one. */
  private final @Nullable String selfClosing;

  /** The description by the application. Null when it says nothing, and once it is removed. */
  private volatile @Nullable TrackedResource spi;

  /** Whether the application is to be asked, by a {@link TrackedResource}. */
  private final boolean asksApplication;

  /** Asks an object how often it is held, or null where one close is the end. */
  private final @Nullable NumberMethod count;

  /** Asks an object for its size, if anything does. */
  private final @Nullable NumberMethod bytes;

  /** Whether one of them was ever opened. */
  private volatile boolean opened;

  /** Set when the application's code is not to be called again. */
  private volatile boolean off;

  private final AtomicBoolean failureSaid = new AtomicBoolean();

  private final ClassValue<Boolean> isSubtype =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> c) {
          return isSubtype(c);
        }
      };

  /**
   * @param tree where its root is to be
   * @param name what paths call it
   * @param type binary name of a class or interface
   * @param spi what the application says of its objects, if anything
   */
  public Resource(
      PathTree tree, String name, String type, boolean closedOnce, @Nullable TrackedResource spi) {
    this(tree, name, type, closedOnce, spi, null, null, null);
  }

  /**
   * Makes the type of objects that are asked by methods without parameters.
   *
   * @param count how often an object is held; null where one close is the end
   * @param bytes how large it is; null for 0
   * @param selfClosing binary name of a class below the type whose objects close themselves, as by
   *     a finalizer, and are not followed; null for none
   */
  public Resource(
      PathTree tree,
      String name,
      String type,
      boolean closedOnce,
      @Nullable TrackedResource spi,
      @Nullable String count,
      @Nullable String bytes,
      @Nullable String selfClosing) {
    this.name = name;
    this.type = type;
    this.closedOnce = closedOnce;
    this.selfClosing = selfClosing;
    this.spi = spi;
    this.asksApplication = spi != null;
    this.count = count == null ? null : new NumberMethod(count);
    this.bytes = bytes == null ? null : new NumberMethod(bytes);
    Sites.intern(Sites.ofClose(name));
    int open = Sites.intern(new Site(name, Path.RESOURCE_OPEN, "", 0, ""));
    root = tree.root(open, Node.RESOURCE);
  }

  @Override
  boolean isResource() {
    return true;
  }

  /**
   * Takes the place of a type that was described in the same way and is followed no longer, so that
   * objects which outlive an attachment are known to the next. Two that the application describes
   * at the same time stay two.
   *
   * @return whether it is the same type, which begins anew then
   */
  public boolean resume(Resource same) {
    if (!isLike(same) || (asksApplication && spi != null && spi != same.spi)) {
      return false;
    }
    spi = same.spi;
    opened = false;
    off = false;
    failureSaid.set(false);
    resume(count);
    resume(bytes);
    return true;
  }

  private static void resume(@Nullable NumberMethod method) {
    if (method != null) {
      method.failures.set(0);
    }
  }

  private boolean isLike(Resource other) {
    return name.equals(other.name)
        && type.equals(other.type)
        && closedOnce == other.closedOnce
        && Objects.equals(selfClosing, other.selfClosing)
        && asksApplication == other.asksApplication
        && String.valueOf(count).equals(String.valueOf(other.count))
        && String.valueOf(bytes).equals(String.valueOf(other.bytes));
  }

  /** Whether an object is to be followed. */
  public boolean isMine(Object opened) {
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

  /**
   * How many hold an object that one has let go of, as far as it is known. Calls the application.
   */
  public int left(Object object, SideState side) {
    int asked = side.ask(object, false);
    return count == null || off ? 0 : asked >= 0 ? asked : side.loseHolder();
  }

  public void noteOpened() {
    if (!opened) {
      opened = true;
    }
  }

  public boolean isOpened() {
    return opened;
  }

  /** By name, because the type may be in any number of class loaders. */
  private boolean isSubtype(@Nullable Class<?> c) {
    if (c == null || c.getName().equals(selfClosing)) {
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
  public void remove(TrackedResource removed) {
    if (spi == removed) {
      off = true;
      spi = null;
    }
  }

  private void switchOff(Throwable thrown) {
    Suppressed.passOn(thrown);
    if (!off) {
      off = true;
      TrackerLog.add(
          "resources of type " + name + " are followed no more: " + ErrorText.of(thrown));
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

  /** One, until {@link SideState#ask} has heard more. */
  @Override
  public int refCnt(Object owner) {
    return 1;
  }

  /** Unknown, until {@link SideState#ask} has heard more. */
  @Override
  public int capacity(Object owner) {
    return -1;
  }

  @Override
  boolean isAsked() {
    return !off && (count != null || bytes != null || spi != null);
  }

  @Override
  int count(Object object, boolean opening) {
    return count == null ? 1 : number(count, object, opening);
  }

  @Override
  int bytes(Object object, boolean opening) {
    NumberMethod method = bytes;
    if (method != null) {
      return number(method, object, opening);
    }
    TrackedResource asked = spi;
    if (asked == null || off) {
      return -1;
    }
    try {
      return size(asked.bytes(object));
    } catch (Throwable e) {
      switchOff(e);
      return -1;
    }
  }

  private static int size(long number) {
    return (int) Math.min(Integer.MAX_VALUE, Math.max(0, number));
  }

  private int number(NumberMethod method, Object object, boolean opening) {
    if (off) {
      return -1;
    }
    try {
      int number = size(method.of(object));
      if (method.failures.get() != 0) {
        method.failures.set(0);
      }
      return number;
    } catch (NoSuchMethodException e) {
      switchOff(e);
    } catch (Throwable e) {
      failed(method, e, opening);
    }
    return -1;
  }

  /**
   * That one object fails says nothing of the others; that many do in a row, with none between that
   * answers, does. One that is opened may not be built yet: then it is asked again later.
   */
  private void failed(NumberMethod method, Throwable thrown, boolean opening) {
    Throwable cause = NumberMethod.cause(thrown);
    Suppressed.passOn(cause);
    if (Suppressed.isOfTheJvm(cause)) {
      Suppressed.add(cause);
    } else if (!opening) {
      if (method.failures.incrementAndGet() >= MAX_FAILURES) {
        switchOff(cause);
      } else if (failureSaid.compareAndSet(false, true)) {
        String what = ErrorText.of(cause);
        TrackerLog.add(
            "resources of type " + name + ": " + method + " fails, so it may be wrong: " + what);
        Suppressed.addLogged();
      }
    }
  }

  @Override
  public boolean isDirect(Object owner) {
    return false;
  }
}
