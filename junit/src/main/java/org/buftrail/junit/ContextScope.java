package org.buftrail.junit;

import java.lang.reflect.AnnotatedElement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.InvocationInterceptor.Invocation;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The scope of a test or class, kept in JUnit's store, which closes it after all else.
 *
 * <p>JUnit calls {@link #enter} and {@link #close} of one from the same thread.
 */
@SuppressWarnings("deprecation") // JUnit before 5.13 closes only this, later ones both.
final class ContextScope implements ExtensionContext.Store.CloseableResource, AutoCloseable {
  private static final Namespace OWN = Namespace.create(ContextScope.class);

  private final LeakRun run;
  private final Scopes.Scope scope;
  private final Rules rules;

  /** Those that it is judged by; {@link #rules} are for what is within. */
  private final Rules own;

  private final Until boundary;
  private final ExtensionContext context;

  /** Whether no other scope within the same one is open while this one is. */
  private final boolean isAlone;

  /** Whether the scope around is judged at its end. */
  private final boolean isJudgedAgain;

  private Scopes.@Nullable Entered entered;

  private ContextScope(
      LeakRun run,
      ExtensionContext context,
      @Nullable ContextScope around,
      Until boundary,
      Rules rules) {
    this.run = run;
    this.context = context;
    this.boundary = boundary;
    this.rules = rules;
    this.own = rules.budget == null || hasBudget(context, boundary) ? rules : rules.with(null);
    this.scope = run.open(TestNames.of(context), parent(run, around, rules), own.budget);
    this.isJudgedAgain =
        boundary == Until.TEST
            && around != null
            && around.own.allowedUntil.compareTo(around.boundary) <= 0;
    this.isAlone = Concurrency.isAlone(context) && (around == null || around.isAlone);
  }

  /** Each test has a budget of its own: neither their class nor a factory has one. */
  private static boolean hasBudget(ExtensionContext context, Until boundary) {
    return boundary == Until.TEST
        && !AnnotationSupport.isAnnotated(context.getTestMethod(), TestFactory.class);
  }

  /** The nearest scope that a context stands in, or null. */
  private static @Nullable ContextScope around(LeakRun run, ExtensionContext context) {
    Optional<ExtensionContext> at = context.getParent();
    while (at.isPresent()) {
      if (isScope(at.get())) {
        return find(run, at.get());
      }
      at = at.get().getParent();
    }
    return null;
  }

  /** What outlives the class by intent is the run's from the beginning. */
  private static Scopes.Scope parent(LeakRun run, @Nullable ContextScope around, Rules rules) {
    return around == null || rules.allowedUntil == Until.RUN ? run.scope() : around.scope;
  }

  /** A class, or a test; not what stands for the invocations of one, nor an engine. */
  private static boolean isScope(ExtensionContext context) {
    return context.getTestClass().isPresent()
        && (context.getTestMethod().isEmpty() || context.getTestInstance().isPresent());
  }

  /** Returns the rules of the nearest annotations. */
  private static Rules rules(ExtensionContext context, @Nullable ContextScope around) {
    return declaredRules(context, around).with(budget(context, around));
  }

  private static @Nullable Budget budget(ExtensionContext context, @Nullable ContextScope around) {
    Optional<ExtensionContext> at = Optional.of(context);
    while (at.isPresent() && (around == null || at.get() != around.context)) {
      Optional<AnnotatedElement> element = at.get().getElement();
      Budget own = element.isPresent() ? DeclaredRules.budget(element.get()) : null;
      if (own != null) {
        return own;
      }
      at = at.get().getParent();
    }
    return around == null ? null : around.rules.budget;
  }

  /** Returns the rules of the nearest annotation; a package's stands around its classes. */
  private static Rules declaredRules(ExtensionContext context, @Nullable ContextScope around) {
    Optional<ExtensionContext> at = Optional.of(context);
    while (at.isPresent() && (around == null || at.get() != around.context)) {
      Optional<AnnotatedElement> element = at.get().getElement();
      DetectBufferLeaks own = element.isPresent() ? DeclaredRules.of(element.get()) : null;
      if (own != null) {
        return DeclaredRules.with(runRules(context), own);
      }
      at = at.get().getParent();
    }
    if (around != null) {
      return around.rules;
    }
    DetectBufferLeaks ofPackage = context.getTestClass().map(DeclaredRules::ofPackage).orElse(null);
    Rules ofRun = runRules(context);
    return ofPackage == null ? ofRun : DeclaredRules.with(ofRun, ofPackage);
  }

  /** JUnit asks its own parameters, system properties and {@code junit-platform.properties}. */
  private static Rules runRules(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(OWN)
        .getOrComputeIfAbsent(
            Rules.class,
            key -> TestSettings.rules(name -> context.getConfigurationParameter(name).orElse(null)),
            Rules.class);
  }

  /** The scope of the context, opened if need be; null if nobody looks. */
  static @Nullable ContextScope of(ExtensionContext context) {
    LeakRun run = TestAgent.run();
    return run == null ? null : find(run, context);
  }

  private static ContextScope find(LeakRun run, ExtensionContext context) {
    // By the context itself, of which there is one for each test: to spell its id takes longer.
    ExtensionContext.Store store = context.getStore(OWN);
    ContextScope known = store.get(context, ContextScope.class);
    if (known != null) {
      return known;
    }
    Until boundary = context.getTestMethod().isPresent() ? Until.TEST : Until.CLASS;
    if (boundary == Until.CLASS) {
      RunEnd.prepare(run, context);
    }
    // Found before, since the store may not be asked while it computes.
    ContextScope around = around(run, context);
    Rules rules = rules(context, around);
    return store.getOrComputeIfAbsent(
        context,
        key -> new ContextScope(run, context, around, boundary, rules),
        ContextScope.class);
  }

  /** A scope of its own for a dynamic test, of which JUnit knows no end but the return. */
  static @Nullable ContextScope ofDynamic(ExtensionContext context) {
    LeakRun run = TestAgent.run();
    if (run == null) {
      return null;
    }
    ContextScope around = around(run, context);
    return new ContextScope(run, context, around, Until.TEST, rules(context, around));
  }

  /** Keeps the thread in the scope until that is closed. */
  void enter() {
    if (entered == null) {
      entered = scope.enter();
      claim();
    }
  }

  private void claim() {
    if (isAlone) {
      scope.claim();
    }
  }

  /** The thread is here until it closes the answer. */
  Scopes.Entered visit() {
    return scope.enter();
  }

  void run(Invocation<@Nullable Void> invocation) throws Throwable {
    ScopedWork.run(scope, isAlone, invocation::proceed, this::close);
  }

  @Override
  public void close() {
    if (entered != null) {
      entered.close();
      entered = null;
    }
    Throwable failure = context.getExecutionException().orElse(null);
    if (Aborted.is(failure)) {
      // An assumption was not met, perhaps before the release: the test stays skipped.
      scope.close();
      return;
    }
    if (failure != null) {
      scope.failedBy(failure);
    }
    Verdict verdict = run.end(scope, own, boundary, isJudgedAgain);
    if (own.budget != null) {
      context.publishReportEntry("buftrail.use", BufferUse.of(scope.use()).numbers());
    }
    if (verdict != null) {
      context.publishReportEntry("buftrail.leaks", LeakReport.json(verdict));
      Verdict failing = run.failing(verdict);
      if (failing != null) {
        throw failing.error();
      }
    }
  }
}
