package org.buftrail.flow.woven;

import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The causes of futures that have failed. Classes of others are not asked: a mock counts its calls.
 * Stateless.
 */
final class FailedFutures {
  /** Ends the name of Netty's interface, wherever Netty lies. */
  private static final String NETTYS = "netty.util.concurrent.Future";

  private FailedFutures() {}

  /** Why a future of the JDK or of Netty has failed; null if it has not, or is another object. */
  static @Nullable Throwable cause(@Nullable Object future) throws IllegalAccessException {
    if (future == null) {
      return null;
    }
    Class<?> own = future.getClass();
    if (own == CompletableFuture.class) {
      return causeOf((CompletableFuture<?>) future);
    }
    Class<?> type = nettys(own);
    if (type == null || !isNettysOwn(own, type)) {
      return null;
    }
    try {
      return (Throwable) type.getMethod("cause").invoke(future);
    } catch (NoSuchMethodException | InvocationTargetException e) {
      return null;
    }
  }

  private static @Nullable Throwable causeOf(CompletableFuture<?> future) {
    try {
      if (future.isCompletedExceptionally()) {
        future.getNow(null);
      }
      return null;
    } catch (RuntimeException e) {
      return e;
    }
  }

  /** Whether a class has Netty's root package and a file, which generated classes lack. */
  private static boolean isNettysOwn(Class<?> type, Class<?> future) {
    String name = type.getName();
    String of = future.getName();
    String root = of.substring(0, of.length() - NETTYS.length()).concat("netty.");
    return name.startsWith(root)
        && type.getResource(name.substring(name.lastIndexOf('.') + 1).concat(".class")) != null;
  }

  private static @Nullable Class<?> nettys(Class<?> type) {
    if (type.getName().endsWith(NETTYS)) {
      return type;
    }
    for (Class<?> each : type.getInterfaces()) {
      Class<?> found = nettys(each);
      if (found != null) {
        return found;
      }
    }
    Class<?> above = type.getSuperclass();
    return above == null ? null : nettys(above);
  }
}
