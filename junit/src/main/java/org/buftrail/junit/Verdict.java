package org.buftrail.junit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.buftrail.model.Misuse;
import org.buftrail.report.EvidenceText;
import org.buftrail.report.OwnerText;

/** The findings at the end of a scope, if there are any. Immutable. */
final class Verdict {
  private static final int MAX_PATHS = 10;

  private static final String ADVICE =
      "  Release it there, or pass it on to what does. If it is released later, allow that with"
          + " @DetectBufferLeaks(allowedUntil = Until.CLASS, or RUN). What an EmbeddedChannel still"
          + " has, its finishAndReleaseAll() releases.";

  /** The test, class or run, as people call it. */
  final String name;

  final List<Leak> leaks;
  final List<Misuse> misuses;
  final List<Overrun> overruns;
  private final long waitedMillis;

  /** Whether the minute of the run ended the wait: threads may still release what is open. */
  final boolean isCut;

  Verdict(
      String name,
      List<Leak> leaks,
      List<Misuse> misuses,
      List<Overrun> overruns,
      long waitedMillis) {
    this(name, leaks, misuses, overruns, waitedMillis, false);
  }

  private Verdict(
      String name,
      List<Leak> leaks,
      List<Misuse> misuses,
      List<Overrun> overruns,
      long waitedMillis,
      boolean isCut) {
    this.name = name;
    this.leaks = List.copyOf(leaks);
    this.misuses = List.copyOf(misuses);
    this.overruns = List.copyOf(overruns);
    this.waitedMillis = waitedMillis;
    this.isCut = isCut;
  }

  boolean isClean() {
    return leaks.isEmpty() && misuses.isEmpty() && overruns.isEmpty();
  }

  long count() {
    return leaks.stream().mapToLong(Leak::count).sum();
  }

  long bytes() {
    return leaks.stream().mapToLong(Leak::bytes).sum();
  }

  /**
   * The failure, with the path of the most bytes as its stack trace; without a leak, with the stack
   * of the allocation that went past a budget; of a misuse alone, with the stack of that and the
   * first release as its cause.
   */
  BufferLeakError error() {
    if (!leaks.isEmpty()) {
      return new BufferLeakError(text(true), leaks.get(0).trace());
    }
    if (!overruns.isEmpty()) {
      return new BufferLeakError(text(true), overruns.get(0).trace());
    }
    Misuse misuse = misuses.get(0);
    StackTraceElement[] released = Leak.trace(misuse.hops());
    StackTraceElement[] stack =
        misuse.stack().isEmpty()
            ? Leak.trace(misuse.site())
            : misuse.stack().toArray(new StackTraceElement[0]);
    boolean isLive = misuse.kind() == Misuse.Kind.RELEASE_OF_TOO_MANY;
    String cause = isLive ? "the buffer is not released; last seen" : "first released";
    return new BufferLeakError(text(true), stack, new BufferLeakError(cause, released));
  }

  /** The leaks that fail the test: known ones do not. */
  Verdict failing(KnownLeaks known) {
    return anyOf(leaks.stream().filter(leak -> !known.has(name, leak)));
  }

  /** Lists leaks and misuses, each with its path as lines of a stack trace. */
  String text() {
    return text(false);
  }

  /**
   * @param hasStack whether a stack trace follows, which is the path of the first leak
   */
  private String text(boolean hasStack) {
    List<String> lines = new ArrayList<>();
    if (!leaks.isEmpty()) {
      lines.add(headline());
    }
    for (Leak leak : leaks.subList(0, Math.min(MAX_PATHS, leaks.size()))) {
      String what = "  " + amount(leak) + age(leak) + origin(leak);
      if (hasStack && leak == leaks.get(0)) {
        lines.add(what + "; the stack trace is the path");
      } else {
        lines.add(what + "; last seen");
        add(lines, leak.trace());
      }
      String owner = OwnerText.sentence(leak.path);
      if (owner != null && leak != leaks.get(0)) {
        lines.add("    " + owner);
      }
      for (String sentence : EvidenceText.sentences(leak.path)) {
        lines.add("    " + sentence);
      }
      if (leak.contrast != null) {
        lines.add("    " + leak.contrast);
      }
    }
    if (leaks.size() > MAX_PATHS) {
      lines.add("  and " + (leaks.size() - MAX_PATHS) + " more paths");
    }
    if (hasStack && !leaks.isEmpty()) {
      lines.add(ADVICE);
    }
    for (Overrun overrun : overruns) {
      lines.add(name + " " + overrun.text);
      lines.addAll(overrun.paths);
    }
    for (Misuse misuse : misuses) {
      add(lines, misuse);
    }
    return String.join("\n", lines);
  }

