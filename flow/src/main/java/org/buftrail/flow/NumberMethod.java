package org.buftrail.flow;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;

/** A method without parameters that gives a whole number, of objects of any class. Thread-safe. */
final class NumberMethod {
  private final String name;

  /** What a class has, by which no class is kept alive but by itself. */
  private final ClassValue<Method> ofClass =
      new ClassValue<>() {
        @Override
        protected Method computeValue(Class<?> c) {
          Method found = find(c);
          if (found == null) {
            throw new IllegalArgumentException(
                c.getName()
                    + " has no method "
                    + name
                    + "() that gives a number and may be called");
          }
          return found;
        }
      };

  NumberMethod(String name) {
    this.name = name;
  }

  /** Calls it. */
  long of(Object object) throws ReflectiveOperationException {
    return ((Number) ofClass.get(object.getClass()).invoke(object)).longValue();
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
    } catch (NoSuchMethodException e) {
      return null;
    }
  }
}
