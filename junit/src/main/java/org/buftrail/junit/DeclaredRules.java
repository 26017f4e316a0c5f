package org.buftrail.junit;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.AnnotationSupport;

/** The {@link Rules} that annotations declare. */
final class DeclaredRules {
  /** Whether an annotation is {@link DetectBufferLeaks}, or carries it. */
  private static final ClassValue<Boolean> LEADS_HERE =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return type == DetectBufferLeaks.class
              || AnnotationSupport.isAnnotated(type, DetectBufferLeaks.class);
        }
      };

  private DeclaredRules() {}

  /** Those that a class or method has by its annotations, or null. */
  static @Nullable Rules of(AnnotatedElement element) {
    // JUnit's search takes longer than all else that is done for a test.
    if (element instanceof Method && !leadsHere(element)) {
      return null;
    }
    return AnnotationSupport.findAnnotation(element, DetectBufferLeaks.class)
        .map(DeclaredRules::of)
        .orElse(null);
  }

  private static boolean leadsHere(AnnotatedElement element) {
    for (Annotation annotation : element.getAnnotations()) {
      if (LEADS_HERE.get(annotation.annotationType())) {
        return true;
      }
    }
    return false;
  }

  private static Rules of(DetectBufferLeaks rules) {
    long grace = rules.graceMillis() < 0 ? TestSettings.graceMillis() : rules.graceMillis();
    return new Rules(rules.allowedUntil(), grace, rules.misuses(), rules.strict());
  }
}
