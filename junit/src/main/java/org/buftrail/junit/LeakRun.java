package org.buftrail.junit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.buftrail.flow.LeakScope;
import org.buftrail.flow.ScopeTracking;
import org.jspecify.annotations.Nullable;

/**
 * All tests of this JVM: the scope around them, what was found so far, and the report.
 *
 * <p>Thread-safe. Not to be loaded before the agent is there; {@link TestAgent} sees to that.
 */
final class LeakRun {
  private static final String NAME = "the run";

  private final Scopes scopes;
  private final Scopes.Scope scope;
  private final Waits waits;
  private final KnownLeaks known;

  /** Asked once there is a report: to look which JVM started this one takes time at the start. */
  private final Supplier<ReportParts> parts;

  private final GithubAnnotations annotations;
  private final StepSummary summary;
  private final AtomicLong judged = new AtomicLong();
  private final AtomicBoolean hasClaimed = new AtomicBoolean();
  private final AtomicBoolean hasFailed = new AtomicBoolean();
  private final AtomicBoolean isCutSaid = new AtomicBoolean();

  /** Guarded by itself. */
  private final List<Verdict> found = new ArrayList<>();

  /** What static initialisers allocated while tests ran. Guarded by itself. */
  private final List<Leak> ofEverybody = new ArrayList<>();

  LeakRun(
      Scopes scopes,
      Verdict.Clock clock,
      KnownLeaks known,
      Supplier<ReportParts> parts,
      Map<String, String> environment) {
    this.scopes = scopes;
    this.scope = scopes.open(NAME, null, null);
    this.waits = new Waits(clock);
    this.known = known;
    this.parts = parts;
    this.annotations = new GithubAnnotations(Path.of(""), environment);
    this.summary = new StepSummary(Path.of(""), environment);
  }

  /** The one of this JVM's agent, or what makes it useless, in one line. */
  static LeakRun ofAgent(List<String> warnings) {
    ScopeTracking tracking = LeakScope.tracking();
    if (tracking.state() != ScopeTracking.State.ON) {
      throw new IllegalStateException(tracking.text());
    }
    warnings.addAll(tracking.gaps());
    return new LeakRun(
        new TrackerScopes(),
        Verdict.Clock.REAL,
        TestSettings.knownLeaks(),
        () -> ReportParts.ofThisJvm(TestSettings.reportDirectory()),
        System.getenv());
  }

  Scopes.Scope scope() {
    return scope;
  }

  /** All tests have a scope, so what is in none is the run's. Safe to repeat. */
  void claim() {
    if (!hasClaimed.getAndSet(true)) {
      scope.claim();
    }
  }

  Scopes.Scope open(String name, Scopes.Scope parent, @Nullable Budget budget) {
    return scopes.open(name, parent, budget);
  }

  /** See {@link Buffers#during}. */
  <E extends Throwable> BufferUse count(Buffers.Work<E> work) throws E {
    Scopes.Scope counted = scopes.openHere();
    try {
      Scopes.Entered entered = counted.enter();
      try {
        work.run();
      } finally {
        entered.close();
      }
      Verdict.settle(counted, TestSettings.rules(name -> null), waits);
      return BufferUse.of(counted.use());
    } finally {
      counted.handOver();
    }
  }

  /**
   * Ends a scope as its rules say.
   *
   * @param boundary until when what it allocated is allowed at least
   * @param isJudgedAgain whether the scope around is judged, with what this one hands over
   * @return what is wrong, or null
   */
  @Nullable Verdict end(Scopes.Scope ending, Rules rules, Until boundary, boolean isJudgedAgain) {
    return end(ending, ending.name(), rules, boundary, isJudgedAgain);
  }

