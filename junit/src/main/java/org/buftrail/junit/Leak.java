package org.buftrail.junit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.buftrail.model.Path;
import org.buftrail.model.Site;

/** Buffers or other resources that came the same way and are still open. Immutable. */
final class Leak {
  /** The scope in which they were allocated. */
  final String scope;

  /** Their way; {@link Path#live} is how many and how much, {@link Path#oldestMillis} their age. */
  final Path path;

  /** Whether something is lost when they are dropped. */
  final boolean needsRelease;

  Leak(String scope, Path path, boolean needsRelease) {
    this.scope = scope;
    this.path = path;
    this.needsRelease = needsRelease;
  }

  long count() {
    return path.live().count();
  }

  long bytes() {
    return path.live().bytes();
  }

  /** The way as a stack trace, which IDEs link: the last place first. */
  StackTraceElement[] trace() {
    return trace(path.hops());
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
    return trace.toArray(new StackTraceElement[0]);
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
