package org.buftrail.junit;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.platform.commons.support.AnnotationSupport;

/** The rules that annotations declare. */
final class DeclaredRules {
  /** Whether an annotation is {@link DetectBufferLeaks} or {@link BufferBudget}, or carries it. */
  private static final ClassValue<Boolean> LEADS_HERE =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return type == DetectBufferLeaks.class
              || type == BufferBudget.class
              || AnnotationSupport.isAnnotated(type, DetectBufferLeaks.class)
              || AnnotationSupport.isAnnotated(type, BufferBudget.class);
        }
      };

  private static final ClassValue<Optional<DetectBufferLeaks>> OF_PACKAGE =
      new ClassValue<>() {
        @Override
        protected Optional<DetectBufferLeaks> computeValue(Class<?> type) {
          return findOfPackage(type);
        }
      };

  private DeclaredRules() {}

  /**
   * Returns the rules that a class, a method or a package's description is annotated with, or null.
   */
  static @Nullable DetectBufferLeaks of(AnnotatedElement element) {
    // JUnit's search takes longer than all else that is done for a test.
    if (element instanceof Method && !leadsHere(element)) {
      return null;
    }
    return AnnotationSupport.findAnnotation(element, DetectBufferLeaks.class).orElse(null);
  }

  /**
   * The budget that a class or a method has by its annotations, or null.
   *
   * @throws IllegalArgumentException with one line, if the annotation is wrong
   */
  static @Nullable Budget budget(AnnotatedElement element) {
    if (element instanceof Method && !leadsHere(element)) {
      return null;
    }
    BufferBudget declared =
        AnnotationSupport.findAnnotation(element, BufferBudget.class).orElse(null);
    if (declared == null) {
      return null;
    }
    try {
      return Budget.of(declared.peak(), declared.allocated(), declared.live());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(e.getMessage() + ", on " + element, e);
    }
  }

  private static boolean leadsHere(AnnotatedElement element) {
    for (Annotation annotation : element.getAnnotations()) {
      if (LEADS_HERE.get(annotation.annotationType())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the annotation of the class's package, or of the nearest one around it; may be null.
   */
  static @Nullable DetectBufferLeaks ofPackage(Class<?> type) {
    return OF_PACKAGE.get(type).orElse(null);
  }

  private static Optional<DetectBufferLeaks> findOfPackage(Class<?> type) {
    String name = type.getPackageName();
    while (!name.isEmpty()) {
      try {
        Class<?> described = Class.forName(name + ".package-info", false, type.getClassLoader());
        DetectBufferLeaks declared = of(described);
        if (declared != null) {
          return Optional.of(declared);
        }
      } catch (ClassNotFoundException e) {
        // Most packages have none.
      }
      name = name.substring(0, Math.max(0, name.lastIndexOf('.')));
    }
    return Optional.empty();
  }

  /** Returns the rules of a run, with an annotation's changes. */
  static Rules with(Rules ofRun, DetectBufferLeaks declared) {
    Rules rules =
        new Rules(
            declared.allowedUntil() == Until.TEST ? ofRun.allowedUntil : declared.allowedUntil(),
            ofRun.grace,
            ofRun.misuses && declared.misuses(),
            ofRun.strict || declared.strict());
    return declared.graceMillis() < 0 ? rules : rules.withGrace(declared.graceMillis());
  }
}
