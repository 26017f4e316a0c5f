package org.buftrail.junit;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.rules.TestRule;
import org.junit.runner.Description;
import org.junit.runners.model.Statement;

/**
 * For JUnit 4: a test with this {@code @Rule} fails if buffers that it allocated are open when it
 * has ended. As a {@code @ClassRule} beside it, what {@code @BeforeClass} allocates is looked at
 * after {@code @AfterClass}, and fails the class.
 *
 * <p>It has to stand around all other rules, with {@code @Rule(order = Integer.MIN_VALUE)}: what
 * others release afterwards is no leak, and one that expects an exception would swallow ours.
 *
 * <p>Without a {@code @ClassRule}, {@code @BeforeClass} and constructors are the run's. Those that
 * ran before the first test with a rule are nobody's: JUnit makes the instance first.
 *
 * <p>Tests are taken to run one after the other: while one alone runs, what any thread allocates is
 * its own. Used by many threads.
 */
public final class BufferLeakRule implements TestRule {
  private static final Rules RULES = TestSettings.rules(name -> null);

  /** Of classes that are under way, by name. */
  private static final Map<String, Scopes.Scope> CLASSES = new ConcurrentHashMap<>();

  /** For tests. */
  public BufferLeakRule() {}

  @Override
  public Statement apply(Statement base, Description description) {
    return new Statement() {
      @Override
      public void evaluate() throws Throwable {
        LeakRun run = TestAgent.run();
        if (run == null) {
          base.evaluate();
        } else {
          TestAgent.reportAtExit();
          BufferLeakRule.evaluate(run, base, description);
        }
      }
    };
  }

  private static void evaluate(LeakRun run, Statement base, Description description)
      throws Throwable {
    run.claim();
    String type = description.getClassName();
    if (description.isTest()) {
      Scopes.Scope around = CLASSES.getOrDefault(type, run.scope());
      Scopes.Scope scope = run.open(name(type, description.getMethodName()), around, null);
      evaluate(run, base, scope, Until.TEST, around != run.scope());
    } else {
      Scopes.Scope scope = run.open(type, run.scope(), null);
      CLASSES.put(type, scope);
      try {
        evaluate(run, base, scope, Until.CLASS, false);
      } finally {
        CLASSES.remove(type, scope);
      }
    }
  }

  private static void evaluate(
      LeakRun run, Statement base, Scopes.Scope scope, Until boundary, boolean isJudgedAgain)
      throws Throwable {
    ScopedWork.run(
        scope,
        true,
        base::evaluate,
        () -> {
          Verdict verdict = run.end(scope, RULES, boundary, isJudgedAgain);
          Verdict failing = verdict == null ? null : run.failing(verdict);
          if (failing != null) {
            throw failing.error();
          }
        });
  }

  /** As the other frameworks' tests are called; {@code ships[1]} is an invocation of several. */
  static String name(String type, @Nullable String method) {
    String name = String.valueOf(method);
    int invocation = name.indexOf('[');
    return invocation < 0
        ? type + '.' + name + "()"
        : type + '.' + name.substring(0, invocation) + "() " + name.substring(invocation);
  }
}