  /** Returns the part of a verdict that fails a test, or null; prints known leaks. */
  @Nullable Verdict failing(Verdict verdict) {
    annotations.lines(verdict, known).forEach(TestAgent::print);
    Verdict failing = verdict.failing(known);
    long count = verdict.count() - failing.count();
    if (count > 0 && !known.areWritten) {
      TestAgent.say(verdict.name + " left " + count + " open on paths that are known to leak");
    }
    return failing.isClean() ? null : failing;
  }

  /**
   * The leaks that the run has left open by now and that are not known, or null; null too when it
   * has failed before. Asked by each engine and each execution, of which a later one may leak.
   */
  @Nullable Verdict failingOnce() {
    if (hasFailed.get()) {
      return null;
    }
    Verdict verdict = ofRun();
    Verdict failing = verdict.isClean() ? null : failing(verdict);
    return failing != null && !hasFailed.getAndSet(true) ? failing : null;
  }

  /** Waits as long as it may, whatever the tests have left of the minute. */
  private Verdict ofRun() {
    Rules rules = TestSettings.rules(name -> null);
    Verdict verdict = Verdict.of(scope, rules.withGrace(rules.grace), waits);
    synchronized (ofEverybody) {
      return verdict.and(ofEverybody);
    }
  }

  /** Ends a scope that was opened before the name of its test was known. */
  @Nullable Verdict end(
      Scopes.Scope ending, String name, Rules rules, Until boundary, boolean isJudgedAgain) {
    boolean isLookedAt = rules.allowedUntil != Until.FOREVER;
    if (!isLookedAt && rules.budget == null) {
      ending.close();
      return null;
    }
    judged.incrementAndGet();
    Verdict verdict = judge(ending, rules, boundary);
    boolean isLeft = isLookedAt && rules.allowedUntil.compareTo(boundary) > 0;
    // Beside others, some thread is at work at any time, and what they do is theirs.
    if (ending.isClaiming()) {
      boolean isLast = !isJudgedAgain || rules.limitsLive();
      if (isLast && !verdict.isClean() && !rules.declaresGrace && waits.areShort()) {
        verdict = judge(ending, rules.withGrace(rules.grace), boundary);
      } else if (verdict.isCut) {
        isLeft = true;
        verdict = verdict.withoutLeaks();
        sayCut();
      }
    }
    if (isLeft) {
      ending.handOver();
    } else {
      ending.close();
    }
    List<Leak> shared = verdict.ofEverybody();
    if (!shared.isEmpty()) {
      synchronized (ofEverybody) {
        ofEverybody.addAll(shared);
      }
      verdict = verdict.own();
    }
    if (verdict.isClean()) {
      return null;
    }
    Verdict named = verdict.named(name);
    synchronized (found) {
      found.add(named);
    }
    return named;
  }

  private Verdict judge(Scopes.Scope ending, Rules rules, Until boundary) {
    if (rules.allowedUntil == Until.FOREVER) {
      return Verdict.ofBudget(ending, rules, waits);
    }
    return rules.allowedUntil.compareTo(boundary) > 0
        ? Verdict.ofMisuses(ending, rules, waits)
        : Verdict.of(ending, rules, waits);
  }

  private void sayCut() {
    if (!isCutSaid.getAndSet(true)) {
      TestAgent.say(
          "waits for releases have taken a minute: what a test leaves open from now on, while"
              + " threads may still release it, is its class's");
    }
  }

  /**
   * Tells what the run has left open now, and writes the report of all tests of this JVM so far,
   * with those of other JVMs of the same run. Nothing, if there was no test and no claim.
   */
  void report() {
    if (judged.get() == 0 && !hasClaimed.get()) {
      return;
    }
    List<Verdict> all = new ArrayList<>();
    synchronized (found) {
      all.addAll(found);
    }
    Verdict verdict = ofRun();
    if (!verdict.isClean()) {
      all.add(verdict);
      TestAgent.say(verdict.text());
    }
    try {
      new LeakReport(all, judged.get(), known, summary).write(parts.get());
    } catch (IOException e) {
      TestAgent.say(String.valueOf(e.getMessage()));
    }
  }
}
