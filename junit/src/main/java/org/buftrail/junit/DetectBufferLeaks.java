package org.buftrail.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test fails if buffers that it allocated are still open when it and its {@code @AfterEach}
 * methods have ended, or if one was released twice or used after its release, and the exception of
 * that was swallowed before it reached code of the test.
 *
 * <p>On a class it holds for all its tests and nested classes, and for what its {@code @BeforeAll}
 * methods allocate: that fails the class. The annotation that is nearest to the test counts. With
 * {@code junit.jupiter.extensions.autodetection.enabled=true} all tests are looked at without it;
 * then it may also stand on a package, for the classes there and in those below.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.PACKAGE})
@ExtendWith(BufferLeakExtension.class)
public @interface DetectBufferLeaks {
  /** Until when what is allocated may stay open. A class counts {@code TEST} as {@code CLASS}. */
  Until allowedUntil() default Until.TEST;

  /**
   * How long to wait for releases that other threads still make, in milliseconds; below 0 for what
   * the system property {@code buftrail.test.grace} says, or 1,000. A clean test does not wait.
   */
  long graceMillis() default -1;

  /**
   * Whether a double release, or a use after the release, fails the test. What code of the test
   * catches or asserts does not.
   */
  boolean misuses() default true;

  /**
   * Whether buffers count too with which nothing is lost when they are dropped: unpooled ones in
   * the heap, and those that wrap memory of the test.
   */
  boolean strict() default false;
}
