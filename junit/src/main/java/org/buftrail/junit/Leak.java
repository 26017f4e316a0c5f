package org.buftrail.junit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.buftrail.model.Evidence;
import org.buftrail.model.Path;
import org.buftrail.model.Site;
import org.buftrail.report.ContrastText;
import org.jspecify.annotations.Nullable;

/** Buffers or other resources that came the same way and are still open. Immutable. */
final class Leak {
  /** The scope in which they were allocated. */
  final String scope;

  /**
   * Their way; {@link Path#live} is how many and how much, {@link Path#held} how many more are
   * parts of these, {@link Path#oldestMillis} their age.
   */
  final Path path;

  /** Whether something is lost when they are dropped. */
  final boolean needsRelease;

  /** What became of others that came the same way, as a sentence; null where little is known. */
  final @Nullable String contrast;

  Leak(String scope, Path path, boolean needsRelease, @Nullable String contrast) {
    this.scope = scope;
    this.path = path;
    this.needsRelease = needsRelease;
    this.contrast = contrast;
  }

  /** Returns this leak under another name of the scope. */
  Leak in(String scope) {
    return new Leak(scope, path, needsRelease, contrast);
  }

  /** Sets what leaked against what was released on the way to it. */
  static List<Leak> contrasted(List<Leak> leaks, List<Path> all) {
    List<Path> leaking = new ArrayList<>();
    for (Leak leak : leaks) {
      leaking.add(leak.asLeaked());
    }
    List<@Nullable String> sentences = ContrastText.sentences(leaking, all);
    List<Leak> contrasted = new ArrayList<>();
    for (int i = 0; i < leaks.size(); i++) {
      Leak leak = leaks.get(i);
      contrasted.add(new Leak(leak.scope, leak.path, leak.needsRelease, sentences.get(i)));
    }
    return contrasted;
  }

  /** Nothing was released on a path that ends where something is left. */
  private Path asLeaked() {
    return new Path(
        path.hops(),
        path.isDirect(),
        Path.Flows.NONE,
        path.live(),
        Path.Flows.NONE,
        Path.NO_AGE,
        Path.NO_AGE);
  }

  /**
   * Whether a static initialiser allocated it, for everybody, whatever test came first.
   *
   * @param name the class or test that is judged; what its own initialiser makes is its own
   */
  boolean isOfEverybody(String name) {
    for (Path.Hop hop : path.hops()) {
      if (isInitializerOfOther(hop.site(), name)) {
        return true;
      }
    }
    return isAskedForByInitializer(name);
  }

  /** Whether each look saw a static initialiser ask, such as one of a library. */
  private boolean isAskedForByInitializer(String name) {
    Evidence evidence = path.evidence();
    if (evidence == null) {
      return false;
    }
    long seen = 0;
    for (Evidence.Place place : evidence.places(Evidence.Kind.ASKED_FOR)) {
      boolean initializes =
          Stream.of(place.library(), place.callers())
              .flatMap(List::stream)
              .anyMatch(site -> isInitializerOfOther(site, name));
      Site own = place.own();
      if (initializes || (own != null && isInitializerOfOther(own, name))) {
        seen += place.looks();
      }
    }
    return seen == evidence.looks();
  }

  private static boolean isInitializerOfOther(Site site, String name) {
    return site.method().equals("<clinit>") && !site.className().equals(name);
  }

  long count() {
    return path.live().count();
  }

  long bytes() {
    return path.live().bytes();
  }

  /**
   * The way as a stack trace, which IDEs link: the last line that had them comes first. Where a
   * library kept them to itself, the line that had it do so, or else the test.
   */
  StackTraceElement[] trace() {
    StackTraceElement[] trace = trace(path.hops());
    StackTraceElement asked = isOfLibraryAlone(trace) ? requester() : null;
    return asked == null || asked.getClassName().equals(trace[0].getClassName())
        ? trace
        : new StackTraceElement[] {asked, trace[0]};
  }

  /** Whether nothing but where they were made is known. */
  private static boolean isOfLibraryAlone(StackTraceElement[] trace) {
    return trace.length == 1;
  }

  /** The line that asked for the buffers, as a look saw it, or else the test; null for neither. */
  private @Nullable StackTraceElement requester() {
    Evidence evidence = path.evidence();
    List<Evidence.Place> asked =
        evidence == null ? List.of() : evidence.places(Evidence.Kind.ASKED_FOR);
    Site own = asked.isEmpty() ? null : asked.get(0).own();
    int arguments = scope.indexOf('(');
    int method = arguments < 0 ? -1 : scope.lastIndexOf('.', arguments);
    if (own == null && method > 0) {
      String name = scope.substring(method + 1, arguments);
      own = new Site(scope.substring(0, method), name, "", 0, "");
    }
    return own == null ? null : frame(own);
  }

  /** Where it was last seen, and what had it if it was only read there. */
  String lastSeen() {
    Path.Hop owner = path.lastOwner();
    String verb = isOfLibraryAlone(trace(path.hops())) ? "asked for at " : "last seen at ";
    return owner == null
        ? verb + trace()[0]
        : "last read at " + trace()[0] + "; " + frame(owner.site()) + " had it";
  }

  /** The way as far as the place that should have released it, as a stack trace. */
  StackTraceElement[] traceOfOwner() {
    Path.Hop owner = path.lastOwner();
    return owner == null ? trace() : trace(path.hops().subList(0, path.hops().indexOf(owner) + 1));
  }

  static StackTraceElement[] trace(Site site) {
    return new StackTraceElement[] {frame(site)};
  }

  static StackTraceElement[] trace(List<Path.Hop> hops) {
    List<StackTraceElement> trace = new ArrayList<>();
    for (Path.Hop hop : hops) {
      StackTraceElement frame = frame(hop.site());
      if (trace.isEmpty() || !trace.get(trace.size() - 1).equals(frame)) {
        trace.add(frame);
      }
    }
    Collections.reverse(trace);
    while (trace.size() > 1 && isCount(trace.get(0))) {
      trace.remove(0);
    }
    return trace.toArray(new StackTraceElement[0]);
  }

  /** Whether a frame stands for a release or retain, which has no line of its own. */
  private static boolean isCount(StackTraceElement frame) {
    return frame.getClassName().equals("io.netty.buffer.ByteBuf") && frame.getLineNumber() < 0;
  }

  private static StackTraceElement frame(Site site) {
    String type = site.className();
    String outer = type.substring(type.lastIndexOf('.') + 1);
    int nested = outer.indexOf('$', 1);
    String file = (nested < 0 ? outer : outer.substring(0, nested)) + ".java";
    String method = site.method();
    if (method.endsWith(Site.RETURN_SUFFIX)) {
      method = method.substring(0, method.length() - Site.RETURN_SUFFIX.length());
    }
    return new StackTraceElement(type, method, file, site.line() > 0 ? site.line() : -1);
  }
}
