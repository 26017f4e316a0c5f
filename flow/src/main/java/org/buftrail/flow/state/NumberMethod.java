package org.buftrail.flow.state;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A method without parameters that gives a whole number, of objects of any class. Thread-safe. */
final class NumberMethod {
  /** How often in a row it has failed, as its caller counts. */
  final AtomicInteger failures = new AtomicInteger();

  private final String name;

  /** The method of each class; keeps no class alive that would otherwise be unloaded. */
  private final ClassValue<@Nullable Method> ofClass =
      new ClassValue<>() {
        @Override
        protected @Nullable Method computeValue(Class<?> c) {
          return find(c);
        }
      };

  NumberMethod(String name) {
    this.name = name;
  }

  /**
   * Calls it.
   *
   * @throws NoSuchMethodException when the object's class has none
   * @throws LinkageError when that is not known
   * @throws ReflectiveOperationException when it fails; see {@link #cause}
   */
  long of(Object object) throws ReflectiveOperationException {
    Class<?> c = object.getClass();
    Method method = ofClass.get(c);
    if (method == null) {
      // One that names a type which is not there cannot say what it has, and fails here.
      for (Class<?> at = c; at != null; at = at.getSuperclass()) {
        Objects.requireNonNull(at.getDeclaredMethods());
      }
      throw new NoSuchMethodException(
          c.getName() + " has no method " + this + " that gives a number and may be called");
    }
    return ((Number) method.invoke(object)).longValue();
  }

  /** The exception of the method itself, or the reason why it could not be called. */
  static Throwable cause(Throwable thrown) {
    Throwable cause = thrown instanceof InvocationTargetException ? thrown.getCause() : null;
    return cause == null ? thrown : cause;
  }

  @Override
  public String toString() {
    return name + "()";
  }

  /** The method nearest to a class that may be called: a module may keep the nearest to itself. */
  private @Nullable Method find(@Nullable Class<?> c) {
    if (c == null) {
      return null;
    }
    Method own = declared(c);
    if (own != null) {
      return own;
    }
    Method above = find(c.getSuperclass());
    for (Class<?> parent : c.getInterfaces()) {
      above = above == null ? find(parent) : above;
    }
    return above;
  }

  private @Nullable Method declared(Class<?> c) {
    try {
      Method method = c.getDeclaredMethod(name);
      Class<?> type = method.getReturnType();
      boolean isNumber = type == int.class || type == long.class || type == short.class;
      return isNumber && !Modifier.isStatic(method.getModifiers()) && method.trySetAccessible()
          ? method
          : null;
    } catch (NoSuchMethodException | LinkageError e) {
      // A class above, or an interface, may have it too.
      return null;
    }
  }
}
