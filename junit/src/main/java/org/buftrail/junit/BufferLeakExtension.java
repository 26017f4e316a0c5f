package org.buftrail.junit;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Looks at what tests allocate, as {@link DetectBufferLeaks} says.
 *
 * <p>Each test has a scope within that of its class, which is within that of the class around it or
 * of the run. The thread that runs a test is in its scope from before {@code @BeforeEach} until
 * JUnit has closed all that belongs to the test; so is any other thread that JUnit runs a method of
 * the test on. A test is judged last of all, when extensions and {@code @AutoClose} had their turn.
 */
public final class BufferLeakExtension
    implements BeforeAllCallback, BeforeEachCallback, InvocationInterceptor {
  /** For JUnit. */
  public BufferLeakExtension() {}

  @Override
  public void beforeAll(ExtensionContext context) {
    enter(context);
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    enter(context);
  }

  private static void enter(ExtensionContext context) {
    ContextScope scope = ContextScope.of(context);
    if (scope != null) {
      scope.enter();
    }
  }

  /** From JUnit 5.12 on: the constructor's allocations are the test's where it is made for one. */
  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(
      ExtensionContext rootContext) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public <T> T interceptTestClassConstructor(
      Invocation<T> invocation,
      ReflectiveInvocationContext<Constructor<T>> invoked,
      ExtensionContext context)
      throws Throwable {
    return within(invocation, context);
  }

  @Override
  public void interceptBeforeAllMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> invoked,
      ExtensionContext context)
      throws Throwable {
    within(invocation, context);
  }

  @Override
  public void interceptBeforeEachMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> invoked,
      ExtensionContext context)
      throws Throwable {
    within(invocation, context);
  }

  @Override
  public void interceptTestMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> invoked,
      ExtensionContext context)
      throws Throwable {
    within(invocation, context);
  }

  @Override
  public void interceptTestTemplateMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> invoked,
      ExtensionContext context)
      throws Throwable {
    within(invocation, context);
  }

  @Override
  public <T> T interceptTestFactoryMethod(
      Invocation<T> invocation,
      ReflectiveInvocationContext<Method> invoked,
      ExtensionContext context)
      throws Throwable {
    return within(invocation, context);
  }

  @Override
  public void interceptAfterEachMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> invoked,
      ExtensionContext context)
      throws Throwable {
    within(invocation, context);
  }

  @Override
  public void interceptAfterAllMethod(
      Invocation<@Nullable Void> invocation,
      ReflectiveInvocationContext<Method> invoked,
      ExtensionContext context)
      throws Throwable {
    within(invocation, context);
  }

  @Override
  public void interceptDynamicTest(
      Invocation<@Nullable Void> invocation,
      DynamicTestInvocationContext invoked,
      ExtensionContext context)
      throws Throwable {
    ContextScope scope = ContextScope.ofDynamic(context);
    if (scope == null) {
      invocation.proceed();
      return;
    }
    scope.run(invocation);
  }

  private static <T> T within(Invocation<T> invocation, ExtensionContext context) throws Throwable {
    ContextScope scope = ContextScope.of(context);
    if (scope == null) {
      return invocation.proceed();
    }
    Scopes.Entered visit = scope.visit();
    try {
      return invocation.proceed();
    } finally {
      visit.close();
    }
  }
}
