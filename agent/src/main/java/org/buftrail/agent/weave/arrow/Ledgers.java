package org.buftrail.agent.weave.arrow;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.buftrail.flow.state.BufferAccess;
import org.jspecify.annotations.Nullable;

/** Asks Arrow's buffers and what counts for them, of whichever loader. Thread-safe. */
final class Ledgers extends BufferAccess {
  private static final String BUFFER = Arrow.BUFFER.replace('/', '.');
  private static final String LEDGER = Arrow.LEDGER.replace('/', '.');
  private static final String MANAGER = "org.apache.arrow.memory.ReferenceManager";

  /** The methods of each class; they are unloaded with it. */
  private final ClassValue<Methods> methods =
      new ClassValue<>() {
        @Override
        protected Methods computeValue(Class<?> c) {
          try {
            return new Methods(c);
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("not as Apache Arrow has it: " + c.getName(), e);
          }
        }
      };

  /** The methods that answer: a buffer's gives its ledger, a ledger's give numbers. */
  private static final class Methods {
    private static final MethodType OBJECT = MethodType.methodType(Object.class, Object.class);
    private static final MethodType INT = MethodType.methodType(int.class, Object.class);
    private static final MethodType LONG = MethodType.methodType(long.class, Object.class);

    final @Nullable MethodHandle ledger;
    final @Nullable MethodHandle count;
    final @Nullable MethodHandle size;

    Methods(Class<?> c) throws ReflectiveOperationException {
      MethodHandles.Lookup lookup = MethodHandles.publicLookup();
      if (isBuffer(c)) {
        Class<?> manager = Class.forName(MANAGER, false, c.getClassLoader());
        MethodType gives = MethodType.methodType(manager);
        ledger = lookup.findVirtual(c, "getReferenceManager", gives).asType(OBJECT);
        count = null;
        size = null;
      } else {
        ledger = null;
        count = lookup.findVirtual(c, "getRefCount", MethodType.methodType(int.class)).asType(INT);
        size = lookup.findVirtual(c, "getSize", MethodType.methodType(long.class)).asType(LONG);
      }
    }
  }

  private static boolean isBuffer(Class<?> c) {
    return c.getName().equals(BUFFER);
  }

  private static boolean isLedger(Class<?> c) {
    return c.getName().equals(LEDGER);
  }

  /** Asks classes of any loader, and holds none of them. */
  @Override
  public Class<?> type() {
    return Ledgers.class;
  }

  @Override
  public boolean isLessExact() {
    return false;
  }

  /** Each allocation has a new one. */
  @Override
  public boolean isUsedOnce() {
    return true;
  }

  @Override
  public boolean covers(Class<?> c) {
    return isBuffer(c) || isLedger(c);
  }

  /** Null for buffers without memory, which nothing counts for. */
  @Override
  public @Nullable Object owner(Object object) {
    MethodHandle ledger =
        isLedger(object.getClass()) ? null : methods.get(object.getClass()).ledger;
    if (ledger == null) {
      return object;
    }
    try {
      Object owner = (Object) ledger.invokeExact(object);
      return owner != null && isLedger(owner.getClass()) ? owner : null;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public @Nullable Object content(Object object) {
    return null;
  }

  @Override
  public int refCnt(Object owner) {
    MethodHandle count = methods.get(owner.getClass()).count;
    try {
      return count == null ? 1 : (int) count.invokeExact(owner);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public int capacity(Object owner) {
    MethodHandle size = methods.get(owner.getClass()).size;
    try {
      long bytes = size == null ? -1 : (long) size.invokeExact(owner);
      return (int) Math.min(Integer.MAX_VALUE, bytes);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public boolean isDirect(Object owner) {
    return true;
  }
}
