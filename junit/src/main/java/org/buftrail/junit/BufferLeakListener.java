package org.buftrail.junit;

import org.jspecify.annotations.Nullable;
import org.testng.IExecutionListener;
import org.testng.IInvokedMethod;
import org.testng.IInvokedMethodListener;
import org.testng.ITestClass;
import org.testng.ITestContext;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;
import org.testng.xml.XmlTest;

/**
 * For TestNG: a test fails if buffers that it allocated are open when it has ended.
 *
 * <p>Its scope begins with the first {@code @BeforeMethod}. Where its class has
 * {@code @AfterMethod}, it is judged after the last of these, and that one fails, since TestNG has
 * then told the result of the test. What other configuration methods allocate is the run's.
 *
 * <p>Used by many threads. TestNG calls all methods around a test from one.
 */
public final class BufferLeakListener implements IInvokedMethodListener, IExecutionListener {
  private static final class OpenScope {
    final Scopes.Scope scope;
    final Scopes.Entered entered;

    /** The name of the test, which is known only after its set-up has run. */
    String name;

    OpenScope(Scopes.Scope scope, boolean isAlone) {
      this.scope = scope;
      this.entered = scope.enter();
      if (isAlone) {
        scope.claim();
      }
      this.name = scope.name();
    }
  }

  private static final Rules RULES = TestSettings.rules(name -> null);

  private static final ThreadLocal<@Nullable OpenScope> CURRENT = new ThreadLocal<>();

  /** For TestNG. */
  public BufferLeakListener() {}

  @Override
  public void onExecutionStart() {
    TestAgent.run();
  }

  @Override
  public void onExecutionFinish() {
    TestAgent.report();
  }

  @Override
  public void beforeInvocation(IInvokedMethod method, ITestResult result) {
    LeakRun run = TestAgent.run();
    ITestNGMethod invoked = method.getTestMethod();
    boolean isTest = method.isTestMethod();
    if (run == null || (!isTest && !invoked.isBeforeMethodConfiguration())) {
      return;
    }
    String name = invoked.getRealClass().getName() + '.' + invoked.getMethodName() + "()";
    OpenScope open = CURRENT.get();
    if (open == null) {
      run.claim();
      CURRENT.set(
          new OpenScope(run.open(name, run.scope(), null), isAlone(result.getTestContext())));
    } else if (isTest) {
      open.name = name;
    }
  }

  @Override
  public void afterInvocation(IInvokedMethod method, ITestResult result) {
    LeakRun run = TestAgent.run();
    OpenScope open = CURRENT.get();
    if (run == null || open == null || !isLast(method.getTestMethod())) {
      return;
    }
    CURRENT.remove();
    open.entered.close();
    Verdict verdict = run.end(open.scope, open.name, RULES, Until.TEST, false);
    Verdict failing = verdict == null ? null : run.failing(verdict);
    if (failing != null && result.isSuccess()) {
      result.setStatus(ITestResult.FAILURE);
      result.setThrowable(failing.error());
    }
  }

  /** Whether TestNG runs no other test meanwhile, by what was configured. */
  private static boolean isAlone(ITestContext context) {
    XmlTest test = context.getCurrentXmlTest();
    if (test.getParallel().isParallel() || test.getSuite().getParallel().isParallel()) {
      return false;
    }
    for (ITestNGMethod method : context.getAllTestMethods()) {
      if (method.getThreadPoolSize() > 1) {
        return false;
      }
    }
    return true;
  }

  /** Whether no method of the same test follows. */
  private static boolean isLast(ITestNGMethod method) {
    ITestClass type = method.getTestClass();
    ITestNGMethod[] after = type == null ? new ITestNGMethod[0] : type.getAfterTestMethods();
    if (method.isTest()) {
      return after.length == 0;
    }
    return method.isAfterMethodConfiguration()
        && after.length > 0
        && after[after.length - 1].getMethodName().equals(method.getMethodName());
  }
}
