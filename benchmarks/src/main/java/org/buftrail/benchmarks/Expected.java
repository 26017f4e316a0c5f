package org.buftrail.benchmarks;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What one operation of a benchmark does to buffers, and so what the agent must have counted. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Expected {
  /** Says that a number differs from operation to operation. */
  int ANY = -1;

  /** Heap buffers allocated by one operation. */
  int heap() default 0;

  /** Direct buffers allocated by one operation. */
  int direct() default 0;

  /**
   * Hops of all buffers of one operation: call sites that asked, entries, returns, and the line of
   * the release, which a buffer that leaks lacks.
   */
  int hops() default ANY;

  /** At most so many more direct buffers are allocated by set-up and tear-down. */
  int aside() default 0;

  /** One in so many operations never releases its buffer; 0 for none. */
  int leaksOneIn() default 0;

  /** Whether Netty's detector watches these buffers, so that its levels are run beside ours. */
  boolean detector() default false;

  /** Whether it is run with hops in Netty's own handlers too. */
  boolean handlers() default false;

  /** The first Java that it runs on. */
  int since() default 17;
}