  private String headline() {
    return name
        + " left "
        + what(leaks)
        + " open, "
        + bytes(bytes())
        + holding(leaks.stream().mapToLong(leak -> leak.path.held()).sum())
        + (waitedMillis > 0 ? ", also " + seconds(waitedMillis) + " after its end" : "")
        + (leaks.size() == 1 ? "; " : "; most of it ")
        + leaks.get(0).lastSeen();
  }

  private static String what(List<Leak> leaks) {
    long buffers = 0;
    long resources = 0;
    for (Leak leak : leaks) {
      if (leak.path.resource() == null) {
        buffers += leak.count();
      } else {
        resources += leak.count();
      }
    }
    List<String> words = new ArrayList<>();
    if (buffers > 0) {
      words.add(buffers + (buffers == 1 ? " buffer" : " buffers"));
    }
    if (resources > 0) {
      words.add(resources + (resources == 1 ? " resource" : " resources"));
    }
    return String.join(" and ", words);
  }

  static String amount(Leak leak) {
    String resource = leak.path.resource();
    if (resource != null) {
      return leak.count() + " of " + resource;
    }
    return what(Collections.singletonList(leak))
        + ", "
        + bytes(leak.bytes())
        + (leak.path.isDirect() ? ", direct" : ", heap")
        + holding(leak.path.held());
  }

  private static String holding(long parts) {
    return parts == 0 ? "" : ", holding " + parts + " more";
  }

  private static String age(Leak leak) {
    long oldest = leak.path.oldestMillis();
    return oldest < 1_000 ? "" : ", up to " + seconds(oldest) + " old";
  }

  /** Where it was allocated, if not here. */
  private String origin(Leak leak) {
    return leak.scope.equals(name) ? "" : ", allocated in " + leak.scope;
  }

  private static void add(List<String> lines, StackTraceElement[] trace) {
    for (StackTraceElement frame : trace) {
      lines.add("    at " + frame);
    }
  }

  private void add(List<String> lines, Misuse misuse) {
    lines.add(
        name
            + ": "
            + misuse.kind().text()
            + (misuse.count() == 1 ? "" : ", " + misuse.count() + " times"));
    add(lines, Leak.trace(misuse.site()));
    boolean isLive = misuse.kind() == Misuse.Kind.RELEASE_OF_TOO_MANY;
    lines.add(isLive ? "  the buffer is not released; last seen" : "  first released");
    add(lines, Leak.trace(misuse.hops()));
    if (!misuse.earlier().isEmpty()) {
      lines.add("  the same object's life before ended");
      add(lines, Leak.trace(misuse.earlier()));
    }
  }

  static String bytes(long n) {
    return n < 1024 ? n + " B" : String.format(Locale.ROOT, "%.1f KiB", n / 1024.0);
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
  }

  /** With more leaks. */
  Verdict and(List<Leak> more) {
    return anyOf(Stream.concat(leaks.stream(), more.stream()));
  }

  /** Returns this verdict under another name than that of its scope. */
  Verdict named(String other) {
    List<Leak> renamed = new ArrayList<>();
    for (Leak leak : leaks) {
      renamed.add(leak.scope.equals(name) ? leak.in(other) : leak);
    }
    return new Verdict(other, renamed, misuses, overruns, waitedMillis, isCut);
  }

  /**
   * Waits for tasks of the test that executors still have, then for releases of what is left: each
   * as long as the grace allows and threads are at work, as {@link Waits} says. Then says what is
   * wrong.
   */
  static Verdict of(Scopes.Scope scope, Rules rules, Waits waits) {
    Verdict settled = settle(scope, rules, waits);
    List<Leak> leaks = settled.leaks;
    if (!leaks.isEmpty()) {
      leaks = Leak.contrasted(leaks, scope.paths());
    }
    List<Misuse> misuses = misuses(scope, rules);
    long left = own(leaks, scope.name());
    List<Overrun> overruns = overruns(scope, rules, left);
    boolean isAllowed = left <= rules.allowedLive();
    Verdict all =
        new Verdict(scope.name(), leaks, misuses, overruns, settled.waitedMillis, settled.isCut);
    return isAllowed && rules.budget != null ? all.without(all.own().leaks) : all;
  }

