package org.buftrail.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test fails if it uses more buffers than this allows, to the buffer and to the byte. At least
 * one member is given.
 *
 * <p>On a class it holds for each of its tests by itself, and for those of nested and derived
 * classes; the annotation that is nearest to the test counts. What {@code @BeforeAll} methods
 * allocate is in no budget. Bytes are capacities, in the heap or outside. A composite or a retained
 * slice is a buffer of 0 bytes. A buffer is open until it is released, also one in the heap that is
 * dropped. The test is looked at for leaks too, as with {@link DetectBufferLeaks}.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@ExtendWith(BufferLeakExtension.class)
public @interface BufferBudget {
  /**
   * How much may be open at once: a number of bytes, or one with {@code B}, {@code KiB}, {@code
   * MiB} or {@code GiB}; without, as much as the test likes.
   */
  String peak() default "";

  /** How many buffers may be allocated; below 0 for as many as the test likes. */
  int allocated() default -1;

  /**
   * How many buffers may be open when the test has ended and has had its time to release them; so
   * many are no leak. Below 0 for what {@link DetectBufferLeaks} says. Those with which nothing is
   * lost do not count, unless {@link DetectBufferLeaks#strict} says so.
   */
  int live() default -1;
}
