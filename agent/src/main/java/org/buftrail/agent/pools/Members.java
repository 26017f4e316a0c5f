package org.buftrail.agent.pools;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds the private members of a library's classes. Confined to one thread. */
final class Members {
  private final Class<?> sibling;
  private final Consumer<Class<?>> open;

  /**
   * @param sibling a class of the package in which others are looked for by their simple names
   * @param open lets the agent read the members of a class, whatever its module says
   */
  Members(Class<?> sibling, Consumer<Class<?>> open) {
    this.sibling = sibling;
    this.open = open;
  }

  /** Looks into the package of another class in the same way. */
  Members(Class<?> sibling, Members others) {
    this(sibling, others.open);
  }

  /** A class of the same package, which is not initialised by this. */
  Class<?> type(String simpleName) throws ClassNotFoundException {
    String name = sibling.getPackageName() + "." + simpleName;
    Class<?> type = Class.forName(name, false, sibling.getClassLoader());
    open.accept(type);
    return type;
  }

  /** A class that only some versions have. */
  @Nullable Class<?> typeOrNull(String simpleName) {
    try {
      return type(simpleName);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** A class below the package {@code util}, beside this one. */
  Class<?> inUtil(String name) throws ClassNotFoundException {
    String here = sibling.getPackageName();
    String util = here.substring(0, here.lastIndexOf('.') + 1) + "util.";
    return Class.forName(util + name, false, sibling.getClassLoader());
  }

  /** A field that a class declares. */
  Field field(Class<?> type, String name) throws NoSuchFieldException {
    try {
      Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new NoSuchFieldException(type.getSimpleName() + "." + name);
    }
  }

  /** A field of a class in the same package. */
  Field field(String simpleName, String name) throws ReflectiveOperationException {
    return field(type(simpleName), name);
  }

  /** A field that only some versions have. */
  @Nullable Field fieldOrNull(Class<?> type, String name) {
    try {
      return field(type, name);
    } catch (NoSuchFieldException e) {
      return null;
    }
  }

  /** A method that a class declares. */
  Method method(Class<?> type, String name, Class<?>... parameters) throws NoSuchMethodException {
    Method method = type.getDeclaredMethod(name, parameters);
    method.setAccessible(true);
    return method;
  }
}
