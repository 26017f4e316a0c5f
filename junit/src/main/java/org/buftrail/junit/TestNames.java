package org.buftrail.junit;

import java.lang.reflect.Method;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;

/** What scopes are called: as IDEs and builds call tests. */
final class TestNames {
  private TestNames() {}

  /** {@code com.acme.OrderTest.ships()}, with {@code [display name]} where there are several. */
  static String of(ExtensionContext context) {
    Optional<Class<?>> type = context.getTestClass();
    Optional<Method> method = context.getTestMethod();
    if (type.isEmpty()) {
      return ofDynamic(context);
    }
    if (method.isEmpty()) {
      return type.get().getName();
    }
    String name = type.get().getName() + '.' + method.get().getName() + "()";
    return isOneOfSeveral(context) ? name + " [" + context.getDisplayName() + "]" : name;
  }

  /** A dynamic test has no class and no method; the factory around it does. */
  private static String ofDynamic(ExtensionContext context) {
    Optional<ExtensionContext> around = context.getParent();
    String name = around.isEmpty() ? "" : of(around.get());
    return name + " [" + context.getDisplayName() + "]";
  }

  private static boolean isOneOfSeveral(ExtensionContext context) {
    Optional<ExtensionContext> around = context.getParent();
    return around.isPresent() && around.get().getTestMethod().isPresent();
  }
}
