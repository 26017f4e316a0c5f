package org.buftrail.junit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
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
  private static final long MIN_PAUSE_MILLIS = 10;
  private static final long MAX_PAUSE_MILLIS = 50;

  /** The test, class or run, as people call it. */
  final String name;

  final List<Leak> leaks;
  final List<Misuse> misuses;
  private final long graceMillis;

  Verdict(String name, List<Leak> leaks, List<Misuse> misuses, long graceMillis) {
    this.name = name;
    this.leaks = List.copyOf(leaks);
    this.misuses = List.copyOf(misuses);
    this.graceMillis = graceMillis;
  }

  boolean isClean() {
    return leaks.isEmpty() && misuses.isEmpty();
  }

  long count() {
    return leaks.stream().mapToLong(Leak::count).sum();
  }

  long bytes() {
    return leaks.stream().mapToLong(Leak::bytes).sum();
  }

  /**
   * The failure, with the path of the most bytes as its stack trace; of a misuse alone, with the
   * stack of that and the first release as its cause.
   */
  BufferLeakError error() {
    if (!leaks.isEmpty()) {
      return new BufferLeakError(text(true), leaks.get(0).trace());
    }
    Misuse misuse = misuses.get(0);
    StackTraceElement[] released = Leak.trace(misuse.hops());
    StackTraceElement[] stack =
        misuse.stack().isEmpty()
            ? Leak.trace(misuse.site())
            : misuse.stack().toArray(new StackTraceElement[0]);
    return new BufferLeakError(text(true), stack, new BufferLeakError("first released", released));
  }

  /** What of it fails: known leaks do not. */
  Verdict failing(KnownLeaks known) {
    List<Leak> others = new ArrayList<>();
    for (Leak leak : leaks) {
      if (!known.has(leak)) {
        others.add(leak);
      }
    }
    return new Verdict(name, others, misuses, graceMillis);
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
        + (graceMillis > 0 ? ", also " + seconds(graceMillis) + " after its end" : "")
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
        + (leak.path.isDirect() ? ", direct" : ", heap");
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
    lines.add("  first released");
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

  /** Returns this verdict under another name than that of its scope. */
  Verdict named(String other) {
    List<Leak> renamed = new ArrayList<>();
    for (Leak leak : leaks) {
      renamed.add(leak.scope.equals(name) ? leak.in(other) : leak);
    }
    return new Verdict(other, renamed, misuses, graceMillis);
  }

  /** Waits, as long as the grace allows, until nothing is left, then says what is wrong. */
  static Verdict of(Scopes.Scope scope, Rules rules, Clock clock) {
    long end = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(rules.grace);
    List<Leak> leaks = leaks(scope, rules);
    long pause = MIN_PAUSE_MILLIS;
    while (!leaks.isEmpty() && clock.nanos() - end < 0) {
      clock.sleep(pause);
      pause = Math.min(2 * pause, MAX_PAUSE_MILLIS);
      leaks = leaks(scope, rules);
    }
    if (!leaks.isEmpty()) {
      leaks = Leak.contrasted(leaks, scope.paths());
    }
    return new Verdict(scope.name(), leaks, misuses(scope, rules), rules.grace);
  }

  /** Judges the misuses, without the leaks. */
  static Verdict ofMisuses(Scopes.Scope scope, Rules rules) {
    return new Verdict(scope.name(), Collections.emptyList(), misuses(scope, rules), 0);
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

  /** Time, which tests hold. */
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
        };

    long nanos();

    void sleep(long millis);
  }
}
