package org.buftrail.junit;

import java.lang.reflect.AnnotatedElement;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** What holds for one test or class. Immutable. */
final class Rules {
  /** What holds without an annotation. */
  static final Rules DEFAULT = new Rules(Until.TEST, TestSettings.graceMillis(), true, false);

  final Until allowedUntil;

  /** In milliseconds, not negative. */
  final long grace;

  final boolean misuses;
  final boolean strict;

  Rules(Until allowedUntil, long grace, boolean misuses, boolean strict) {
    this.allowedUntil = allowedUntil;
    this.grace = grace;
    this.misuses = misuses;
    this.strict = strict;
  }

  /** Those of the annotation that is nearest. */
  static Rules of(ExtensionContext context) {
    Optional<ExtensionContext> at = Optional.of(context);
    while (at.isPresent()) {
      Optional<AnnotatedElement> element = at.get().getElement();
      Optional<DetectBufferLeaks> found =
          AnnotationSupport.findAnnotation(element, DetectBufferLeaks.class);
      if (found.isPresent()) {
        return of(found.get());
      }
      at = at.get().getParent();
    }
    return DEFAULT;
  }

  private static Rules of(DetectBufferLeaks rules) {
    long grace = rules.graceMillis() < 0 ? TestSettings.graceMillis() : rules.graceMillis();
    return new Rules(rules.allowedUntil(), grace, rules.misuses(), rules.strict());
  }
}