  /** Waits as {@link #of} does. The answer has the leaks alone. */
  static Verdict settle(Scopes.Scope scope, Rules rules, Waits waits) {
    awaitTasks(scope, waits.forTasks(scope, rules));
    List<Leak> leaks = leaks(scope, rules);
    long waited = 0;
    boolean isCut = false;
    if (!leaks.isEmpty()) {
      Waits.Wait wait = waits.forReleases(scope, rules);
      boolean goesOn = true;
      while (own(leaks, scope.name()) > rules.allowedLive() && goesOn) {
        goesOn = wait.goesOn();
        // At the end too: a thread may have come to rest since they were listed.
        leaks = leaks(scope, rules);
      }
      waited = wait.millis();
      isCut = wait.isCut() && own(leaks, scope.name()) > rules.allowedLive();
    }
    return new Verdict(scope.name(), leaks, List.of(), List.of(), waited, isCut);
  }

  /** How many buffers and resources are not of everybody. */
  private static long own(List<Leak> leaks, String name) {
    return leaks.stream().filter(leak -> !leak.isOfEverybody(name)).mapToLong(Leak::count).sum();
  }

  private static List<Overrun> overruns(Scopes.Scope scope, Rules rules, long left) {
    return rules.budget == null
        ? Collections.emptyList()
        : rules.budget.overruns(scope.use(), left);
  }

  /** The leaks that are of everybody, and so of the run. */
  List<Leak> ofEverybody() {
    return leaks.stream().filter(leak -> leak.isOfEverybody(name)).collect(Collectors.toList());
  }

  /** Without leaks, of which nobody can tell yet. */
  Verdict withoutLeaks() {
    return anyOf(Stream.of());
  }

  /** Without those of everybody. */
  Verdict own() {
    return anyOf(leaks.stream().filter(leak -> !leak.isOfEverybody(name)));
  }

  private Verdict anyOf(Stream<Leak> some) {
    return new Verdict(
        name, some.collect(Collectors.toList()), misuses, overruns, waitedMillis, isCut);
  }

  private Verdict without(List<Leak> some) {
    return anyOf(leaks.stream().filter(leak -> !some.contains(leak)));
  }

  /** Their allocations are the test's, in each run, although it did not wait for them. */
  private static void awaitTasks(Scopes.Scope scope, Waits.Wait wait) {
    boolean isWaiting = true;
    while (isWaiting && scope.hasTasks()) {
      isWaiting = wait.goesOn();
    }
  }

  /** Judges the misuses and the budget, without the leaks. */
  static Verdict ofMisuses(Scopes.Scope scope, Rules rules, Waits waits) {
    Verdict ofBudget = ofBudget(scope, rules, waits);
    return new Verdict(
        scope.name(),
        List.of(),
        misuses(scope, rules),
        ofBudget.overruns,
        ofBudget.waitedMillis,
        ofBudget.isCut);
  }

  /** Judges the budget alone, if there is one. */
  static Verdict ofBudget(Scopes.Scope scope, Rules rules, Waits waits) {
    if (rules.budget == null) {
      return new Verdict(scope.name(), List.of(), List.of(), List.of(), 0);
    }
    if (rules.budget.live == Budget.UNLIMITED) {
      awaitTasks(scope, waits.forTasks(scope, rules));
      return new Verdict(scope.name(), List.of(), List.of(), overruns(scope, rules, 0), 0);
    }
    Verdict settled = settle(scope, rules, waits);
    List<Overrun> overruns = overruns(scope, rules, own(settled.leaks, scope.name()));
    return new Verdict(
        scope.name(), List.of(), List.of(), overruns, settled.waitedMillis, settled.isCut);
  }

  private static List<Misuse> misuses(Scopes.Scope scope, Rules rules) {
    return rules.misuses ? scope.misuses() : Collections.emptyList();
  }

  private static List<Leak> leaks(Scopes.Scope scope, Rules rules) {
    List<Leak> leaks = new ArrayList<>();
    for (Leak leak : scope.leaks()) {
      if (leak.needsRelease || rules.strict) {
        leaks.add(leak);
      }
    }
    return leaks;
  }

  /** Time and threads, which tests hold. */
  interface Clock {
    /** The machine's. */
    Clock REAL =
        new Clock() {
          @Override
          public long nanos() {
            return System.nanoTime();
          }

          @Override
          public void sleep(long millis) {
            try {
              Thread.sleep(millis);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }

          @Override
          public Activity activity(long firstThread) {
            return BusyThreads.most(firstThread);
          }

          @Override
          public boolean seesAtOnce() {
            return BusyThreads.areSeenAtOnce();
          }
        };

    long nanos();

    void sleep(long millis);

    /**
     * The most that a thread other than the calling one may do by itself.
     *
     * @param firstThread the number of the first thread whose waits are of interest
     */
    Activity activity(long firstThread);

    /** Whether it is seen at once that a thread was woken up. */
    boolean seesAtOnce();
  }
}
